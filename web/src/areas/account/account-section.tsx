import { limits } from "@tandem/contract/limits";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { securityQuery } from "../../data/account.ts";
import { useMe } from "../../data/me.ts";
import { registrationQuery } from "../../data/registration.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type FormValues, fieldErrorOf } from "../../ui/form.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { CurrentPasswordField, passwordFrom, useHasPassword, useReauthError } from "./current-password.tsx";
import { Badge, Panel } from "./panel.tsx";

/** Settings for the email address and the password. */
export function AccountSection() {
  return (
    <>
      <EmailPanel />
      <ChangeEmailPanel />
      <PasswordPanel />
    </>
  );
}

function EmailPanel() {
  const { t } = useText();
  const me = useMe();
  const { show } = useToasts();
  const { data: security } = useQuery(securityQuery(useApi()));
  const { data: registration } = useQuery(registrationQuery(useApi()));
  const canConfirm = registration?.sendsEmail === true;
  const sendConfirmation = useAction((api) => api.sendConfirmation(), {
    onSuccess: ({ sent }) => show(t(sent ? "account.confirmationSent" : "common.noMail")),
  });
  return (
    <Panel title={t("account.email")}>
      <p className="theirs flex flex-wrap items-center gap-2">
        <span className="font-semibold">{me?.email}</span>
        {security && (canConfirm || security.emailVerified) && (
          <Badge good={security.emailVerified}>
            {t(security.emailVerified ? "account.verified" : "account.unverified")}
          </Badge>
        )}
      </p>
      {security && canConfirm && !security.emailVerified && (
        <div className="flex flex-col items-start gap-3">
          <p className="text-soft">{t("account.unverifiedDescription")}</p>
          <Button onClick={() => sendConfirmation.mutate()} busy={sendConfirmation.isPending}>
            {t("account.resendConfirmation")}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function ChangeEmailPanel() {
  const { t } = useText();
  const { show } = useToasts();
  const { data: registration } = useQuery(registrationQuery(useApi()));
  const change = useAction(
    (api, values: FormValues) =>
      api.changeEmail({ email: values.email ?? "", password: passwordFrom(values) }),
    {
      inlineErrors: true,
      onSuccess: ({ sent }, { email = "" }) =>
        show(sent ? t("account.linkSent", { email }) : t("common.noMail")),
    },
  );
  const formError = useReauthError(change.error, ["email"]);
  // The address changes by a link in an email.
  if (registration?.sendsEmail === false)
    return <Panel title={t("account.changeEmail")} description={t("common.noMail")} />;
  return (
    <Panel title={t("account.changeEmail")} description={t("account.changeEmailDescription")}>
      <Form
        onSubmit={(values, form) => change.mutate(values, { onSuccess: () => form.reset() })}
        busy={change.isPending}
        error={formError}
        submitLabel={t("account.changeEmailSubmit")}
      >
        <Field
          name="email"
          type="email"
          label={t("account.newEmail")}
          maxLength={limits.email}
          autoComplete="email"
          required
          error={fieldErrorOf(formError, "email")}
        />
        <CurrentPasswordField error={formError} />
      </Form>
    </Panel>
  );
}

function PasswordPanel() {
  const { t } = useText();
  const queryClient = useQueryClient();
  const hasPassword = useHasPassword();
  const { show } = useToasts();
  const change = useAction(
    (api, { currentPassword = null, password = "" }: Record<string, string | null>) =>
      api.changePassword({ currentPassword, password: password ?? "" }),
    {
      inlineErrors: true,
      onSuccess: () => {
        show(t("account.passwordChanged"));
        return queryClient.invalidateQueries({ queryKey: ["account"] });
      },
    },
  );
  const formError = useReauthError(change.error, ["password"], "currentPassword");
  return (
    <Panel
      title={t(hasPassword ? "account.password" : "account.setPassword")}
      description={t("account.passwordDescription")}
    >
      <Form
        onSubmit={(values, form) => change.mutate(values, { onSuccess: () => form.reset() })}
        busy={change.isPending}
        error={formError}
        submitLabel={t("account.passwordSubmit")}
      >
        <CurrentPasswordField error={formError} name="currentPassword" />
        <PasswordField
          name="password"
          isNew
          label={t("account.newPassword")}
          error={fieldErrorOf(formError, "password")}
        />
      </Form>
    </Panel>
  );
}
