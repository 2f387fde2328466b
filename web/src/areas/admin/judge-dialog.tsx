import { limits } from "@tandem/contract/limits";
import { type FormEvent, useState } from "react";
import { inWords } from "../../data/words.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Choice, TextArea } from "../../ui/field.tsx";

/** Days for which somebody can be suspended; none is for good. */
const terms = [1, 7, 30, 365] as const;
const DAY = 86_400_000;

export interface Judgement {
  reason: string;
  /** When a suspension ends; null for good. */
  until: string | null;
}

/** Asks for the reason of an act, which its author is told; and for the term, where there is one. */
export function JudgeDialog({
  title,
  action,
  term = false,
  busy,
  error,
  onClose,
  onJudge,
}: {
  title: string;
  action: string;
  term?: boolean;
  busy: boolean;
  error: unknown;
  onClose(): void;
  onJudge(judgement: Judgement): void;
}) {
  const { t } = useText();
  const [reason, setReason] = useState("");
  const [days, setDays] = useState("7");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const until = term && days ? new Date(Date.now() + Number(days) * DAY).toISOString() : null;
    onJudge({ reason, until });
  };
  return (
    <Dialog open onClose={onClose} title={title} says={t("admin.reasonSays")}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextArea
          label={t("admin.reason")}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          required
          maxLength={limits.moderationReason}
        />
        {term && (
          <Choice label={t("admin.term")} value={days} onChange={(event) => setDays(event.target.value)}>
            {terms.map((days) => (
              <option key={days} value={days}>
                {t("admin.days", { days })}
              </option>
            ))}
            <option value="">{t("admin.forGood")}</option>
          </Choice>
        )}
        {error !== null && (
          <p role="alert" className="text-sm font-medium text-danger">
            {inWords(error, t)}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" look="danger" busy={busy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
