import type { FlatClient } from "@tandem/client";

/** Asks for a passkey of this site. Returns what proves that the user has it. */
export async function askForPasskey(api: FlatClient) {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const { options } = await api.beginPasskeySignIn();
  const optionsJSON = { ...options, userVerification: "required" } as const;
  const { id, response } = await startAuthentication({ optionsJSON });
  const { clientDataJSON, authenticatorData, signature } = response;
  return { id, clientDataJSON, authenticatorData, signature };
}
