import type { TandemError } from "@tandem/client";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { useMe } from "../../data/me.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type FormValues, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { AlreadySignedIn } from "./already-signed-in.tsx";
import { CodeStep } from "./code-step.tsx";
import { inlineLink, SignInLayout } from "./layout.tsx";
import { nextOf, nextParam } from "./next.ts";
import { OtherSignInMethods } from "./other-methods.tsx";
import { takeProviderCredential } from "./provider-sign-in.ts";
import { type Attempt, needsSecondFactor, useLogIn } from "./use-log-in.ts";

/** Logs in with a password, a passkey or a provider; with a second factor if the account has one. */
export function LogInView() {
  const { t } = useText();
  const me = useMe();
  const search = useSearch({ strict: false });
  const next = nextOf(search);
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  // After the code was requested, a wrong code doesn't lead back to the first step.
  const [codeRequested, setCodeRequested] = useState(false);
  const logIn = useLogIn(next);
  const start = (newAttempt: Attempt) => {
    setAttempt(newAttempt);
    logIn.mutate({ attempt: newAttempt }, { onError: (error) => setCodeRequested(needsSecondFactor(error)) });
  };
  const resumeProviderSignIn = useEffectEvent(() => {
    const credential = takeProviderCredential();
    if (credential) start({ by: "provider", credential });
  });
  useEffect(() => resumeProviderSignIn(), []);
  if (me && !logIn.isPending && !logIn.isSuccess) return <AlreadySignedIn me={me} next={next} />;
  if (attempt && codeRequested)
    return (
      <CodeStep
        error={needsSecondFactor(logIn.error) && logIn.variables?.code === undefined ? null : logIn.error}
        busy={logIn.isPending || logIn.isSuccess}
        onCode={(code) => logIn.mutate({ attempt, code })}
        onBack={() => {
          setCodeRequested(false);
          logIn.reset();
        }}
      />
    );
  return (
    <SignInLayout
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
      <PasswordForm
        initialValues={attempt?.by === "password" ? attempt.values : {}}
        error={logIn.error}
        busy={logIn.isPending || logIn.isSuccess}
        onSend={(values) => start({ by: "password", values })}
      />
      <OtherSignInMethods next={next} passkey />
    </SignInLayout>
  );
}

interface PasswordFormProps {
  initialValues: FormValues;
  error: Error | null;
  busy: boolean;
  onSend(values: FormValues): void;
}

function PasswordForm({ initialValues, error, busy, onSend }: PasswordFormProps) {
  const { t } = useText();
  const customMessage = ({ status, code }: TandemError) =>
    status === 401 && code === "unauthorized" ? t("signin.wrongCredentials") : null;
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
      <PasswordField
        name="password"
        label={t("signin.password")}
        defaultValue={initialValues.password}
        error={fieldErrorOf(formError, "password")}
      />
      <Link to="/account/forgot" className={`${inlineLink} self-start text-sm`}>
        {t("signin.forgotPassword")}
      </Link>
    </Form>
  );
}
