import { limits } from "@tandem/contract/limits";
import { useSearch } from "@tanstack/react-router";
import { useMe } from "../../data/me.ts";
import { reloadAfterLogin } from "../../data/session.ts";
import { useAction } from "../../data/use-action.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type FormValues, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { AlreadySignedIn } from "./already-signed-in.tsx";
import { inlineLink, SignInLayout } from "./layout.tsx";
import { nextOf, nextParam } from "./next.ts";
import { OtherSignInMethods } from "./other-methods.tsx";
import { usernamePattern } from "./username.plain.ts";

const { username: name } = limits;

/** The page to create an account. */
export function SignUpView() {
  const { t } = useText();
  const me = useMe();
  const search = useSearch({ strict: false });
  const next = nextOf(search);
  const signUp = useAction(
    (api, { username = "", email = "", password = "" }: FormValues) =>
      api.signUp({ username, email, password }),
    { inlineErrors: true, onSuccess: () => reloadAfterLogin(next) },
  );
  const formError = useFormError(signUp.error, ["username", "email", "password"], ({ code }) =>
    code === "weak_password" ? t("signin.weakPassword") : null,
  );
  if (me && signUp.isIdle) return <AlreadySignedIn me={me} next={next} />;
  return (
    <SignInLayout
      title={t("signin.signup")}
      description={t("signin.signupDescription")}
      footer={
        <>
          {t("signin.hasAccount")}{" "}
          <Link to="/login" search={nextParam(search)} className={inlineLink}>
            {t("nav.login")}
          </Link>
        </>
      }
    >
      <Form
        onSubmit={(values) => signUp.mutate(values)}
        busy={signUp.isPending || signUp.isSuccess}
        error={formError}
        submitLabel={t("signin.signup")}
        fullWidth
      >
        <Field
          name="username"
          label={t("signin.username")}
          hint={t("signin.usernameHint", name)}
          minLength={name.min}
          maxLength={name.max}
          pattern={usernamePattern}
          title={t("signin.usernameInvalid")}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={fieldErrorOf(formError, "username")}
        />
        <Field
          name="email"
          type="email"
          label={t("signin.email")}
          hint={t("signin.emailHint")}
          maxLength={limits.email}
          autoComplete="email"
          required
          error={fieldErrorOf(formError, "email")}
        />
        <PasswordField
          name="password"
          isNew
          label={t("signin.password")}
          error={fieldErrorOf(formError, "password")}
        />
        <p className="text-sm text-soft">
          <RichText text="signin.rules" parts={{ policy: <Link to="/policy" className={inlineLink} /> }} />
        </p>
      </Form>
      <OtherSignInMethods next={next} passkey={false} />
    </SignInLayout>
  );
}
