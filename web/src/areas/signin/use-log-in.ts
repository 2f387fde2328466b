import { type Client, TandemError } from "@tandem/client";
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
    onSuccess: (_, { attempt }) =>
      reloadAfterLogin(attempt.by === "provider" ? attempt.credential.next : next),
  });
}

function logIn(api: Client, { attempt, code }: LogInInput) {
  const second = code === undefined ? {} : { code };
  if (attempt.by === "password") {
    const { username = "", password = "" } = attempt.values;
    return api.logIn({ username, password, ...second });
  }
  const { name, idToken, fullName } = attempt.credential;
  return name === "google"
    ? api.signInWithGoogle({ idToken, ...second })
    : api.signInWithApple({ idToken, ...(fullName !== undefined && { fullName }), ...second });
}

export const needsSecondFactor = (error: Error | null): boolean =>
  error instanceof TandemError && error.code === "second_factor_required";

/** Signs in with a passkey. */
export const logInWithPasskey = async (api: Client) => api.signInWithPasskey(await askForPasskey(api));
