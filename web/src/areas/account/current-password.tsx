import type { TandemError } from "@tandem/client";
import { limits } from "@tandem/contract/limits";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { securityQuery } from "../../data/account.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { type FormError, type FormValues, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PasswordField } from "../../ui/password-field.tsx";

const StepUpDialog = lazyComponent(() => import("../../ui/step-up-dialog.tsx"));

/** Whether the account has a password. Without one, a recent log-in authorizes changes instead. */
export const useHasPassword = (): boolean => useQuery(securityQuery(useApi())).data?.hasPassword ?? true;

/** The error of a form that asks for the current password. */
export function useReauthError(
  error: Error | null,
  others: readonly string[] = [],
  name = "password",
): FormError | null {
  const { t } = useText();
  const hasPassword = useHasPassword();
  const customMessage = ({ code, field }: TandemError) =>
    code === "weak_password"
      ? t("account.weakPassword")
      : code === "reauthentication_required"
        ? t("account.loginTooOld")
        : code === "forbidden" && field === name
          ? t("account.wrongPassword")
          : null;
  return useFormError(error, hasPassword ? [...others, name] : others, customMessage);
}

export const passwordFrom = ({ password }: FormValues): string | null => password ?? null;

/** Asks for the current password, in case someone else uses an unlocked screen. */
export function CurrentPasswordField({
  error,
  name = "password",
}: {
  error: FormError | null;
  name?: string;
}) {
  const { t } = useText();
  if (!useHasPassword()) return <RecentProof error={error} />;
  return <PasswordField name={name} label={t("account.currentPassword")} error={fieldErrorOf(error, name)} />;
}

/** What takes the password's place for an account without one: a recent log-in, or a passkey now. */
function RecentProof({ error }: { error: FormError | null }) {
  const { t } = useText();
  const [isAsking, setAsking] = useState(false);
  /** The error that the proof answered; null if there was none. */
  const [provenFor, setProvenFor] = useState<Error | null>();
  // A later error means that the proof is too old.
  const isProven = provenFor !== undefined && (error === null || error.cause === provenFor);
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-soft" role="status">
        {isProven ? t("account.proven") : t("account.noPassword", { minutes: limits.provenMinutes })}
      </p>
      {!isProven && (
        <Button className="self-start" onClick={() => setAsking(true)}>
          {t("account.prove")}
        </Button>
      )}
      {isAsking && (
        <StepUpDialog
          onDone={() => {
            setProvenFor(error?.cause ?? null);
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
