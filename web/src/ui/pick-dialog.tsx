import type { FlatClient } from "@tandem/client";
import type { ComponentProps } from "react";
import { useAction } from "../data/use-action.ts";
import { useText } from "../i18n/use-text.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Checkbox } from "./field.tsx";
import { NameForm } from "./name-form.tsx";

/** Something that the dialog's subject can be in, such as a list. */
interface Place {
  id: number;
  name: string;
  includes: boolean | null;
}

/** Puts something in places of the reader's, or takes it out; also in a new one. */
export function PickDialog({
  title,
  description,
  places,
  newLabel,
  onChange,
  onChanged,
  onCreate,
  onClose,
}: {
  title: string;
  description: string;
  places: readonly Place[];
  newLabel: string;
  onChange(api: FlatClient, id: number, isAdded: boolean): Promise<unknown>;
  /** Called after a change of a place, or without one if there is a new one. */
  onChanged(id?: number): void;
  /** Creates a place that has it. */
  onCreate: ComponentProps<typeof NameForm>["onCreate"];
  onClose(): void;
}) {
  const { t } = useText();
  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      {places.length > 0 && (
        <ul className="mb-4 flex max-h-60 flex-col gap-2 overflow-y-auto">
          {places.map((place) => (
            <li key={place.id}>
              <Choice place={place} onChange={onChange} onChanged={onChanged} />
            </li>
          ))}
        </ul>
      )}
      <NameForm
        label={newLabel}
        action={t("pick.create")}
        onCreate={onCreate}
        onCreated={() => onChanged()}
      />
      <div className="flex justify-end pt-4">
        <Button variant="primary" onClick={onClose}>
          {t("pick.done")}
        </Button>
      </div>
    </Dialog>
  );
}

function Choice({
  place: { id, name, includes },
  onChange,
  onChanged,
}: { place: Place } & Pick<ComponentProps<typeof PickDialog>, "onChange" | "onChanged">) {
  const change = useAction((api, isAdded: boolean) => onChange(api, id, isAdded), {
    onSuccess: () => onChanged(id),
  });
  const isChecked = change.isPending ? change.variables : includes === true;
  return (
    <Checkbox
      label={name}
      checked={isChecked}
      disabled={change.isPending}
      onChange={({ target }) => change.mutate(target.checked)}
    />
  );
}
