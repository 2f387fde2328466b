import type { Draft } from "@tandem/contract/drafts";
import { useQuery } from "@tanstack/react-query";
import { pendingDraftsQuery } from "../../data/agents.ts";
import { useText } from "../../i18n/use-text.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { Link } from "../../ui/link.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { Time } from "../../ui/time.tsx";
import { DraftActions } from "../composer/draft-actions.tsx";
import { DraftChanges } from "../composer/draft-changes.tsx";
import { draftName } from "../composer/draft-name.ts";

/** What agents wrote and can't publish without approval. */
export function PendingDrafts({ author }: { author?: string }) {
  const { t } = useText();
  const { data: drafts = [] } = useQuery(pendingDraftsQuery(useApi()));
  const visible = author === undefined ? drafts : drafts.filter((draft) => draft.author === author);
  if (visible.length === 0) return null;
  return (
    <section className="mt-8" aria-labelledby="waiting">
      <h2 id="waiting" className="mb-2 px-4 text-lg font-bold sm:px-0">
        {t("agents.approvalsWaiting", { count: visible.length })}
      </h2>
      <ul className="flex flex-col gap-3">
        {visible.map((draft) => (
          <PendingDraft key={draft.id} draft={draft} />
        ))}
      </ul>
    </section>
  );
}

function PendingDraft({ draft }: { draft: Draft }) {
  const { t } = useText();
  const { author, operation, postId, createdAt } = draft;
  return (
    <li className="card-flush flex flex-col gap-2 p-4">
      <p className="flex flex-wrap items-center gap-2 text-sm text-soft">
        <span className="theirs font-semibold text-ink">@{author}</span>
        {t(`agents.request.${operation}`)}
        {postId !== null && (
          <Link to={postAddress(postId)} className="underline">
            {t("agents.viewPost")}
          </Link>
        )}
        <ProvenanceBadge provenance="ai_generated" provenanceBasis="stamped" />
        <Time at={createdAt} />
      </p>
      <DraftChanges draft={draft} />
      <DraftActions draft={draft} name={draftName(draft)} />
    </li>
  );
}
