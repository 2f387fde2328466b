import { limits } from "@tandem/contract/limits";
import type { List } from "@tandem/contract/lists";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { CreatorRef } from "../../data/creators.ts";
import { invalidateLists, listsWithQuery } from "../../data/lists.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Checkbox, Field } from "../../ui/field.tsx";

/** Puts a creator on the reader's lists, or takes them off; also on a new one. */
export function ListDialog({ platform, author, onClose }: CreatorRef & { onClose(): void }) {
  const { t } = useText();
  const creator = { platform, author };
  const { data: lists = [] } = useQuery(listsWithQuery(useApi(), creator));
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("creators.listTitle", { name: author })}
      description={t("creators.listDescription")}
    >
      {lists.length > 0 && (
        <ul className="mb-4 flex max-h-60 flex-col gap-2 overflow-y-auto">
          {lists.map((list) => (
            <li key={list.id}>
              <Choice creator={creator} list={list} />
            </li>
          ))}
        </ul>
      )}
      <NewList creator={creator} />
      <div className="flex justify-end pt-4">
        <Button variant="primary" onClick={onClose}>
          {t("creators.listDone")}
        </Button>
      </div>
    </Dialog>
  );
}

function Choice({ creator, list: { id, name, includes } }: { creator: CreatorRef; list: List }) {
  const queryClient = useQueryClient();
  const change = useAction(
    (api, isAdded: boolean): Promise<unknown> =>
      isAdded ? api.addToList({ id, ...creator }) : api.removeFromList({ id, ...creator }),
    { onSuccess: () => invalidateLists(queryClient, id) },
  );
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

function NewList({ creator }: { creator: CreatorRef }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const create = useAction(
    async (api) => {
      const { list } = await api.createList({ name });
      await api.addToList({ id: list.id, ...creator });
    },
    {
      inlineErrors: true,
      onSuccess: () => {
        setName("");
        return invalidateLists(queryClient);
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-start gap-2">
      <Field
        label={t("creators.newList")}
        value={name}
        onChange={({ target }) => setName(target.value)}
        maxLength={limits.listName}
        required
        autoComplete="off"
        className="min-w-40 flex-1"
      />
      <Button type="submit" busy={create.isPending} className="mt-6.5 min-h-11">
        {t("creators.createList")}
      </Button>
      <div className="w-full">{create.error && <ErrorNotice error={create.error} />}</div>
    </form>
  );
}
