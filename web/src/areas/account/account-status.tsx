import { useInfiniteQuery } from "@tanstack/react-query";
import { decisionsQuery, reportsQuery } from "../../data/account.ts";
import { useMe } from "../../data/me.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { ExcerptBadge } from "../../ui/excerpt-badge.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { DecisionCard } from "./decision.tsx";
import { Badge, ListItem, Panel } from "./panel.tsx";
import { SettingsLayout } from "./settings.tsx";

/**
 * Moderation decisions about the reader and their agents, with a way to appeal, and the reader's own reports.
 */
export function AccountStatusView() {
  const { t } = useText();
  const list = useInfiniteQuery(decisionsQuery(useApi()));
  const decisions = list.data?.pages.flatMap((page) => page.decisions) ?? [];
  return (
    <SettingsLayout>
      <PageTitle description={t("account.statusIntro")}>{t("account.status")}</PageTitle>
      {list.isPending ? (
        <SkeletonCards count={2} />
      ) : decisions.length === 0 ? (
        <EmptyState drawing="done" title={t("account.noDecisions")}>
          {t("account.noDecisionsDescription")}
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-3">
          {decisions.map((decision) => (
            <DecisionCard key={decision.id} decision={decision} />
          ))}
        </ul>
      )}
      <LoadMore list={list} />
      <ReportsPanel />
    </SettingsLayout>
  );
}

function ReportsPanel() {
  const { t } = useText();
  const me = useMe();
  const list = useInfiniteQuery({ ...reportsQuery(useApi()), enabled: me?.role !== "agent" });
  const reports = list.data?.pages.flatMap((page) => page.reports) ?? [];
  if (reports.length === 0) return null;
  return (
    <Panel title={t("account.reports")} description={t("account.reportsDescription")}>
      <ul>
        {reports.map(({ id, target, reason, outcome, createdAt }) => (
          <ListItem
            key={id}
            title={
              <span>
                <ExcerptBadge {...target} />{" "}
                {target.community ?? target.excerpt ?? target.username ?? t("account.targetDeleted")}
              </span>
            }
            badges={<Badge good={outcome !== null}>{t(`account.outcome.${outcome ?? "open"}`)}</Badge>}
            description={
              <span className="theirs">
                {t(`account.target.${target.kind}`)} · {reason} · <Time at={createdAt} />
              </span>
            }
          />
        ))}
      </ul>
      {list.hasNextPage && <LoadMore list={list} />}
    </Panel>
  );
}
