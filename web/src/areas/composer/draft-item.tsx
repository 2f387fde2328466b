import type { Draft } from "@tandem/contract/drafts";
import { useQuery } from "@tanstack/react-query";
import { Clock, FileText, Hourglass } from "lucide-react";
import { agentsQuery } from "../../data/agents.ts";
import { useMe } from "../../data/me.ts";
import { useText } from "../../i18n/use-text.tsx";
import { draftAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import { Link } from "../../ui/link.tsx";
import { Deadline, Time } from "../../ui/time.tsx";
import { DraftActions } from "./draft-actions.tsx";
import { DraftDetails } from "./draft-details.tsx";
import { draftName } from "./draft-name.ts";

const stateIcons = { kept: FileText, scheduled: Clock, pending: Hourglass };

/** A draft in the list, with its state and its buttons. */
export function DraftItem({ draft }: { draft: Draft }) {
  const { t } = useText();
  const { id, operation, lastError } = draft;
  const name = draftName(draft);
  const isNewPost = operation === "createPost";
  return (
    <li className="card-flush flex flex-col gap-2 p-4">
      <DraftState draft={draft} />
      {isNewPost ? (
        <>
          <h2 id={`draft-${id}`} className="theirs text-lg leading-snug font-semibold">
            <Link
              to={draftAddress}
              search={{ draft: String(id) }}
              className="inline-block min-h-6 hover:underline"
            >
              {draft.title}
            </Link>
          </h2>
          <DraftDetails draft={{ ...draft, title: null }} />
        </>
      ) : (
        <>
          <h2 id={`draft-${id}`} className="text-lg leading-snug font-semibold">
            {t(`composer.kind.${operation}`)}
          </h2>
          <DraftDetails draft={draft} />
        </>
      )}
      {lastError !== null && (
        <p className="rounded-lg bg-danger-soft px-3 py-2 text-sm text-danger">
          {t("composer.lastError", { error: lastError })}
        </p>
      )}
      <DraftActions draft={draft} name={name} />
    </li>
  );
}

function DraftState({ draft: { state, publishAt, createdAt, editedAt, author } }: { draft: Draft }) {
  const { t } = useText();
  const me = useMe();
  const Icon = stateIcons[state];
  const isPending = state === "pending";
  return (
    <p className="theirs flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      <span
        className={`inline-flex items-center gap-1.5 rounded-full px-2 py-0.5 text-xs font-semibold ${isPending ? "bg-agent-soft text-agent" : "bg-sunken text-ink"}`}
      >
        <Icon className="size-3.5" aria-hidden="true" />
        {t(`composer.state.${state}`)} {publishAt !== null && !isPending && <Deadline at={publishAt} />}
      </span>
      {author !== me?.username && <WrittenAs agent={author} />}
      <Time at={editedAt ?? createdAt} />
    </p>
  );
}

/** Which of the reader's agents asks. */
function WrittenAs({ agent }: { agent: string }) {
  const { t } = useText();
  const { data: agents = [] } = useQuery(agentsQuery(useApi()));
  const displayName = agents.find(({ username }) => username === agent)?.displayName;
  return <span>{t("composer.writtenAs", { name: fullName(agent, displayName) })}</span>;
}
