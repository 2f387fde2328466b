import { type FlatClient, TandemError } from "@tandem/client";
import type { User } from "@tandem/contract/resources";
import { askForPasskey } from "../../data/passkey.ts";
import { reloadAfterLogin } from "../../data/session.ts";
import { useAction } from "../../data/use-action.ts";
import type { FormValues } from "../../ui/form.tsx";
import type { ProviderCredential } from "./provider-sign-in.ts";

/** A first factor: a password, or a provider's token. */
export type Attempt =
  | { by: "password"; values: FormValues }
  | { by: "provider"; credential: ProviderCredential };

interface LogInInput {
  attempt: Attempt;
  code?: string;
}

/** Logs in. If the account has a second factor, the same attempt is sent again with a code. */
export function useLogIn(next: string) {
  return useAction((api, attempt: LogInInput) => logIn(api, attempt), {
    inlineErrors: true,
    // Without a user, a new account waits for approval.
    onSuccess: ({ user }, { attempt }) =>
      user && reloadAfterLogin(attempt.by === "provider" ? attempt.credential.next : next),
  });
}

function logIn(api: FlatClient, { attempt, code }: LogInInput): Promise<{ user: User | null }> {
  const second = code === undefined ? {} : { code };
  if (attempt.by === "password") {
    const { username = "", password = "" } = attempt.values;
    return api.logIn({ username, password, ...second });
  }
  const { name, idToken, fullName, invitation } = attempt.credential;
  const input = { idToken, ...(invitation && { invitation }), ...second };
  return name === "google"
    ? api.signInWithGoogle(input)
    : api.signInWithApple({ ...input, ...(fullName !== undefined && { fullName }) });
}

export const needsSecondFactor = (error: Error | null): boolean =>
  error instanceof TandemError && error.code === "second_factor_required";

/** Signs in with a passkey. */
export const logInWithPasskey = async (api: FlatClient) => api.signInWithPasskey(await askForPasskey(api));
