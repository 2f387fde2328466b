import { limits } from "@tandem/contract/limits";
import { useSearch } from "@tanstack/react-router";
import { useMe } from "../../data/me.ts";
import { reloadAfterLogin } from "../../data/session.ts";
import { useAction } from "../../data/use-action.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type FormValues, faultOf, useFault } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { Inside } from "./already-signed-in.tsx";
import { inText, Shell } from "./layout.tsx";
import { along, nextOf } from "./next.ts";
import { OtherWays } from "./other-methods.tsx";
import { usernamePattern } from "./username.plain.ts";

const { username: name } = limits;

/** An account in a minute. */
export function SignUpView() {
  const { t } = useText();
  const me = useMe();
  const search = useSearch({ strict: false });
  const next = nextOf(search);
  const join = useAction(
    (api, { username = "", email = "", password = "" }: FormValues) =>
      api.signUp({ username, email, password }),
    { inlineErrors: true, onSuccess: () => reloadAfterLogin(next) },
  );
  const fault = useFault(join.error, ["username", "email", "password"]);
  if (me && join.isIdle) return <Inside me={me} next={next} />;
  return (
    <Shell
      title={t("signin.signup")}
      says={t("signin.signupSays")}
      below={
        <>
          {t("signin.hasAccount")}{" "}
          <Link to="/login" search={along(search)} className={inText}>
            {t("nav.login")}
          </Link>
        </>
      }
    >
      <Form
        onSend={(values) => join.mutate(values)}
        busy={join.isPending || join.isSuccess}
        fault={fault}
        button={t("signin.signup")}
        wide
      >
        <Field
          name="username"
          label={t("signin.username")}
          hint={t("signin.usernameRule", name)}
          minLength={name.min}
          maxLength={name.max}
          pattern={usernamePattern}
          title={t("signin.usernameLetters")}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={faultOf(fault, "username")}
        />
        <Field
          name="email"
          type="email"
          label={t("signin.email")}
          hint={t("signin.emailUse")}
          maxLength={limits.email}
          autoComplete="email"
          required
          error={faultOf(fault, "email")}
        />
        <PasswordField
          name="password"
          isNew
          label={t("signin.password")}
          error={faultOf(fault, "password")}
        />
        <p className="text-sm text-soft">
          <RichText text="signin.rules" parts={{ policy: <Link to="/policy" className={inText} /> }} />
        </p>
      </Form>
      <OtherWays next={next} passkey={false} />
    </Shell>
  );
}
