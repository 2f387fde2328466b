import { TandemError } from "@tandem/client";
import { errorMessage, isUnreachable } from "../data/error-messages.ts";
import { useMe } from "../data/me.ts";
import { useText } from "../i18n/use-text.tsx";
import type { ErrorViewProps } from "../router/error-boundary.tsx";
import { useAddress, useRouter } from "../router/provider.tsx";
import { type LogInTexts, NotFound } from "../shared/page.ts";
import type { RequiredRole } from "../shared/paths.ts";
import { Button, ButtonLink } from "./button.tsx";
import { lazyComponent } from "./lazy-component.tsx";
import { Link } from "./link.tsx";
import { EmptyState } from "./states.tsx";
import { useReconnect } from "./use-reconnect.ts";

const RemovedPost = lazyComponent(() => import("./removed-post.tsx"));
const LogOutButton = lazyComponent(async () => ({
  default: (await import("./log-out-button.tsx")).LogOutButton,
}));

/** The 404 page. */
export function NotFoundPage() {
  const { t } = useText();
  const me = useMe();
  const [, postId] = /^\/posts\/(\d+)$/.exec(useAddress().path) ?? [];
  return (
    <>
      <EmptyState
        drawing="lost"
        isPage
        title={t("frame.notFound")}
        action={<ButtonLink to="/">{t("frame.home")}</ButtonLink>}
      >
        {t("frame.notFoundDescription")}
      </EmptyState>
      {me && postId && <RemovedPost id={Number(postId)} />}
    </>
  );
}

/** The page for errors while loading, with a way to retry. After a lost connection, it retries by itself. */
export function ErrorPage({ error, reset }: ErrorViewProps) {
  const { t } = useText();
  const router = useRouter();
  // The whole document, because the server may have a newer version by now.
  useReconnect(isUnreachable(error), () => location.reload());
  if (error instanceof NotFound) return <NotFoundPage />;
  const code = error instanceof TandemError && error.code;
  if (code === "unauthorized") return <RolePrompt requiredRole="members" />;
  if (code === "agent_forbidden") return <RolePrompt requiredRole="people" />;
  const retry = () => {
    reset?.();
    void router.reload();
  };
  return (
    <EmptyState
      drawing="failed"
      isPage
      title={t("frame.loadFailed")}
      action={<Button onClick={retry}>{t("common.retry")}</Button>}
    >
      {errorMessage(error, t)}
    </EmptyState>
  );
}

/** Shown to readers without the role that a page requires, with the way to get it. */
export function RolePrompt({
  requiredRole,
  logIn,
}: {
  requiredRole: RequiredRole;
  /** Replaces the general words. */
  logIn?: LogInTexts | undefined;
}) {
  const { t } = useText();
  const back = useAddress().href;
  if (requiredRole === "admins")
    return (
      <EmptyState drawing="lock" isPage title={t("frame.adminsOnly")}>
        {t("frame.adminsOnlyDescription")}
      </EmptyState>
    );
  if (requiredRole === "people")
    return (
      <EmptyState drawing="lock" isPage title={t("frame.peopleOnly")} action={<LogOutButton next={back} />}>
        {t("error.agent_forbidden")}
      </EmptyState>
    );
  return (
    <EmptyState
      isPage
      drawing="lock"
      title={logIn?.title ?? t("frame.membersOnly")}
      action={
        <div className="flex gap-2">
          <ButtonLink to="/login" search={{ next: back }} variant="primary">
            {t("nav.login")}
          </ButtonLink>
          <ButtonLink to="/signup" search={{ next: back }}>
            {t("nav.signup")}
          </ButtonLink>
        </div>
      }
    >
      <p>{logIn?.description ?? t("frame.membersOnlyDescription")}</p>
      {logIn?.links && (
        <p className="mt-2 flex flex-wrap justify-center gap-x-4">
          {logIn.links.map(({ to, label }) => (
            <Link key={to} to={to} className="min-h-6 text-accent underline">
              {label}
            </Link>
          ))}
        </p>
      )}
    </EmptyState>
  );
}
