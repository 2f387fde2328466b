import { limits } from "@tandem/contract/limits";
import { type FormEvent, useId } from "react";
import { useStoredDraft } from "../data/draft-storage.ts";
import { useToasts } from "../data/toasts.ts";
import { useAction } from "../data/use-action.ts";
import { useText } from "../i18n/use-text.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Failure } from "../ui/error-notice.tsx";
import { TextArea } from "../ui/field.tsx";

const reasons = ["spam", "undeclared", "impersonation", "harm", "sexual", "violence", "other"] as const;

/** What is reported: exactly one of the three. */
type Target = { postId: number } | { commentId: number } | { username: string };

interface Written {
  reason: (typeof reasons)[number];
  note: string;
}

/** Tells moderators of something. What was written stays where that fails, and where the window is left; cancelling ends it. */
export function Report({ target, onClose }: { target: Target; onClose(): void }) {
  const { t } = useText();
  const { show } = useToasts();
  const kept = useStoredDraft<Written>(`report.${JSON.stringify(target)}`, { reason: "spam", note: "" });
  const { reason, note } = kept.value;
  const end = () => {
    kept.clear();
    onClose();
  };
  const send = useAction(
    (api) => {
      const report = { ...target, reason: t(`card.reason.${reason}`), note: note.trim() || null };
      return api.createReport(report, { idempotencyKey: kept.idempotencyKeyFor(report) });
    },
    {
      inlineErrors: true,
      onSuccess: () => {
        end();
        show(t("card.reported"));
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  return (
    <Dialog open onClose={onClose} title={t("card.report")} says={t("card.reportSays")}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Reasons
          account={"username" in target}
          chosen={reason}
          onChoose={(reason) => kept.change({ reason })}
        />
        <TextArea
          label={t("card.reportNote")}
          value={note}
          readOnly={send.isPending}
          onChange={(event) => kept.change({ note: event.target.value })}
          maxLength={limits.moderationText}
        />
        <Failure error={send.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={end}>{t("common.cancel")}</Button>
          <Button type="submit" look="primary" busy={send.isPending}>
            {t("card.reportSend")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Reasons({
  account,
  chosen,
  onChoose,
}: {
  /** Whether it is an account: posts and comments pretend to be nobody. */
  account: boolean;
  chosen: (typeof reasons)[number];
  onChoose(reason: (typeof reasons)[number]): void;
}) {
  const { t } = useText();
  const name = useId();
  const fitting = reasons.filter((reason) => account || reason !== "impersonation");
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-semibold">{t("card.reportReason")}</legend>
      {fitting.map((reason) => (
        <label key={reason} className="flex min-h-10 items-center gap-3">
          <input
            type="radio"
            name={name}
            checked={chosen === reason}
            onChange={() => onChoose(reason)}
            className="size-5"
          />
          {t(`card.reason.${reason}`)}
        </label>
      ))}
    </fieldset>
  );
}
