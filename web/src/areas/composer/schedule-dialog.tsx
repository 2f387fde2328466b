import { HOUR } from "@tandem/contract/durations";
import { type FormEvent, useState } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { toLocalInputValue } from "./poll-text.ts";

/** Asks when to publish. */
export function ScheduleDialog({
  open,
  onClose,
  onSchedule,
  busy,
}: {
  open: boolean;
  onClose(): void;
  onSchedule(at: string): void;
  busy: boolean;
}) {
  const { t } = useText();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t("composer.schedule")}
      description={t("composer.scheduleDescription")}
    >
      <ScheduleForm onSchedule={onSchedule} onClose={onClose} busy={busy} />
    </Dialog>
  );
}

function ScheduleForm({
  onSchedule,
  onClose,
  busy,
}: {
  onSchedule(at: string): void;
  onClose(): void;
  busy: boolean;
}) {
  const { t } = useText();
  // Dialogs render only in the browser, so this is the reader's clock.
  const [at, setAt] = useState(() =>
    toLocalInputValue(new Date(Math.ceil(Date.now() / HOUR + 1) * HOUR).toISOString()),
  );
  const [isPast, setIsPast] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React events bubble through portals, so this would also submit the form around the dialog.
    event.stopPropagation();
    const time = new Date(at);
    const isFuture = time.getTime() > Date.now();
    setIsPast(!isFuture);
    if (isFuture) onSchedule(time.toISOString());
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field
        label={t("composer.dateAndTime")}
        type="datetime-local"
        required
        value={at}
        error={isPast ? t("composer.timeInPast") : null}
        onChange={({ target }) => setAt(target.value)}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button type="submit" variant="primary" busy={busy}>
          {t("composer.schedule")}
        </Button>
      </div>
    </form>
  );
}
