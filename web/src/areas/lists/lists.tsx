import { useQuery, useQueryClient } from "@tanstack/react-query";
import { invalidateLists, listsQuery } from "../../data/lists.ts";
import { addTexts } from "../../i18n/texts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { listAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { WithAside } from "../../ui/aside.tsx";
import { Link } from "../../ui/link.tsx";
import { NameForm } from "../../ui/name-form.tsx";
import { PeopleAside } from "../../ui/people-aside.tsx";
import { CardList } from "../../ui/person-row.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";

export const Lists = page({
  load: ({ api, i18n, queryClient }) =>
    // The aside has texts of people's pages.
    Promise.all([addTexts(i18n, "people"), queryClient.ensureQueryData(listsQuery(api))]),
  head: ({ i18n }) => ({ title: i18n._("lists.title"), unlisted: true }),
  View: ListsView,
});

function ListsView() {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { data: lists } = useQuery(listsQuery(useApi()));
  return (
    <WithAside aside={<PeopleAside current="/lists" />}>
      <div>
        <PageTitle description={t("lists.description")}>{t("lists.title")}</PageTitle>
        <NameForm
          label={t("lists.newName")}
          action={t("lists.create")}
          isPrimary
          onCreate={(api, name) => api.createList({ name })}
          onCreated={() => invalidateLists(queryClient)}
          className="px-4 pb-6 sm:px-0"
        />
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
    </WithAside>
  );
}
