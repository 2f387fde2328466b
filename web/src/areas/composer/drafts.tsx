import { useInfiniteQuery } from "@tanstack/react-query";
import { draftsOf, draftsQuery } from "../../data/drafts.ts";
import { errorMessage } from "../../data/error-messages.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { WithAside } from "../../ui/aside.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { DraftItem } from "./draft-item.tsx";

const RecentPosts = lazyComponent(() => import("../../posts/recent-posts.tsx"));

/** The reader's drafts, and those of their agents that wait for approval. */
export function Drafts() {
  const { t } = useText();
  const list = useInfiniteQuery(draftsQuery(useApi()));
  const drafts = list.data ? draftsOf(list.data) : [];
  const writeButton = (
    <ButtonLink to="/compose" variant="primary" size="small">
      {t("composer.write")}
    </ButtonLink>
  );
  return (
    <WithAside aside={<RecentPosts />}>
      <div>
        <PageTitle actions={writeButton} description={t("composer.draftsDescription")}>
          {t("composer.drafts")}
        </PageTitle>
        {list.isPending && <SkeletonCards />}
        {list.isError && drafts.length === 0 && (
          <EmptyState
            drawing="failed"
            title={errorMessage(list.error, t)}
            action={<Button onClick={() => list.refetch()}>{t("common.retry")}</Button>}
          />
        )}
        {list.isSuccess && drafts.length === 0 && (
          <EmptyState drawing="draft" title={t("composer.noDrafts")}>
            {t("composer.noDraftsDescription")}
          </EmptyState>
        )}
        <ul className="flex flex-col gap-2 sm:gap-4">
          {drafts.map((draft) => (
            <DraftItem key={draft.id} draft={draft} />
          ))}
        </ul>
        {list.hasNextPage && <LoadMore list={list} />}
      </div>
    </WithAside>
  );
}
