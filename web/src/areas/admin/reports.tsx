import { limits } from "@tandem/contract/limits";
import type { ReportCase } from "@tandem/contract/moderation";
import { targetKinds } from "@tandem/contract/moderation-names";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { casesQuery } from "../../data/admin.ts";
import { useText } from "../../i18n/use-text.tsx";
import { ReportReasons } from "../../posts/report-reasons.tsx";
import { useSearch } from "../../router/provider.tsx";
import { communityAddress, postAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import { AgentBadge } from "../../ui/agent-badge.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { CommunityPicture } from "../../ui/community-picture.tsx";
import { ExcerptBadge } from "../../ui/excerpt-badge.tsx";
import { Link } from "../../ui/link.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { LocalName } from "../../ui/local-name.tsx";
import { EmptyState, SkeletonCards } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { BannerThumbnail } from "./banner-thumbnail.tsx";
import { AdminPage, Filter } from "./layout.tsx";
import { ResolveButtons } from "./resolve-buttons.tsx";

/** Report cases, one per reported item. Several can be resolved together. */
export function ReportsPage() {
  const { t } = useText();
  const search = useSearch();
  const list = useInfiniteQuery(casesQuery(useApi(), search));
  const cases = list.data?.pages.flatMap((page) => page.cases) ?? [];
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<number>>(new Set());
  const selectedCases = cases.filter(({ id }) => selectedIds.has(id));
  const toggle = (id: number, isOn: boolean) =>
    setSelectedIds((now) => new Set(isOn ? [...now, id] : [...now].filter((other) => other !== id)));
  return (
    <AdminPage section="reports">
      <div className="mb-3 flex flex-wrap gap-3 px-4 sm:px-0">
        <Filter
          to="/admin/reports"
          label={t("admin.state")}
          name="state"
          selected={search.state}
          search={{ kind: search.kind, for: search.for }}
          values={{ "": t("admin.open"), resolved: t("admin.resolved") }}
        />
        <Filter
          to="/admin/reports"
          label={t("admin.reportsFor")}
          name="for"
          selected={search.for}
          search={{ state: search.state, kind: search.kind }}
          values={{ "": t("admin.all"), admins: t("admin.forAdmins") }}
        />
        <Filter
          to="/admin/reports"
          label={t("admin.kind")}
          name="kind"
          selected={search.kind}
          search={{ state: search.state, for: search.for }}
          values={{
            "": t("admin.all"),
            ...Object.fromEntries(targetKinds.map((kind) => [kind, t(`admin.kind.${kind}`)])),
          }}
        />
      </div>
      {list.isPending && <SkeletonCards />}
      {list.isSuccess && cases.length === 0 && (
        <EmptyState title={t("admin.noReports")} drawing="done">
          {t("admin.noReportsDescription")}
        </EmptyState>
      )}
      <ul className="flex flex-col gap-3">
        {cases.map((reportCase) => (
          <CaseCard
            key={reportCase.id}
            reportCase={reportCase}
            isSelected={selectedIds.has(reportCase.id)}
            onSelect={(isOn) => toggle(reportCase.id, isOn)}
          />
        ))}
      </ul>
      <LoadMore list={list} />
      {selectedCases.length > 0 && (
        <ResolveBar cases={selectedCases} onDone={() => setSelectedIds(new Set())} />
      )}
    </AdminPage>
  );
}

function CaseCard({
  reportCase,
  isSelected,
  onSelect,
}: {
  reportCase: ReportCase;
  isSelected: boolean;
  onSelect(isOn: boolean): void;
}) {
  const { t, locale } = useText();
  const { id, target, held, reportCount, reasons, pastDecisions, state, outcome, newestAt } = reportCase;
  const reporters = reportCase.reporters.map((username, i) =>
    fullName(username, reportCase.reporterDisplayNames[i]),
  );
  const { community, communityOutcome, illegal } = reportCase;
  const owner = target.username && fullName(target.username, target.displayName);
  const name = (target.kind === "account" && owner) || (target.excerpt ?? owner ?? String(id));
  const text = (
    <>
      <ExcerptBadge {...target} /> {target.excerpt ?? t("admin.deleted")}
    </>
  );
  return (
    <li className="card-flush flex gap-3 p-4">
      {state === "open" && (
        <input
          type="checkbox"
          className="mt-0.5 size-6 shrink-0"
          aria-label={t("admin.select", { name })}
          checked={isSelected}
          onChange={(event) => onSelect(event.target.checked)}
        />
      )}
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-soft">
          <span className="font-semibold text-ink">{t(`admin.kind.${target.kind}`)}</span>
          {target.username && (
            <Link
              to="/admin/users"
              search={{ q: target.username }}
              className="inline-flex min-w-0 leading-6 hover:underline"
            >
              <LocalName username={target.username} displayName={target.displayName} />
            </Link>
          )}
          {target.isAgent && <AgentBadge />}
          <Time at={newestAt} />
          {held && (
            <span className="rounded-full bg-person-soft px-2 text-xs font-semibold text-person">
              {t("admin.heldForReview")}
            </span>
          )}
          {outcome && (
            <span className="rounded-full bg-sunken px-2 text-xs font-semibold">
              {t(`admin.outcome.${outcome}`)}
            </span>
          )}
          {illegal && (
            <span className="rounded-full bg-danger-soft px-2 text-xs font-semibold text-danger">
              {t("admin.illegal")}
            </span>
          )}
        </p>
        {community && (
          <p className="text-sm text-soft">
            <Link
              to={communityAddress(community)}
              className="theirs inline-block min-h-6 leading-6 underline"
            >
              {t("admin.inCommunity", { community })}
            </Link>{" "}
            {communityOutcome && t(`admin.communityOutcome.${communityOutcome}`)}
          </p>
        )}
        {target.community && (
          <p className="mt-2 flex items-center gap-3">
            <CommunityPicture community={target} />
            <Link
              to={communityAddress(target.community)}
              className="theirs inline-block min-h-6 leading-6 font-semibold underline"
            >
              {target.community}
            </Link>
          </p>
        )}
        {target.kind === "account" && <ReportedPictures target={target} />}
        <p className="theirs mt-1 line-clamp-3">
          {target.postId !== null ? (
            <Link
              to={postAddress(target.postId)}
              hash={target.kind === "comment" ? `comment-${target.id}` : undefined}
              className="theirs line-clamp-3 min-h-6 hover:underline"
            >
              {text}
            </Link>
          ) : (
            text
          )}
        </p>
        <ReportReasons reasons={reasons} notes={reportCase.notes} reporters={reporters} />
        <p className="theirs mt-2 text-sm text-soft">
          {t("admin.reportedBy", {
            count: reportCount,
            names: new Intl.ListFormat(locale).format([...new Set(reporters)]),
          })}
        </p>
        {target.username && (
          <p className="mt-1 text-sm text-soft">
            {pastDecisions.length === 0 ? t("admin.noPastDecisions") : t("admin.pastDecisions")}{" "}
            {pastDecisions.map(({ id, act, undone, createdAt }, index) => (
              <span key={id}>
                {index > 0 && " · "}
                <span className={undone ? "line-through" : "font-semibold text-ink"}>
                  {t(`admin.act.${act}`)}
                </span>{" "}
                {undone && `(${t("admin.reversed")}) `}
                <Time at={createdAt} />
              </span>
            ))}
          </p>
        )}
        {state === "open" && (
          <div className="mt-3 flex flex-wrap gap-2">
            <ResolveButtons cases={[reportCase]} name={name} onDone={() => onSelect(false)} />
          </div>
        )}
      </div>
    </li>
  );
}

/** What an account shows, so that no one has to open its profile to decide. */
function ReportedPictures({
  target: { username, displayName, isAgent, avatarUrl, bannerUrl },
}: Pick<ReportCase, "target">) {
  if (avatarUrl === null && bannerUrl === null) return null;
  return (
    <p className="mt-2 flex items-center gap-3">
      {avatarUrl !== null && (
        <Avatar name={displayName ?? username ?? ""} src={avatarUrl} isAgent={isAgent} size="large" />
      )}
      {bannerUrl !== null && <BannerThumbnail src={bannerUrl} />}
    </p>
  );
}

/** Resolves all selected cases in one request, which succeeds or fails as a whole. */
function ResolveBar({ cases, onDone }: { cases: readonly ReportCase[]; onDone(): void }) {
  const { t } = useText();
  const isTooMany = cases.length > limits.casesAtOnce;
  return (
    <div className="sticky bottom-16 z-20 mt-4 flex flex-wrap items-center gap-2 rounded-card border border-edge bg-raised p-3 shadow-raised rail:bottom-4">
      <span className="me-auto font-semibold" aria-live="polite">
        {isTooMany
          ? t("admin.tooMany", { most: limits.casesAtOnce })
          : t("admin.selectedCount", { count: cases.length })}
      </span>
      <ResolveButtons cases={cases} disabled={isTooMany} onDone={onDone} />
    </div>
  );
}
