import { limits } from "@tandem/contract/limits";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { invalidateLists, listsQuery } from "../../data/lists.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { listAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Field } from "../../ui/field.tsx";
import { fieldErrorOf, isAtField, useFormError } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { CardList } from "../../ui/person-row.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";

export const Lists = page({
  load: ({ api, queryClient }) => queryClient.ensureQueryData(listsQuery(api)),
  head: ({ i18n }) => ({ title: i18n._("lists.title"), unlisted: true }),
  View: ListsView,
});

function ListsView() {
  const { t } = useText();
  const { data: lists } = useQuery(listsQuery(useApi()));
  return (
    <div className="column">
      <PageTitle description={t("lists.description")}>{t("lists.title")}</PageTitle>
      <NewList />
      {!lists ? (
        <SkeletonCards count={2} />
      ) : lists.length === 0 ? (
        <EmptyState drawing="people" title={t("lists.none")}>
          {t("lists.noneDescription")}
        </EmptyState>
      ) : (
        <CardList label={t("lists.title")}>
          {lists.map(({ id, name }) => (
            <li key={id}>
              <Link
                to={listAddress(id)}
                className="theirs-heading block px-4 py-3 font-semibold hover:underline"
              >
                {name}
              </Link>
            </li>
          ))}
        </CardList>
      )}
    </div>
  );
}

function NewList() {
  const { t } = useText();
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const create = useAction((api) => api.createList({ name }), {
    inlineErrors: true,
    onSuccess: () => {
      setName("");
      return invalidateLists(queryClient);
    },
  });
  const formError = useFormError(create.error, ["name"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-start gap-2 px-4 pb-6 sm:px-0">
      <Field
        label={t("lists.newName")}
        value={name}
        onChange={({ target }) => setName(target.value)}
        error={fieldErrorOf(formError, "name")}
        maxLength={limits.listName}
        required
        autoComplete="off"
        className="min-w-48 flex-1"
      />
      <Button type="submit" variant="primary" busy={create.isPending} className="mt-6.5 min-h-11">
        {t("lists.create")}
      </Button>
      <div className="w-full">
        {formError?.error && !isAtField(formError) && <ErrorNotice error={formError.error} />}
      </div>
    </form>
  );
}
