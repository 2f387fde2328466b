import type { FlatClient } from "@tandem/client";
import { limits } from "@tandem/contract/limits";
import { type FormEvent, useState } from "react";
import { useAction } from "../data/use-action.ts";
import { Button } from "./button.tsx";
import { ErrorNotice } from "./error-notice.tsx";
import { Field } from "./field.tsx";
import { fieldErrorOf, isAtField, useFormError } from "./form.tsx";

interface NameOptions {
  label: string;
  /** The name to start with. Default: none. */
  name?: string;
  save(api: FlatClient, name: string): Promise<unknown>;
  onSaved(): unknown;
  className?: string;
}

/** The field of a form for a name that only the reader sees, such as a list's, what submits it, and errors that aren't the field's. */
export function useNameField({ label, name: initial = "", save, onSaved, className }: NameOptions) {
  const [name, setName] = useState(initial);
  const action = useAction((api) => save(api, name), {
    inlineErrors: true,
    onSuccess: () => {
      setName(initial);
      return onSaved();
    },
  });
  const formError = useFormError(action.error, ["name"]);
  return {
    field: (
      <Field
        label={label}
        value={name}
        onChange={({ target }) => setName(target.value)}
        error={fieldErrorOf(formError, "name")}
        maxLength={limits.listName}
        required
        autoComplete="off"
        {...(className && { className })}
      />
    ),
    error: formError?.error && !isAtField(formError) && <ErrorNotice error={formError.error} />,
    busy: action.isPending,
    onSubmit(event: FormEvent) {
      event.preventDefault();
      action.mutate();
    },
  };
}

/** Creates something with a name that only the reader sees, such as a list: a field, and a button next to it. */
export function NameForm({
  label,
  action,
  isPrimary = false,
  onCreate,
  onCreated,
  className = "",
}: {
  label: string;
  action: string;
  isPrimary?: boolean;
  onCreate(api: FlatClient, name: string): Promise<unknown>;
  onCreated(): void;
  className?: string;
}) {
  const form = useNameField({ label, save: onCreate, onSaved: onCreated, className: "min-w-40 flex-1" });
  return (
    <form onSubmit={form.onSubmit} className={`flex flex-wrap items-start gap-2 ${className}`}>
      {form.field}
      <Button
        type="submit"
        {...(isPrimary && { variant: "primary" })}
        busy={form.busy}
        className="mt-6.5 min-h-11"
      >
        {action}
      </Button>
      <div className="w-full">{form.error}</div>
    </form>
  );
}
