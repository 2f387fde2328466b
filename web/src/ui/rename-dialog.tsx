import type { FlatClient } from "@tandem/client";
import { useText } from "../i18n/use-text.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { useNameField } from "./name-form.tsx";

/** Renames something with a name that only the reader sees, such as a list. */
export function RenameDialog({
  title,
  label,
  name,
  onRename,
  onRenamed,
  onClose,
}: {
  title: string;
  label: string;
  name: string;
  onRename(api: FlatClient, name: string): Promise<unknown>;
  onRenamed(): void;
  onClose(): void;
}) {
  const { t } = useText();
  const onSaved = () => {
    onClose();
    return onRenamed();
  };
  const form = useNameField({ label, name, save: onRename, onSaved });
  return (
    <Dialog open onClose={onClose} title={title}>
      <form onSubmit={form.onSubmit} className="flex flex-col gap-4">
        {form.field}
        {form.error}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" variant="primary" busy={form.busy}>
            {t("common.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
