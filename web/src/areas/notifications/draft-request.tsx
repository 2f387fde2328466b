import type { Draft } from "@tandem/contract/drafts";
import { useState } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { useDiscardDraft, usePublishDraft } from "../composer/draft-actions.tsx";
import { DraftDetails } from "../composer/draft-details.tsx";
import { draftName } from "../composer/draft-name.ts";
import { goneOf } from "../composer/gone.ts";
import { GoneNotice } from "../composer/gone-notice.tsx";
import { RemoveQuote } from "../composer/remove-quote.tsx";

/** A draft that waits for the reader's approval: what it would publish, and buttons. */
export function DraftRequest({ draft, onDone }: { draft: Draft; onDone(): void }) {
  const { t } = useText();
  const [isRejecting, setRejecting] = useState(false);
  const name = draftName(draft);
  const { operation } = draft;
  const approve = usePublishDraft(draft);
  const gone = goneOf(draft, approve.error);
  const reject = useDiscardDraft(draft, () => {
    setRejecting(false);
    onDone();
  });
  return (
    <div className="relative order-last my-1 flex min-w-0 basis-full flex-col gap-2 rounded-xl border bg-surface p-3">
      {operation !== "createPost" && (
        <p className="text-sm font-semibold text-soft">{t(`composer.kind.${operation}`)}</p>
      )}
      <DraftDetails draft={draft} />
      {gone && <GoneNotice what={gone} isPending />}
      <div className="flex flex-wrap gap-2">
        {gone === "quote" && <RemoveQuote id={draft.id} name={name} onDone={approve.reset} />}
        {gone === null && (
          <Button
            variant="primary"
            size="small"
            busy={approve.isPending}
            aria-label={t("notifications.approveNamed", { name })}
            onClick={() => approve.mutate(undefined, { onSuccess: onDone })}
          >
            {t("composer.approve")}
          </Button>
        )}
        <Button
          variant="danger"
          size="small"
          aria-label={t("notifications.rejectNamed", { name })}
          onClick={() => setRejecting(true)}
        >
          {t("composer.reject")}
        </Button>
      </div>
      <ConfirmDialog
        open={isRejecting}
        onClose={() => setRejecting(false)}
        onConfirm={() => reject.mutate()}
        busy={reject.isPending}
        title={t("composer.rejectTitle")}
        description={t("composer.discardDescription")}
        action={t("composer.reject")}
      />
    </div>
  );
}
