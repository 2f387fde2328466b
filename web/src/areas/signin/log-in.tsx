import type { TandemError } from "@tandem/client";
import { useText } from "../../i18n/use-text.tsx";
import { useSearch } from "../../router/provider.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { TaskLayout } from "../../ui/task-layout.tsx";
import { inlineLink } from "./inline-link.ts";
import { type LogInForm, LogInSteps } from "./log-in-steps.tsx";
import { nextOf, nextParam } from "./next.ts";
import { OtherSignInMethods } from "./other-methods.tsx";
import { OwnPassword } from "./own-password.tsx";
import { registrationError } from "./registration-errors.ts";

/** Logs in with a password, a passkey or a provider; with a second factor if the account has one. */
export function LogInView() {
  const { t } = useText();
  const search = useSearch();
  const next = nextOf(search);
  return (
    <LogInSteps next={next}>
      {(form) => (
        <TaskLayout
          title={t("signin.login")}
          description={search.next !== undefined && t("signin.logInToContinue")}
          footer={
            <>
              {t("signin.noAccount")}{" "}
              <Link to="/signup" search={nextParam(search)} className={inlineLink}>
                {t("nav.signup")}
              </Link>
            </>
          }
        >
          <PasswordForm {...form} />
          <OtherSignInMethods next={next} passkey />
        </TaskLayout>
      )}
    </LogInSteps>
  );
}

/** Asks for the username and the password. */
export function PasswordForm({ initialValues, error, busy, onSend }: LogInForm) {
  const { t } = useText();
  const customMessage = ({ status, code }: TandemError) =>
    status === 401 && code === "unauthorized" ? t("signin.wrongCredentials") : registrationError(code, t);
  const formError = useFormError(error, ["username", "password"], customMessage);
  return (
    <Form onSubmit={onSend} busy={busy} error={formError} submitLabel={t("signin.login")} fullWidth>
      <Field
        name="username"
        label={t("signin.name")}
        defaultValue={initialValues.username}
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={fieldErrorOf(formError, "username")}
      />
      <OwnPassword value={initialValues.password} error={formError} />
    </Form>
  );
}
