import type { Client } from "@tandem/client";

/** What a device says when its owner closes its question. */
const USER_CANCELLED = "NotAllowedError";

interface PasskeyInput {
  name: string;
  password: string | null;
}

/** Has this device make a passkey, and adds it; null where its owner thought better of it. */
export async function makePasskey(api: Client, { name, password }: PasskeyInput) {
  const { startRegistration } = await import("@simplewebauthn/browser");
  const { options } = await api.beginPasskey({ password });
  try {
    // What is sent as plain words is one of those that the standard has.
    const { id, response } = await startRegistration({ optionsJSON: options as CreationOptions });
    const { clientDataJSON, attestationObject } = response;
    return await api.addPasskey({ id, clientDataJSON, attestationObject, name: name || null });
  } catch (error) {
    if (error instanceof Error && error.name === USER_CANCELLED) return null;
    throw error;
  }
}

type CreationOptions = Parameters<
  typeof import("@simplewebauthn/browser").startRegistration
>[0]["optionsJSON"];
