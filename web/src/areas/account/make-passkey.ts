import type { FlatClient } from "@tandem/client";

/** The error's name when the user cancels. */
const USER_CANCELLED = "NotAllowedError";

interface PasskeyInput {
  name: string;
  password: string | null;
}

/** Creates a passkey on this device and adds it to the account; null if the user cancels. */
export async function makePasskey(api: FlatClient, { name, password }: PasskeyInput) {
  const { startRegistration } = await import("@simplewebauthn/browser");
  const { options } = await api.beginPasskey({ password });
  try {
    // The API's schema types these options as plain strings; they are values of the WebAuthn standard.
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
