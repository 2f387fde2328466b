import type { FlatClient } from "@tandem/client";
import { solveChallenge } from "@tandem/client/proof-of-work";
import type { FormValues } from "../../ui/form.tsx";

/** The names of the form's fields. */
export const signUpFields = ["username", "email", "password", "invitation", "reason"] as const;

/**
 * Asks the server what it would refuse besides the fields that are `invalid` already, so that people see all of it. Nothing is
 * created. Throws what it refuses.
 */
export async function checkSignUp(api: FlatClient, values: FormValues, invalid: readonly string[]) {
  const { invitation } = values;
  const valid = (name: string, replacement: string) =>
    invalid.includes(name) ? replacement : (values[name] ?? replacement);
  await api.signUp(
    {
      username: valid("username", `check_${randomDigits()}`),
      email: valid("email", `check.${randomDigits()}@mail.invalid`),
      password: valid("password", crypto.randomUUID()),
      ...(invitation?.trim() && { invitation: invitation.trim() }),
    },
    { dryRun: true },
  );
}

const randomDigits = () => String(Math.random()).slice(2, 14);

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
