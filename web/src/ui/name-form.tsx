import type { FlatClient } from "@tandem/client";
import { limits } from "@tandem/contract/limits";
import { type FormEvent, useState } from "react";
import { useAction } from "../data/use-action.ts";
import { Button } from "./button.tsx";
import { ErrorNotice } from "./error-notice.tsx";
import { Field } from "./field.tsx";
import { fieldErrorOf, isAtField, useFormError } from "./form.tsx";

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
  const [name, setName] = useState("");
  const create = useAction((api) => onCreate(api, name), {
    inlineErrors: true,
    onSuccess: () => {
      setName("");
      return onCreated();
    },
  });
  const formError = useFormError(create.error, ["name"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit} className={`flex flex-wrap items-start gap-2 ${className}`}>
      <Field
        label={label}
        value={name}
        onChange={({ target }) => setName(target.value)}
        error={fieldErrorOf(formError, "name")}
        maxLength={limits.listName}
        required
        autoComplete="off"
        className="min-w-40 flex-1"
      />
      <Button
        type="submit"
        {...(isPrimary && { variant: "primary" })}
        busy={create.isPending}
        className="mt-6.5 min-h-11"
      >
        {action}
      </Button>
      <div className="w-full">
        {formError?.error && !isAtField(formError) && <ErrorNotice error={formError.error} />}
      </div>
    </form>
  );
}
