import { limits } from "@tandem/contract/limits";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { securityQuery } from "../../data/account.ts";
import { useMe } from "../../data/me.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type FormValues, faultOf } from "../../ui/form.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { OwnerField, passwordIn, useHasPassword, useOwnerFault } from "./current-password.tsx";
import { Mark, Panel } from "./panel.tsx";

/** By what an account is found again: its address and its password. */
export function AccountSection() {
  return (
    <>
      <Address />
      <ChangeAddress />
      <Password />
    </>
  );
}

function Address() {
  const { t } = useText();
  const me = useMe();
  const { show } = useToasts();
  const { data: security } = useQuery(securityQuery(useApi()));
  const send = useAction((api) => api.sendConfirmation(), {
    onSuccess: ({ sent }) => show(t(sent ? "account.confirmationSent" : "account.noMail")),
  });
  return (
    <Panel title={t("account.email")}>
      <p className="theirs flex flex-wrap items-center gap-2">
        <span className="font-semibold">{me?.email}</span>
        {security && (
          <Mark good={security.emailVerified}>
            {t(security.emailVerified ? "account.verified" : "account.unverified")}
          </Mark>
        )}
      </p>
      {security && !security.emailVerified && (
        <div className="flex flex-col items-start gap-3">
          <p className="text-soft">{t("account.unverifiedSays")}</p>
          <Button onClick={() => send.mutate()} busy={send.isPending}>
            {t("account.sendConfirmation")}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function ChangeAddress() {
  const { t } = useText();
  const { show } = useToasts();
  const change = useAction(
    (api, values: FormValues) => api.changeEmail({ email: values.email ?? "", password: passwordIn(values) }),
    {
      inlineErrors: true,
      onSuccess: ({ sent }, { email = "" }) =>
        show(sent ? t("account.linkSent", { email }) : t("account.noMail")),
    },
  );
  const fault = useOwnerFault(change.error, ["email"]);
  return (
    <Panel title={t("account.changeEmail")} says={t("account.changeEmailSays")}>
      <Form
        onSend={(values, form) => change.mutate(values, { onSuccess: () => form.reset() })}
        busy={change.isPending}
        fault={fault}
        button={t("account.changeEmailPress")}
      >
        <Field
          name="email"
          type="email"
          label={t("account.newEmail")}
          maxLength={limits.email}
          autoComplete="email"
          required
          error={faultOf(fault, "email")}
        />
        <OwnerField fault={fault} />
      </Form>
    </Panel>
  );
}

function Password() {
  const { t } = useText();
  const queryClient = useQueryClient();
  const has = useHasPassword();
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
  const fault = useOwnerFault(change.error, ["password"], "currentPassword");
  return (
    <Panel title={t(has ? "account.password" : "account.firstPassword")} says={t("account.passwordSays")}>
      <Form
        onSend={(values, form) => change.mutate(values, { onSuccess: () => form.reset() })}
        busy={change.isPending}
        fault={fault}
        button={t("account.passwordPress")}
      >
        <OwnerField fault={fault} name="currentPassword" />
        <PasswordField
          name="password"
          isNew
          label={t("account.newPassword")}
          error={faultOf(fault, "password")}
        />
      </Form>
    </Panel>
  );
}
