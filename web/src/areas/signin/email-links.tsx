import { limits } from "@tandem/contract/limits";
import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type FormValues, faultOf, useFault } from "../../ui/form.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { Shell } from "./layout.tsx";

/**
 * Of the link in a letter. It stands behind the #, so it was sent to no server by opening the page; nor is it until a
 * button is pressed, for programs follow links, too.
 */
const tokenOfLink = () => new URLSearchParams(location.hash.slice(1)).get("token") ?? "";

/** An address is its owner's, by one press. */
export function ConfirmView() {
  const { t } = useText();
  const confirm = useAction((api) => api.confirmEmail({ token: tokenOfLink() }), { inlineErrors: true });
  const fault = useFault(confirm.error, [], badLink(t("error.invalid_token")));
  if (confirm.isSuccess)
    return (
      <Done title={t("signin.confirmed")} says={t("signin.confirmedSays")}>
        <ButtonLink to="/" look="primary">
          {t("frame.home")}
        </ButtonLink>
      </Done>
    );
  return (
    <Shell title={t("signin.confirm")} says={t("signin.confirmSays")}>
      <Form
        onSend={() => confirm.mutate()}
        busy={confirm.isPending}
        fault={fault}
        button={t("signin.confirmPress")}
      />
    </Shell>
  );
}

/** A token that makes no sense has the same way out as one that was used. */
const badLink = (says: string) => (error: { field?: string | undefined }) =>
  error.field === "token" ? says : null;

/** A new password in place of one that is forgotten. */
export function ResetView() {
  const { t } = useText();
  const reset = useAction(
    (api, { password = "" }: FormValues) => api.resetPassword({ token: tokenOfLink(), password }),
    { inlineErrors: true },
  );
  const fault = useFault(reset.error, ["password"], badLink(t("error.invalid_token")));
  if (reset.isSuccess)
    return (
      <Done title={t("signin.resetDone")} says={t("signin.resetDoneSays")}>
        <ButtonLink to="/login" look="primary">
          {t("nav.login")}
        </ButtonLink>
      </Done>
    );
  return (
    <Shell title={t("signin.reset")} says={t("signin.resetSays")}>
      <Form
        onSend={(values) => reset.mutate(values)}
        busy={reset.isPending}
        fault={fault}
        button={t("signin.resetPress")}
      >
        <PasswordField
          name="password"
          isNew
          label={t("signin.newPassword")}
          error={faultOf(fault, "password")}
        />
      </Form>
    </Shell>
  );
}

/** Has such a link sent. The answer tells nobody who has an account. */
export function ForgotView() {
  const { t } = useText();
  const forgot = useAction((api, { email = "" }: FormValues) => api.forgotPassword({ email }), {
    inlineErrors: true,
  });
  const fault = useFault(forgot.error, ["email"]);
  if (forgot.isSuccess)
    return (
      <Done
        title={t("signin.sent")}
        says={t("signin.sentSays", { email: forgot.variables.email ?? "", minutes: limits.resetMinutes })}
      >
        <ButtonLink to="/login">{t("common.back")}</ButtonLink>
      </Done>
    );
  return (
    <Shell title={t("signin.forgot")} says={t("signin.forgotSays")}>
      <Form
        onSend={(values) => forgot.mutate(values)}
        busy={forgot.isPending}
        fault={fault}
        button={t("signin.forgotPress")}
        beside={
          <ButtonLink to="/login" look="quiet">
            {t("common.back")}
          </ButtonLink>
        }
      >
        <Field
          name="email"
          type="email"
          label={t("signin.email")}
          maxLength={limits.email}
          autoComplete="email"
          required
          error={faultOf(fault, "email")}
        />
      </Form>
    </Shell>
  );
}

/** It worked. Told at once to who doesn't see that the page has changed. */
function Done({ title, says, children }: { title: string; says: string; children: ReactNode }) {
  return (
    <div role="status">
      <Shell
        title={title}
        says={
          <span className="flex items-start gap-2">
            <CircleCheck className="mt-0.5 size-5 shrink-0 text-accent" aria-hidden="true" />
            {says}
          </span>
        }
      />
      <div className="mx-auto mt-6 max-w-md px-4">{children}</div>
    </div>
  );
}
