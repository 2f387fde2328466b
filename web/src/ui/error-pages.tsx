import { TandemError } from "@tandem/client";
import { errorMessage } from "../data/error-messages.ts";
import { useText } from "../i18n/use-text.tsx";
import type { ErrorViewProps } from "../router/error-boundary.tsx";
import { useAddress, useRouter } from "../router/provider.tsx";
import { NotFound } from "../shared/page.ts";
import { Button, ButtonLink } from "./button.tsx";
import { EmptyState } from "./states.tsx";

/** The 404 page. */
export function NotFoundPage() {
  const { t } = useText();
  return (
    <EmptyState isPage title={t("frame.notFound")} action={<ButtonLink to="/">{t("frame.home")}</ButtonLink>}>
      {t("frame.notFoundDescription")}
    </EmptyState>
  );
}

/** The page for errors while loading, with a way to retry. */
export function ErrorPage({ error, reset }: ErrorViewProps) {
  const { t } = useText();
  const router = useRouter();
  if (error instanceof NotFound) return <NotFoundPage />;
  if (error instanceof TandemError && error.code === "unauthorized")
    return <SignInPrompt requiredRole="members" />;
  const retry = () => {
    reset?.();
    void router.reload();
  };
  const isFinal = error instanceof TandemError && error.code === "agent_forbidden";
  const action = !isFinal && <Button onClick={retry}>{t("common.retry")}</Button>;
  return (
    <EmptyState isPage title={t("frame.loadFailed")} action={action}>
      {errorMessage(error, t)}
    </EmptyState>
  );
}

/** Shown when a page needs an account, or an admin. */
export function SignInPrompt({ requiredRole }: { requiredRole: "members" | "admins" }) {
  const { t } = useText();
  const back = useAddress().href;
  if (requiredRole === "admins")
    return (
      <EmptyState isPage title={t("frame.adminsOnly")}>
        {t("frame.adminsOnlyDescription")}
      </EmptyState>
    );
  return (
    <EmptyState
      isPage
      title={t("frame.membersOnly")}
      action={
        <div className="flex gap-2">
          <ButtonLink to="/signup" search={{ next: back }} variant="primary">
            {t("nav.signup")}
          </ButtonLink>
          <ButtonLink to="/login" search={{ next: back }}>
            {t("nav.login")}
          </ButtonLink>
        </div>
      }
    >
      {t("frame.membersOnlyDescription")}
    </EmptyState>
  );
}
