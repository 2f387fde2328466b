import { DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { FormEvent, ReactNode } from "react";
import { useStoredDraft } from "../data/draft-storage.ts";
import { useText } from "../i18n/use-text.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { Select, TextArea } from "../ui/field.tsx";

/** Offered lengths of a suspension or ban, in days. There is also a permanent one. */
const terms = [1, 7, 30, 365] as const;

export interface ModerationInput {
  reason: string;
  /** When a suspension or ban ends; null if it is permanent. */
  until: string | null;
  /** Call this on success: it deletes the stored draft. */
  done(): void;
}

/**
 * Asks for the reason of a moderation action, which the author will see, and for the length of a suspension or ban.
 */
export default function ModerationDialog({
  draftKey,
  title,
  subject,
  action,
  hasTerm = false,
  busy,
  error,
  onClose,
  onSubmit,
}: {
  /** Identifies the stored draft: the action and its target. */
  draftKey: string;
  title: string;
  /** What the action is about, if the title doesn't say it. */
  subject?: ReactNode;
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
    <Dialog open onClose={onClose} title={title} description={t("card.decision.reasonDescription")}>
      <form onSubmit={handleSubmit} className="flex flex-col gap-4">
        {subject && (
          <div className="rounded-xl bg-sunken px-3 py-2 text-sm">
            <p className="theirs line-clamp-3">{subject}</p>
          </div>
        )}
        <TextArea
          label={t("card.decision.reason")}
          labelNote={t("card.decision.required")}
          value={reason}
          readOnly={busy}
          onChange={(event) => stored.change({ reason: event.target.value })}
          required
          maxLength={limits.moderationReason}
        />
        {hasTerm && (
          <Select
            label={t("card.decision.term")}
            value={days}
            onChange={(event) => stored.change({ days: event.target.value })}
          >
            {terms.map((days) => (
              <option key={days} value={days}>
                {t("card.decision.days", { days })}
              </option>
            ))}
            <option value="">{t("card.decision.permanently")}</option>
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
