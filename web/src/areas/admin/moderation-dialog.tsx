import { limits } from "@tandem/contract/limits";
import type { FormEvent } from "react";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/error-notice.tsx";
import { Choice, TextArea } from "../../ui/field.tsx";

/** Days for which somebody can be suspended; none is for good. */
const terms = [1, 7, 30, 365] as const;
const DAY = 86_400_000;

export interface Judgement {
  reason: string;
  /** When a suspension ends; null for good. */
  until: string | null;
  /** To be called once it is done: what was written needs to be kept no longer. */
  done(): void;
}

/** Asks for the reason of an act, which its author is told; and for the term, where there is one. */
export function JudgeDialog({
  about,
  title,
  action,
  term = false,
  busy,
  error,
  onClose,
  onJudge,
}: {
  /** What is judged, and how: tells what is being written of one from another. */
  about: string;
  title: string;
  action: string;
  term?: boolean;
  busy: boolean;
  error: Error | null;
  onClose(): void;
  onJudge(judgement: Judgement): void;
}) {
  const { t } = useText();
  const kept = useStoredDraft(`judge.${about}`, { reason: "", days: "7" });
  const { reason, days } = kept.value;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const until = term && days ? new Date(Date.now() + Number(days) * DAY).toISOString() : null;
    onJudge({ reason, until, done: kept.clear });
  };
  const cancel = () => {
    kept.clear();
    onClose();
  };
  return (
    <Dialog open onClose={onClose} title={title} says={t("admin.reasonSays")}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextArea
          label={t("admin.reason")}
          value={reason}
          readOnly={busy}
          onChange={(event) => kept.change({ reason: event.target.value })}
          required
          maxLength={limits.moderationReason}
        />
        {term && (
          <Choice
            label={t("admin.term")}
            value={days}
            onChange={(event) => kept.change({ days: event.target.value })}
          >
            {terms.map((days) => (
              <option key={days} value={days}>
                {t("admin.days", { days })}
              </option>
            ))}
            <option value="">{t("admin.forGood")}</option>
          </Choice>
        )}
        <Failure error={error} />
        <div className="flex justify-end gap-2">
          <Button onClick={cancel}>{t("common.cancel")}</Button>
          <Button type="submit" look="danger" busy={busy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
