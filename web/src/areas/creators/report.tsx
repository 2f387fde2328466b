import { limits } from "@tandem/contract/limits";
import type { FormEvent } from "react";
import { useAction } from "../../data/actions.ts";
import { useKept } from "../../data/kept.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Choice, TextArea } from "../../ui/field.tsx";
import { useToasts } from "../../ui/toast.tsx";

const reasons = ["spam", "harassment", "impersonation", "undeclared", "other"] as const;

interface Written {
  reason: (typeof reasons)[number];
  note: string;
}

/** Tells moderators of an account. What was written stays where sending fails, and where the window is left. */
export default function Report({ username, onClose }: { username: string; onClose(): void }) {
  const { t } = useText();
  const { tell } = useToasts();
  const kept = useKept<Written>(`report.${JSON.stringify({ username })}`, { reason: "spam", note: "" });
  const { reason, note } = kept.value;
  const end = () => {
    kept.clear();
    onClose();
  };
  const report = useAction(
    (api) => {
      const report = { username, reason: t(`creators.reason.${reason}`), ...(note.trim() && { note }) };
      return api.createReport(report, { idempotencyKey: kept.keyFor(report) });
    },
    {
      quiet: true,
      after: () => {
        tell(t("creators.reported"));
        end();
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    report.mutate();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("creators.reportTitle", { username })}
      says={t("creators.reportSays")}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Choice
          label={t("creators.reason")}
          value={reason}
          onChange={({ target }) =>
            kept.change({ reason: reasons.find((one) => one === target.value) ?? "other" })
          }
        >
          {reasons.map((one) => (
            <option key={one} value={one}>
              {t(`creators.reason.${one}`)}
            </option>
          ))}
        </Choice>
        <TextArea
          label={t("creators.note")}
          hint={t("creators.noteHint")}
          maxLength={limits.moderationText}
          value={note}
          readOnly={report.isPending}
          onChange={({ target }) => kept.change({ note: target.value })}
        />
        <Failure error={report.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={end}>{t("common.cancel")}</Button>
          <Button type="submit" look="primary" busy={report.isPending}>
            {t("creators.sendReport")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
