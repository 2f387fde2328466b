import type { TandemError } from "@tandem/client";
import { useState } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { TaskLayout } from "../../ui/task-layout.tsx";
import { inlineLink } from "./inline-link.ts";

interface CodeStepProps {
  error: Error | null;
  busy: boolean;
  onCode(code: string): void;
  onBack(): void;
}

/** The second factor: a code from the authenticator app, or a recovery code. */
export function CodeStep({ error, busy, onCode, onBack }: CodeStepProps) {
  const { t } = useText();
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(false);
  const customMessage = ({ code }: TandemError) =>
    code === "second_factor_required" ? t("signin.wrongCode") : null;
  const formError = useFormError(error, ["code"], customMessage);
  return (
    <TaskLayout
      title={t("signin.twoFactor")}
      description={t(usesRecoveryCode ? "signin.recoveryCodeDescription" : "signin.twoFactorDescription")}
    >
      <Form
        onSubmit={({ code = "" }) => onCode(code.trim())}
        busy={busy}
        error={formError}
        submitLabel={t("common.continue")}
        secondaryAction={
          <Button variant="quiet" onClick={onBack}>
            {t("common.back")}
          </Button>
        }
      >
        <Field
          key={String(usesRecoveryCode)}
          name="code"
          label={t(usesRecoveryCode ? "signin.recoveryCode" : "signin.code")}
          inputMode={usesRecoveryCode ? "text" : "numeric"}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          required
          // This field has just replaced the whole form.
          ref={(field) => field?.focus()}
          error={fieldErrorOf(formError, "code")}
        />
        <button
          type="button"
          className={`${inlineLink} min-h-10 self-start text-sm`}
          onClick={() => setUsesRecoveryCode(!usesRecoveryCode)}
        >
          {t(usesRecoveryCode ? "signin.useCode" : "signin.useRecovery")}
        </button>
      </Form>
    </TaskLayout>
  );
}
