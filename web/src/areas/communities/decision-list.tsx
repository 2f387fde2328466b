import type { CommunityDecision } from "@tandem/contract/moderation";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { communityDecisionsQuery } from "../../data/communities.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { ExcerptBadge } from "../../ui/excerpt-badge.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { LocalName } from "../../ui/local-name.tsx";
import { CardList } from "../../ui/person-row.tsx";
import { EmptyState, SkeletonCards } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";

/** What the community's moderators removed, and which accounts they banned. What they removed can be restored. */
export function DecisionList({ name }: { name: string }) {
  const { t } = useText();
  const list = useInfiniteQuery(communityDecisionsQuery(useApi(), name));
  if (list.isPending) return <SkeletonCards count={2} />;
  const decisions = list.data?.pages.flatMap((page) => page.decisions) ?? [];
  if (decisions.length === 0) return <EmptyState drawing="done" title={t("communities.noDecisions")} />;
  return (
    <>
      <CardList label={t("communities.decisions")}>
        {decisions.map((decision) => (
          <DecisionRow key={decision.id} name={name} decision={decision} />
        ))}
      </CardList>
      <LoadMore list={list} />
    </>
  );
}

function DecisionRow({ name, decision }: { name: string; decision: CommunityDecision }) {
  const { t } = useText();
  const { act, username, displayName, excerpt, reason, stands, createdAt } = decision;
  const isRemoval = act !== "community_ban";
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap gap-x-2 text-sm text-soft">
          <span className="font-semibold text-ink">{t(`communities.act.${act}`)}</span>
          {username && <LocalName username={username} displayName={displayName} />}
          <Time at={createdAt} />
          {!stands && <span>{t("communities.ended")}</span>}
        </p>
        {isRemoval && (
          <p className="theirs line-clamp-2">
            <ExcerptBadge {...decision} /> {excerpt}
          </p>
        )}
        <p className="theirs text-sm text-soft">{reason}</p>
      </div>
      {isRemoval && stands && <RestoreButton name={name} decision={decision} />}
    </li>
  );
}

function RestoreButton({
  name,
  decision: { postId, commentId, excerpt },
}: {
  name: string;
  decision: CommunityDecision;
}) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const restore = useAction(
    (api) =>
      commentId === null
        ? api.restoreCommunityPost({ name, id: postId ?? 0 })
        : api.restoreCommunityComment({ name, id: commentId }),
    {
      onSuccess: () => {
        show(t("communities.restored"));
        void queryClient.invalidateQueries({ queryKey: ["posts"] });
        return queryClient.invalidateQueries({ queryKey: ["communities"] });
      },
    },
  );
  return (
    <Button
      size="small"
      busy={restore.isPending}
      aria-label={`${t("communities.restore")}: ${excerpt}`}
      onClick={() => restore.mutate()}
    >
      {t("communities.restore")}
    </Button>
  );
}
