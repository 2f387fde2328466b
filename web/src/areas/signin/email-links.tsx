import type { AccountAccess, EndedAccess } from "@tandem/contract/account-resources";
import { limits } from "@tandem/contract/limits";
import { useSuspenseQuery } from "@tanstack/react-query";
import { CircleCheck, MailX } from "lucide-react";
import type { ReactNode } from "react";
import { useMe } from "../../data/me.ts";
import { registrationQuery } from "../../data/registration.ts";
import { useAction } from "../../data/use-action.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { AccessList, accessItems } from "../../ui/access-list.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Checkbox, Field } from "../../ui/field.tsx";
import { Form, type FormValues, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { TaskLayout } from "../../ui/task-layout.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { inlineLink } from "./inline-link.ts";
import { PasswordForm } from "./log-in.tsx";
import { LogInSteps } from "./log-in-steps.tsx";
import { OtherSignInMethods } from "./other-methods.tsx";

/**
 * The token in an emailed link. It is in the URL's hash, so opening the page sends it nowhere. Only a click
 * on the button does, because mail scanners follow links too.
 */
const tokenFromUrl = () => new URLSearchParams(location.hash.slice(1)).get("token") ?? "";

/**
 * Confirms an account's email address, if its user is logged in. Anyone else may own the address without having signed up: the
 * page offers them a password reset, which gives them the account.
 */
export function ConfirmView() {
  const me = useMe();
  return me ? <ConfirmForm /> : <LogInToConfirm />;
}

function LogInToConfirm() {
  const { t } = useText();
  // With a query, so that the browser loads the page again. Only the browser knows the hash.
  const next = useHydrated() ? `${location.pathname}?confirm=1${location.hash}` : "/";
  return (
    <LogInSteps next={next}>
      {(form) => (
        <TaskLayout
          title={t("signin.confirm")}
          description={t("signin.confirmLogIn")}
          footer={
            <RichText
              text="signin.notYourAccount"
              parts={{ reset: <Link to="/account/forgot" className={inlineLink} /> }}
            />
          }
        >
          <PasswordForm {...form} />
          <OtherSignInMethods next={next} passkey />
        </TaskLayout>
      )}
    </LogInSteps>
  );
}

function ConfirmForm() {
  const { t } = useText();
  const confirm = useAction((api) => api.confirmEmail({ token: tokenFromUrl() }), { inlineErrors: true });
  const formError = useFormError(confirm.error, [], (error) =>
    error.code === "unauthorized"
      ? t("signin.confirmOtherAccount")
      : invalidTokenMessage(t("error.invalid_token"))(error),
  );
  if (confirm.isSuccess)
    return (
      <Success title={t("signin.confirmed")} message={t("signin.confirmedDescription")}>
        <ButtonLink to="/" variant="primary">
          {t("frame.home")}
        </ButtonLink>
      </Success>
    );
  return (
    <TaskLayout title={t("signin.confirm")} description={t("signin.confirmDescription")}>
      <Form
        onSubmit={() => confirm.mutate()}
        busy={confirm.isPending}
        error={formError}
        submitLabel={t("signin.confirmSubmit")}
      />
    </TaskLayout>
  );
}

/** A malformed token gets the same message as an expired one. */
const invalidTokenMessage = (message: string) => (error: { field?: string | undefined }) =>
  error.field === "token" ? message : null;

/** Sets a new password. */
export function ResetView() {
  const { t } = useText();
  const reset = useAction(
    (api, { password = "", endAccess }: FormValues) =>
      api.resetPassword({ token: tokenFromUrl(), password, endAccess: endAccess !== undefined }),
    { inlineErrors: true },
  );
  const formError = useFormError(reset.error, ["password"], (error) =>
    error.code === "weak_password"
      ? t("signin.weakPassword")
      : invalidTokenMessage(t("error.invalid_token"))(error),
  );
  if (reset.isSuccess)
    return (
      <Success title={t("signin.resetDone")} message={t("signin.resetDoneDescription")}>
        <AccessAfterReset access={reset.data.access} ended={reset.data.ended} />
      </Success>
    );
  return (
    <TaskLayout title={t("signin.reset")} description={t("signin.resetDescription")}>
      <Form
        onSubmit={(values) => reset.mutate(values)}
        busy={reset.isPending}
        error={formError}
        submitLabel={t("signin.resetSubmit")}
      >
        <PasswordField
          name="password"
          isNew
          label={t("signin.newPassword")}
          error={fieldErrorOf(formError, "password")}
        />
        <Checkbox name="endAccess" label={t("signin.endAccess")} hint={t("signin.endAccessHint")} />
      </Form>
    </TaskLayout>
  );
}

/** What the reset ended, what still opens the account, and where to end that. */
function AccessAfterReset({ access, ended }: { access: AccountAccess; ended: EndedAccess | null }) {
  const { t } = useText();
  const remains = accessItems(access).length > 0;
  return (
    <>
      {ended && accessItems(ended).length > 0 && (
        <div className="mb-6 flex flex-col gap-2">
          <p>{t("signin.ended")}</p>
          <AccessList access={ended} text="signin.accessItem" />
        </div>
      )}
      {remains && (
        <div className="mb-6 flex flex-col gap-2">
          <p>{t("signin.stillOpens")}</p>
          <AccessList access={access} text="signin.accessItem" />
        </div>
      )}
      <ButtonLink to="/login" search={remains ? { next: "/settings/security" } : {}} variant="primary">
        {t(remains ? "signin.logInToEnd" : "nav.login")}
      </ButtonLink>
    </>
  );
}

/** Turns off a digest from the link in it, without logging in. */
export function DigestView() {
  const { t } = useText();
  const end = useAction((api) => api.endDigest({ token: tokenFromUrl() }), { inlineErrors: true });
  const formError = useFormError(end.error, [], invalidTokenMessage(t("signin.digestUnknown")));
  if (end.isSuccess)
    return (
      <Success title={t("signin.digestEnded")} message={t("signin.digestEndedDescription")}>
        <ButtonLink to="/settings/notifications">{t("nav.settings")}</ButtonLink>
      </Success>
    );
  return (
    <TaskLayout title={t("signin.digest")} description={t("signin.digestDescription")}>
      <Form
        onSubmit={() => end.mutate()}
        busy={end.isPending}
        error={formError}
        submitLabel={t("signin.digestSubmit")}
      />
    </TaskLayout>
  );
}

/** Sends a password reset link, if the server sends email. The response doesn't reveal whether the account exists. */
export function ForgotView() {
  const { t } = useText();
  const { data: registration } = useSuspenseQuery(registrationQuery(useApi()));
  const forgot = useAction((api, { email = "" }: FormValues) => api.forgotPassword({ email }), {
    inlineErrors: true,
  });
  const formError = useFormError(forgot.error, ["email"]);
  if (!registration.sendsEmail || forgot.data?.sendsEmail === false) return <NoMail />;
  if (forgot.isSuccess)
    return (
      <Success
        title={t("signin.sent")}
        message={t("signin.sentDescription", {
          email: forgot.variables.email ?? "",
          minutes: limits.resetMinutes,
        })}
      >
        <ButtonLink to="/login">{t("common.back")}</ButtonLink>
      </Success>
    );
  return (
    <TaskLayout title={t("signin.forgot")} description={t("signin.forgotDescription")}>
      <Form
        onSubmit={(values) => forgot.mutate(values)}
        busy={forgot.isPending}
        error={formError}
        submitLabel={t("signin.forgotSubmit")}
        secondaryAction={
          <ButtonLink to="/login" variant="quiet">
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
          error={fieldErrorOf(formError, "email")}
        />
      </Form>
    </TaskLayout>
  );
}

function NoMail() {
  const { t } = useText();
  return (
    <TaskLayout title={t("signin.forgot")}>
      <p role="status" className="flex gap-3">
        <MailX className="mt-0.5 size-5 shrink-0 text-danger" aria-hidden="true" />
        {t("common.noMail")}
      </p>
      <ButtonLink to="/login" className="self-start">
        {t("common.back")}
      </ButtonLink>
    </TaskLayout>
  );
}

/** The success message, announced to screen readers. */
function Success({ title, message, children }: { title: string; message: string; children: ReactNode }) {
  return (
    <div role="status">
      <TaskLayout
        title={title}
        description={
          <span className="flex items-start gap-2">
            <CircleCheck className="mt-0.5 size-5 shrink-0 text-accent" aria-hidden="true" />
            {message}
          </span>
        }
      />
      <div className="mx-auto mt-6 max-w-md px-4">{children}</div>
    </div>
  );
}
