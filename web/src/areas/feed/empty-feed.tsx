import type { FeedFilters } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { contentFilters } from "./content-filters.ts";

/** What to show instead of an empty feed. */
export function EmptyFeed({ filters }: { filters: FeedFilters }) {
  const { t } = useText();
  if (filters.collectionId !== undefined)
    return (
      <EmptyState drawing="saved" title={t("feed.emptyCollection")}>
        {t("feed.emptyCollectionDescription")}
      </EmptyState>
    );
  if (filters.saved)
    return (
      <EmptyState drawing="saved" title={t("feed.emptySaved")}>
        {t("feed.emptySavedDescription")}
      </EmptyState>
    );
  if (filters.followed)
    return (
      <EmptyState
        drawing="people"
        title={t("feed.emptyFollowing")}
        action={<ButtonLink to="/creators">{t("feed.findCreators")}</ButtonLink>}
      >
        {t("feed.emptyFollowingDescription")}
      </EmptyState>
    );
  if (Object.keys(contentFilters(filters)).length > 0)
    return (
      <EmptyState
        drawing="search"
        title={t("feed.emptyFiltered")}
        action={<ButtonLink to="/">{t("feed.all")}</ButtonLink>}
      >
        {t("feed.emptyFilteredDescription")}
      </EmptyState>
    );
  return (
    <EmptyState
      title={t("feed.empty")}
      action={
        <ButtonLink to="/compose" variant="primary">
          {t("feed.writeFirst")}
        </ButtonLink>
      }
    >
      {t("feed.emptyDescription")}
    </EmptyState>
  );
}
