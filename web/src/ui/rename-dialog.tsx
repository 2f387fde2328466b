import type { FlatClient } from "@tandem/client";
import { limits } from "@tandem/contract/limits";
import { type FormEvent, useState } from "react";
import { useAction } from "../data/use-action.ts";
import { useText } from "../i18n/use-text.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { fieldErrorOf, useFormError } from "./form.tsx";

/** Renames something with a name that only the reader sees, such as a list. */
export function RenameDialog({
  title,
  label,
  name: current,
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
  const [name, setName] = useState(current);
  const rename = useAction((api) => onRename(api, name), {
    inlineErrors: true,
    onSuccess: () => {
      onClose();
      return onRenamed();
    },
  });
  const formError = useFormError(rename.error, ["name"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate();
  };
  return (
    <Dialog open onClose={onClose} title={title}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label={label}
          value={name}
          onChange={({ target }) => setName(target.value)}
          error={fieldErrorOf(formError, "name")}
          maxLength={limits.listName}
          required
          autoComplete="off"
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" variant="primary" busy={rename.isPending}>
            {t("common.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
