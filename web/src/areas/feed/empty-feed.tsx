import type { FeedFilters } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Empty } from "../../ui/states.tsx";
import { narrowingOf } from "./content-filters.ts";

/** A feed without posts: what would be in it, and how it gets there. */
export function Nothing({ filters }: { filters: FeedFilters }) {
  const { t } = useText();
  if (filters.saved) return <Empty title={t("feed.emptySaved")}>{t("feed.emptySavedSays")}</Empty>;
  if (filters.followed)
    return (
      <Empty
        title={t("feed.emptyFollowing")}
        action={<ButtonLink to="/creators">{t("feed.findCreators")}</ButtonLink>}
      >
        {t("feed.emptyFollowingSays")}
      </Empty>
    );
  if (Object.keys(narrowingOf(filters)).length > 0)
    return (
      <Empty title={t("feed.emptyNarrowed")} action={<ButtonLink to="/">{t("feed.all")}</ButtonLink>}>
        {t("feed.emptyNarrowedSays")}
      </Empty>
    );
  return (
    <Empty
      title={t("feed.empty")}
      action={
        <ButtonLink to="/compose" look="primary">
          {t("feed.writeFirst")}
        </ButtonLink>
      }
    >
      {t("feed.emptySays")}
    </Empty>
  );
}
