import { limits } from "@tandem/contract/limits";
import type { FormEvent } from "react";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Select, TextArea } from "../../ui/field.tsx";

/** Days for which somebody can be suspended; none is for good. */
const suspensionDays = [1, 7, 30, 365] as const;
const DAY = 86_400_000;

export interface ModerationInput {
  reason: string;
  /** When a suspension ends; null for good. */
  until: string | null;
  /** To be called once it is done: what was written needs to be kept no longer. */
  done(): void;
}

/** Asks for the reason of an act, which its author is told; and for the term, where there is one. */
export function ModerationDialog({
  draftKey,
  title,
  action,
  hasTerm = false,
  busy,
  error,
  onClose,
  onSubmit,
}: {
  /** What is judged, and how: tells what is being written of one from another. */
  draftKey: string;
  title: string;
  action: string;
  hasTerm?: boolean;
  busy: boolean;
  error: Error | null;
  onClose(): void;
  onSubmit(input: ModerationInput): void;
}) {
  const { t } = useText();
  const stored = useStoredDraft(`judge.${draftKey}`, { reason: "", days: "7" });
  const { reason, days } = stored.value;
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const until = hasTerm && days ? new Date(Date.now() + Number(days) * DAY).toISOString() : null;
    onSubmit({ reason, until, done: stored.clear });
  };
  const cancel = () => {
    stored.clear();
    onClose();
  };
  return (
    <Dialog open onClose={onClose} title={title} description={t("admin.reasonSays")}>
      <form onSubmit={handleSubmit} className="flex flex-col gap-4">
        <TextArea
          label={t("admin.reason")}
          value={reason}
          readOnly={busy}
          onChange={(event) => stored.change({ reason: event.target.value })}
          required
          maxLength={limits.moderationReason}
        />
        {hasTerm && (
          <Select
            label={t("admin.term")}
            value={days}
            onChange={(event) => stored.change({ days: event.target.value })}
          >
            {suspensionDays.map((days) => (
              <option key={days} value={days}>
                {t("admin.days", { days })}
              </option>
            ))}
            <option value="">{t("admin.forGood")}</option>
          </Select>
        )}
        <ErrorNotice error={error} />
        <div className="flex justify-end gap-2">
          <Button onClick={cancel}>{t("common.cancel")}</Button>
          <Button type="submit" variant="danger" busy={busy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
