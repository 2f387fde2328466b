import { isEngagement } from "@tandem/contract/approval";
import type { Draft } from "@tandem/contract/drafts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { invalidateAgents, pendingDraftsQuery } from "../../data/agents.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { Time } from "../../ui/time.tsx";
import { DraftActions } from "../composer/draft-actions.tsx";
import { DraftDetails } from "../composer/draft-details.tsx";
import { draftName } from "../composer/draft-name.ts";
import { goneOf } from "../composer/gone.ts";
import { AgentName } from "./agent-name.tsx";

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
      <ApproveWithoutText drafts={visible.filter(canApproveUnread)} />
      <ul className="flex flex-col gap-3">
        {visible.map((draft) => (
          <PendingDraft key={draft.id} draft={draft} />
        ))}
      </ul>
    </section>
  );
}

/** What has no text to read. If what it is about is gone, approving fails. */
const canApproveUnread = (draft: Draft) => isEngagement(draft.operation) && goneOf(draft, null) === null;

/** A button that approves all likes, reposts, votes, follows and memberships: they have no text to read. */
function ApproveWithoutText({ drafts }: { drafts: readonly Draft[] }) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const approve = useAction(
    async (api) => {
      const failures: unknown[] = [];
      // In the order in which they were asked for, and one after the other: at once, they would wait for each other in the database.
      for (const { id } of drafts.toReversed())
        await api.approveDraft({ id }).catch((error) => failures.push(error));
      invalidateAgents(queryClient);
      if (failures.length > 0) throw failures[0];
    },
    { onSuccess: () => show(t("composer.approved")) },
  );
  if (drafts.length < 2) return null;
  return (
    <Button
      size="small"
      className="mb-3 max-sm:mx-4"
      busy={approve.isPending}
      onClick={() => approve.mutate()}
    >
      {t("agents.approveWithoutText", { count: drafts.length })}
    </Button>
  );
}

function PendingDraft({ draft }: { draft: Draft }) {
  const { t } = useText();
  const { author, operation, createdAt } = draft;
  return (
    <li className="card-flush flex flex-col gap-2 p-4">
      <p className="flex flex-wrap items-center gap-2 text-sm text-soft">
        <AgentName username={author} />
        {t(`agents.request.${operation}`)}
        <Time at={createdAt} />
      </p>
      <DraftDetails draft={draft} />
      <DraftActions draft={draft} name={draftName(draft)} />
    </li>
  );
}
