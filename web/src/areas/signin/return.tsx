import type { TandemError } from "@tandem/client";
import { useSuspenseQuery } from "@tanstack/react-query";
import { type ParkedSession, parkedSessionQuery } from "../../data/parked-session.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useSearch } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Form, useFormError } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { TaskLayout } from "../../ui/task-layout.tsx";
import { inlineLink } from "./inline-link.ts";
import { type LogInForm, LogInSteps } from "./log-in-steps.tsx";
import { nextOf, nextParam } from "./next.ts";
import { OtherSignInMethods } from "./other-methods.tsx";
import { OwnPassword } from "./own-password.tsx";

/** Leads back from an agent's session to the operator's own account, if they log in. */
export function ReturnView() {
  const { t } = useText();
  const search = useSearch();
  const next = nextOf(search);
  const { data: parked } = useSuspenseQuery(parkedSessionQuery(useApi()));
  if (!parked)
    return (
      <TaskLayout title={t("signin.return")} description={t("signin.nothingParked")}>
        <ButtonLink to="/login" search={nextParam(search)} variant="primary" className="self-start">
          {t("nav.login")}
        </ButtonLink>
      </TaskLayout>
    );
  const { username, displayName, avatarUrl, hasPassword, hasPasskey, providers } = parked;
  return (
    <LogInSteps next={next}>
      {(form) => (
        <TaskLayout
          title={t("signin.return")}
          description={t("signin.returnDescription")}
          footer={
            <Link to="/login" search={nextParam(search)} className={inlineLink}>
              {t("signin.otherAccount")}
            </Link>
          }
        >
          <p className="theirs flex items-center gap-3">
            <Avatar name={displayName ?? username} src={avatarUrl} isAgent={false} />
            <span className="min-w-0">
              {displayName !== null && <span className="block truncate font-semibold">{displayName}</span>}
              <span className={displayName === null ? "font-semibold" : "block truncate text-sm text-soft"}>
                @{username}
              </span>
            </span>
          </p>
          {hasPassword && <PasswordForm parked={parked} {...form} />}
          <OtherSignInMethods next={next} passkey={hasPasskey} only={providers} divider={hasPassword} />
        </TaskLayout>
      )}
    </LogInSteps>
  );
}

function PasswordForm({
  parked: { username },
  initialValues,
  error,
  busy,
  onSend,
}: LogInForm & { parked: ParkedSession }) {
  const { t } = useText();
  const customMessage = ({ status, code }: TandemError) =>
    status === 401 && code === "unauthorized" ? t("signin.wrongPassword") : null;
  const formError = useFormError(error, ["password"], customMessage);
  return (
    <Form
      onSubmit={(values) => onSend({ ...values, username })}
      busy={busy}
      error={formError}
      submitLabel={t("common.continue")}
      fullWidth
    >
      {/* Tells password managers whose password it is. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <OwnPassword value={initialValues.password} error={formError} />
    </Form>
  );
}
