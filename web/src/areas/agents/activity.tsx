import type { Activity as ActivityEntry } from "@tandem/contract/drafts";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { activityQuery, keysQuery } from "../../data/agents.ts";
import { useText } from "../../i18n/use-text.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { AgentName } from "./agent-name.tsx";

/** What one agent did, or all agents and the reader's own keys if `agentId` is null. */
export function Activity({ agentId }: { agentId: number | null }) {
  const { t } = useText();
  const list = useInfiniteQuery(activityQuery(useApi(), agentId));
  const entries = list.data?.pages.flatMap(({ activity }) => activity) ?? [];
  if (list.isPending) return <Skeleton className="h-40" />;
  if (entries.length === 0) return <p className="card-flush p-4 text-soft">{t("agents.noActivity")}</p>;
  return (
    <div className="card-flush overflow-hidden">
      <ol>
        {entries.map((entry) => (
          <ActivityRow key={entry.id} entry={entry} />
        ))}
      </ol>
      {list.hasNextPage && (
        <div className="border-t p-3 text-center">
          <Button size="small" busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            {t("common.more")}
          </Button>
        </div>
      )}
    </div>
  );
}

function ActivityRow({
  entry: {
    operation,
    approval,
    username,
    keyId,
    commentId,
    post,
    creator,
    community,
    tag,
    signer,
    undone,
    createdAt,
  },
}: {
  entry: ActivityEntry;
}) {
  const { t } = useText();
  const { data: keys = [] } = useQuery(keysQuery(useApi()));
  const key = keys.find(({ id }) => id === keyId);
  const named = creator ?? community ?? (tag === null ? null : `#${tag}`);
  // A test checks that all operations that can be here have a text.
  const label = t(`agents.action.${operation as "createPost"}`);
  // What an approval performed is listed as itself.
  const asked =
    approval && approval.operation !== operation
      ? t("agents.askedFor", { kind: t(`composer.kind.${approval.operation}`) })
      : null;
  return (
    <li
      className={`flex items-baseline gap-x-2 border-b max-sm:flex-wrap px-4 py-2.5 text-sm last:border-b-0 ${undone ? "text-soft line-through" : ""}`}
    >
      <AgentName username={username} className="max-w-2/5 shrink-0 max-sm:max-w-full" />
      <span className="shrink-0 max-sm:shrink">{asked ?? label}</span>
      {post && (
        <Link
          to={postAddress(post.id)}
          hash={commentId === null ? undefined : `comment-${commentId}`}
          className="theirs-line min-h-6 min-w-0 leading-6 underline"
        >
          {post.title || post.excerpt || t("card.withoutTitle")}
        </Link>
      )}
      {post && <ProvenanceBadge {...post} short />}
      {approval && (
        <span className="shrink-0 text-soft">{t("agents.approval", { state: approval.state })}</span>
      )}
      {named !== null && <span className="theirs-line min-w-0">{named}</span>}
      {signer !== null && <span className="wrap-anywhere text-soft">{t("agents.signedBy", { signer })}</span>}
      {undone && <span className="sr-only">{t("agents.undone")}</span>}
      <span className="ms-auto flex shrink-0 gap-2 text-soft">
        {key && <span className="theirs max-sm:hidden">{key.name}</span>}
        <Time at={createdAt} />
      </span>
    </li>
  );
}
