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
    <li className={`border-b px-4 py-2.5 text-sm last:border-b-0 ${undone ? "text-soft line-through" : ""}`}>
      <div className="flex items-baseline gap-x-3">
        <p className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
          <AgentName username={username} className="max-w-full" />
          <span>{asked ?? label}</span>
          {named !== null && <span className="theirs min-w-0">{named}</span>}
          {approval && <span className="text-soft">{t("agents.approval", { state: approval.state })}</span>}
          {signer !== null && (
            <span className="wrap-anywhere text-soft">{t("agents.signedBy", { signer })}</span>
          )}
          {undone && <span className="sr-only">{t("agents.undone")}</span>}
        </p>
        <span className="flex max-w-1/2 shrink-0 gap-2 text-soft">
          {key && <span className="theirs-line max-sm:hidden">{key.name}</span>}
          <Time at={createdAt} className="shrink-0" />
        </span>
      </div>
      {post && (
        <p className="flex min-w-0 items-center gap-2">
          <Link
            to={postAddress(post.id)}
            hash={commentId === null ? undefined : `comment-${commentId}`}
            className="theirs-line min-h-6 min-w-0 leading-6 underline"
          >
            {post.title || post.excerpt || t("card.withoutTitle")}
          </Link>
          <ProvenanceBadge {...post} short />
        </p>
      )}
    </li>
  );
}
