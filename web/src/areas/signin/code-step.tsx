import type { TandemError } from "@tandem/client";
import { useState } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, faultOf, useFault } from "../../ui/form.tsx";
import { inText, Shell } from "./layout.tsx";

interface Step {
  error: Error | null;
  busy: boolean;
  onCode(code: string): void;
  onBack(): void;
}

/** The second factor: what the authenticator shows now, or a recovery code for who has lost it. */
export function CodeStep({ error, busy, onCode, onBack }: Step) {
  const { t } = useText();
  const [lost, setLost] = useState(false);
  const own = ({ code }: TandemError) => (code === "second_factor_required" ? t("signin.wrongCode") : null);
  const fault = useFault(error, ["code"], own);
  return (
    <Shell title={t("signin.second")} says={t(lost ? "signin.recoverySays" : "signin.secondSays")}>
      <Form
        onSend={({ code = "" }) => onCode(code.trim())}
        busy={busy}
        fault={fault}
        button={t("common.continue")}
        beside={
          <Button look="quiet" onClick={onBack}>
            {t("common.back")}
          </Button>
        }
      >
        <Field
          key={String(lost)}
          name="code"
          label={t(lost ? "signin.recovery" : "signin.code")}
          inputMode={lost ? "text" : "numeric"}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          required
          // The page has just been exchanged for this one field.
          ref={(field) => field?.focus()}
          error={faultOf(fault, "code")}
        />
        <button
          type="button"
          className={`${inText} min-h-10 self-start text-sm`}
          onClick={() => setLost(!lost)}
        >
          {t(lost ? "signin.useCode" : "signin.useRecovery")}
        </button>
      </Form>
    </Shell>
  );
}
