import type { Draft } from "@tandem/contract/drafts";
import { useState } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Link } from "../../ui/link.tsx";
import { useDiscardDraft, usePublishDraft } from "../composer/draft-actions.tsx";
import { DraftChanges } from "../composer/draft-changes.tsx";
import { draftName } from "../composer/draft-name.ts";

/** A draft that waits for the reader's approval: what it would publish, and buttons. */
export function DraftRequest({ draft, onDone }: { draft: Draft; onDone(): void }) {
  const { t } = useText();
  const [isRejecting, setRejecting] = useState(false);
  const name = draftName(draft);
  const approve = usePublishDraft(draft);
  const reject = useDiscardDraft(draft, () => {
    setRejecting(false);
    onDone();
  });
  return (
    <div className="relative order-last my-1 flex basis-full flex-col gap-2 rounded-xl border bg-surface p-3">
      <Subject draft={draft} />
      <DraftChanges draft={draft} />
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          size="small"
          busy={approve.isPending}
          aria-label={t("notifications.approveNamed", { name })}
          onClick={() => approve.mutate(undefined, { onSuccess: onDone })}
        >
          {t("composer.approve")}
        </Button>
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

/** What a draft other than a new post does, with a link to the post that it concerns. */
function Subject({ draft: { operation, postId } }: { draft: Draft }) {
  const { t } = useText();
  if (operation === "createPost") return null;
  return (
    <p className="flex flex-wrap gap-x-3 text-sm text-soft">
      <span className="font-semibold">{t(`composer.kind.${operation}`)}</span>
      {postId !== null && (
        <Link to={postAddress(postId)} className="text-accent underline">
          {t("composer.viewPost")}
        </Link>
      )}
    </p>
  );
}
