import type { CommunityCase } from "@tandem/contract/moderation";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { communityCasesQuery } from "../../data/communities.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { LazyModerationDialog } from "../../posts/lazy-moderation-dialog.tsx";
import type { ModerationInput } from "../../posts/moderation-dialog.tsx";
import { ReportReasons } from "../../posts/report-reasons.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import { AgentBadge } from "../../ui/agent-badge.tsx";
import { Button } from "../../ui/button.tsx";
import { AccountLink } from "../../ui/byline.tsx";
import { ExcerptBadge } from "../../ui/excerpt-badge.tsx";
import { Link } from "../../ui/link.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { EmptyState, SkeletonCards } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";

export const OpenReports = ({ name }: { name: string }) => <ReportQueue name={name} state="open" />;
export const ResolvedReports = ({ name }: { name: string }) => <ReportQueue name={name} state="resolved" />;

/** What was reported in the community, one case per post or comment. */
function ReportQueue({ name, state }: { name: string; state: "open" | "resolved" }) {
  const { t } = useText();
  const list = useInfiniteQuery(communityCasesQuery(useApi(), name, state));
  if (list.isPending) return <SkeletonCards count={2} />;
  const cases = list.data?.pages.flatMap((page) => page.cases) ?? [];
  if (cases.length === 0)
    return (
      <EmptyState
        drawing="done"
        title={t(state === "open" ? "communities.noReports" : "communities.noneResolved")}
      />
    );
  return (
    <>
      <ul className="flex flex-col gap-3">
        {cases.map((reportCase) => (
          <CaseCard key={reportCase.id} name={name} reportCase={reportCase} />
        ))}
      </ul>
      <LoadMore list={list} />
    </>
  );
}

const badge = "rounded-full px-2 text-xs font-semibold";

function CaseCard({ name, reportCase }: { name: string; reportCase: CommunityCase }) {
  const { t } = useText();
  const { target, held, reportCount, reasons, notes, illegal, forAdmins, state, outcome, newestAt } =
    reportCase;
  const text = (
    <>
      <ExcerptBadge {...target} /> {target.excerpt ?? t("communities.deleted")}
    </>
  );
  return (
    <li className="card-flush p-4">
      <p className="flex flex-wrap items-center gap-x-2 text-sm text-soft">
        <span className="font-semibold text-ink">
          {t(target.kind === "comment" ? "communities.comment" : "communities.aPost")}
        </span>
        {target.username && (
          <AccountLink
            account={{
              ...{ platform: "native", author: target.username },
              authorName: target.displayName ?? undefined,
            }}
          />
        )}
        {target.isAgent && <AgentBadge />}
        <Time at={newestAt} />
        <span>{t("communities.reportCount", { count: reportCount })}</span>
        {held && <span className={`${badge} bg-person-soft text-person`}>{t("communities.held")}</span>}
        {outcome && <span className={`${badge} bg-sunken`}>{t(`communities.outcome.${outcome}`)}</span>}
      </p>
      <p className="theirs mt-1 line-clamp-3">
        {target.postId === null ? (
          text
        ) : (
          <Link
            to={postAddress(target.postId)}
            hash={target.kind === "comment" ? `comment-${target.id}` : undefined}
            className="theirs line-clamp-3 min-h-6 hover:underline"
          >
            {text}
          </Link>
        )}
      </p>
      <ReportReasons reasons={reasons} notes={notes} />
      {(illegal || forAdmins) && (
        <p className="mt-2 text-sm text-soft">
          {t(illegal ? "communities.illegal" : "communities.forAdmins")}
        </p>
      )}
      {state === "open" && <ResolveButtons name={name} reportCase={reportCase} />}
    </li>
  );
}

type Action = "dismiss" | "remove";

function ResolveButtons({ name, reportCase: { id, target } }: { name: string; reportCase: CommunityCase }) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const [action, setAction] = useState<Action | null>(null);
  const resolve = useAction(
    (api, { action, reason }: ModerationInput & { action: Action }) =>
      api.resolveCommunityReports({ name, ids: [id], action, reason }),
    {
      inlineErrors: true,
      onSuccess: (_, { done }) => {
        done();
        setAction(null);
        show(t("communities.caseResolved"));
        void queryClient.invalidateQueries({ queryKey: ["posts"] });
        void queryClient.invalidateQueries({ queryKey: ["communities"] });
      },
    },
  );
  const about =
    target.excerpt ?? (target.username ? fullName(target.username, target.displayName) : String(id));
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {(["dismiss", "remove"] as const).map((each) => (
        <Button
          key={each}
          size="small"
          {...(each === "remove" && { variant: "danger" })}
          aria-label={`${t(`communities.${each}`)}: ${about}`}
          onClick={() => setAction(each)}
        >
          {t(`communities.${each}`)}
        </Button>
      ))}
      {action && (
        <LazyModerationDialog
          draftKey={`community.${action}.${id}`}
          title={t(`communities.${action}Title`)}
          action={t(`communities.${action}`)}
          busy={resolve.isPending}
          error={resolve.error}
          onClose={() => setAction(null)}
          onSubmit={(input) => resolve.mutate({ ...input, action })}
        />
      )}
    </div>
  );
}
