import type { AnyInvitation } from "@tandem/contract/registration";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { adminKey, allInvitationsQuery } from "../../data/admin.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { LocalName } from "../../ui/local-name.tsx";
import { EmptyState, SkeletonCards } from "../../ui/states.tsx";
import { AdminPage } from "./layout.tsx";

/** Everyone's invitations. */
export function InvitationsPage() {
  const { t } = useText();
  const list = useInfiniteQuery(allInvitationsQuery(useApi()));
  const invitations = list.data?.pages.flatMap((page) => page.invitations) ?? [];
  return (
    <AdminPage
      section="invitations"
      actions={<ButtonLink to="/settings/invitations">{t("admin.invite")}</ButtonLink>}
    >
      {list.isPending && <SkeletonCards />}
      {list.isSuccess && invitations.length === 0 && (
        <EmptyState drawing="people" title={t("admin.noInvitations")}>
          {t("admin.noInvitationsDescription")}
        </EmptyState>
      )}
      <ul className="card-flush overflow-hidden empty:hidden">
        {invitations.map((invitation) => (
          <InvitationItem key={invitation.id} {...invitation} />
        ))}
      </ul>
      <LoadMore list={list} />
    </AdminPage>
  );
}

function InvitationItem({ id, createdBy, createdByDisplayName, uses, used, expiresAt }: AnyInvitation) {
  const { t, locale } = useText();
  const queryClient = useQueryClient();
  const revoke = useAction((api) => api.revokeInvitation({ id }), {
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: adminKey }),
  });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-3 last:border-b-0">
      {createdBy === null ? (
        <span className="font-semibold">{t("admin.commandLine")}</span>
      ) : (
        <LocalName username={createdBy} displayName={createdByDisplayName} />
      )}
      <span className="text-sm text-soft">
        {t("admin.invitationState", { used, uses, date: date.format(Date.parse(expiresAt)) })}
      </span>
      <Button
        size="small"
        className="ms-auto"
        aria-label={t("admin.revokeInvitationOf", { name: createdBy ?? t("admin.commandLine") })}
        onClick={() => revoke.mutate()}
        busy={revoke.isPending}
      >
        {t("admin.revokeInvitation")}
      </Button>
    </li>
  );
}
