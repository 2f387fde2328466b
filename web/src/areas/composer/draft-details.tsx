import type { Draft } from "@tandem/contract/drafts";
import { useText } from "../../i18n/use-text.tsx";
import { LocalName } from "../../ui/local-name.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { DraftChanges } from "./draft-changes.tsx";
import { DraftLabel } from "./draft-label.tsx";
import { DraftSubject } from "./draft-subject.tsx";
import { LongText } from "./long-text.tsx";

/**
 * All that publishing or approving a draft does, wherever that is decided: what it is about, how it will be labelled, and every field
 * that it has or changes.
 */
export function DraftDetails({ draft }: { draft: Draft }) {
  return (
    <>
      <DraftSubject draft={draft} />
      <DraftComment draft={draft} />
      <p className="text-sm empty:hidden">
        <DraftLabel draft={draft} />
      </p>
      <DraftChanges draft={draft} />
    </>
  );
}

/** The comment that a draft replies to or likes. One that it changes is shown with the change. */
function DraftComment({ draft: { comment, parentId } }: { draft: Draft }) {
  const { t } = useText();
  if (comment === null) return null;
  const { username, authorName, body, isAiGenerated } = comment;
  return (
    <blockquote className="flex min-w-0 flex-col border-s-2 ps-3 text-sm text-soft">
      <p className="flex min-w-0 items-center gap-1.5 leading-6">
        {parentId !== null && <span className="shrink-0">{t("composer.replyTo")}</span>}
        <LocalName username={username} displayName={authorName} />
        {isAiGenerated && <ProvenanceBadge provenance="ai_generated" provenanceBasis="stamped" short />}
      </p>
      <LongText text={body} className="" />
    </blockquote>
  );
}
