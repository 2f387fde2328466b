import { limits } from "@tandem/contract/limits";
import type { RegistrationMode } from "@tandem/contract/registration-modes";
import { useRef } from "react";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { usernamePattern } from "../../shared/username.plain.ts";
import { Field, TextArea } from "../../ui/field.tsx";
import { Form, type FormValues, fieldErrorOf, isAtField, useFormError } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { inlineLink } from "./inline-link.ts";
import { OtherSignInMethods } from "./other-methods.tsx";
import { registrationError } from "./registration-errors.ts";
import { signUpFields } from "./send-sign-up.ts";

const { username: name } = limits;

/** The code in an invitation's link. It is in the URL's hash, which only the browser knows. */
const invitationFromUrl = () => new URLSearchParams(location.hash.slice(1)).get("invitation") ?? "";

/** Asks for a new account's name, address and password, and for what this server requires besides. */
export function SignUpForm({
  mode,
  needsProof,
  sendsEmail,
  signUp,
  check,
  next,
}: {
  mode: Exclude<RegistrationMode, "closed">;
  needsProof: boolean;
  /** Without email, an address recovers no account. */
  sendsEmail: boolean;
  signUp: {
    mutate(values: FormValues): void;
    error: Error | null;
    isPending: boolean;
    isSuccess: boolean;
    reset(): void;
  };
  /** Finds out what is wrong besides the fields that the browser finds invalid. */
  check: {
    mutateAsync(input: { values: FormValues; invalid: readonly string[] }): Promise<unknown>;
    variables: { invalid: readonly string[] } | undefined;
    error: Error | null;
    reset(): void;
  };
  next: string;
}) {
  const { t } = useText();
  const invitation = useHydrated() ? invitationFromUrl() : "";
  const invitationField = useRef<HTMLInputElement>(null);
  const fields = signUpFields.filter((name) => !check.variables?.invalid.includes(name));
  const found = useFormError(check.error, fields, ({ code }) => registrationError(code, t));
  const refused = useFormError(signUp.error, signUpFields, ({ code }) => registrationError(code, t));
  const formError = refused ?? (found && isAtField(found) ? found : null);
  const findMore = (values: FormValues, invalid: readonly string[]) => {
    signUp.reset();
    check.reset();
    const mayFind = !needsProof && ["username", "email"].some((name) => !invalid.includes(name));
    // What can't be found out now appears when the form is sent.
    return mayFind ? check.mutateAsync({ values, invalid }).catch(() => {}) : Promise.resolve();
  };
  return (
    <>
      <Form
        onSubmit={(values) => {
          check.reset();
          signUp.mutate(values);
        }}
        onInvalid={findMore}
        busy={signUp.isPending || signUp.isSuccess}
        error={formError}
        submitLabel={t("signin.signup")}
        fullWidth
      >
        {(mode === "invitation" || invitation !== "") && (
          <Field
            // The code appears with hydration.
            key={invitation}
            ref={invitationField}
            name="invitation"
            label={t("signin.invitation")}
            hint={t("signin.invitationHint")}
            defaultValue={invitation}
            maxLength={limits.invitationCode}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required={mode === "invitation"}
            error={fieldErrorOf(formError, "invitation")}
          />
        )}
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
          hint={t(sendsEmail ? "signin.emailHint" : "signin.emailHintNoMail")}
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
        {mode === "approval" && invitation === "" && (
          <TextArea
            name="reason"
            label={t("signin.reason")}
            labelNote={t("signin.optional")}
            hint={t("signin.reasonHint")}
            maxLength={limits.signUpReason}
            error={fieldErrorOf(formError, "reason")}
          />
        )}
        <p className="text-sm text-soft">
          <RichText text="signin.rules" parts={{ policy: <Link to="/policy" className={inlineLink} /> }} />
          {needsProof && ` ${t("signin.proof")}`}
        </p>
      </Form>
      <OtherSignInMethods
        next={next}
        passkey={false}
        invitation={() => invitationField.current?.value.trim() ?? ""}
      />
    </>
  );
}
