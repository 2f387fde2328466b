import type { FlatClient } from "@tandem/client";
import { solveChallenge } from "@tandem/client/proof-of-work";
import type { FormValues } from "../../ui/form.tsx";

/** The names of the form's fields. */
export const signUpFields = ["username", "email", "password", "invitation", "reason"] as const;

/** Signs up, with a proof of work if the server requires one. */
export async function sendSignUp(api: FlatClient, values: FormValues, needsProof: boolean) {
  const { username = "", email = "", password = "", invitation, reason } = values;
  const { challenge } = needsProof ? await api.readRegistration() : { challenge: null };
  return api.signUp({
    username,
    email,
    password,
    ...(invitation?.trim() && { invitation: invitation.trim() }),
    ...(reason && { reason }),
    ...(challenge && { proof: await solveChallenge(challenge) }),
  });
}
