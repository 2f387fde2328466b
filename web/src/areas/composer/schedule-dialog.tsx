import { type FormEvent, useState } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";

/** Asks when something is to be published. */
export function Schedule({
  open,
  onClose,
  onChoose,
  busy,
}: {
  open: boolean;
  onClose(): void;
  onChoose(at: string): void;
  busy: boolean;
}) {
  const { t } = useText();
  return (
    <Dialog open={open} onClose={onClose} title={t("composer.schedule")} says={t("composer.scheduleSays")}>
      <When onChoose={onChoose} onClose={onClose} busy={busy} />
    </Dialog>
  );
}

const HOUR = 3_600_000;

function When({ onChoose, onClose, busy }: { onChoose(at: string): void; onClose(): void; busy: boolean }) {
  const { t } = useText();
  // A dialog is drawn in the browser alone: its clock is the reader's.
  const [at, setAt] = useState(() => local(new Date(Math.ceil(Date.now() / HOUR + 1) * HOUR)));
  const [past, setPast] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // It would be a form in a form to React, whose events rise through what is drawn elsewhere.
    event.stopPropagation();
    const time = new Date(at);
    const good = time.getTime() > Date.now();
    setPast(!good);
    if (good) onChoose(time.toISOString());
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field
        label={t("composer.when")}
        type="datetime-local"
        required
        value={at}
        error={past ? t("composer.past") : null}
        onChange={({ target }) => setAt(target.value)}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {t("composer.schedule")}
        </Button>
      </div>
    </form>
  );
}

/** As a field for a time has it: on the reader's own clock, to the minute. */
function local(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
