import type { FeedFilters } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { isPlatform } from "../../posts/platforms.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { PageTitle } from "../../ui/states.tsx";
import { communityFilter, contentFilters } from "./content-filters.ts";

/**
 * The heading of a filtered feed, with a link to the whole feed, whose own heading is visible only to screen
 * readers.
 */
export function FeedTitle({ filters }: { filters: FeedFilters }) {
  const { t } = useText();
  if (Object.keys(contentFilters(filters)).length === 0) return <h1 className="sr-only">{t("nav.feed")}</h1>;
  const { author, platform, q } = filters;
  const source = platform && isPlatform(platform) ? t(`platform.${platform}`) : null;
  const name = author ?? communityFilter(filters) ?? q ?? source ?? t("feed.filtered");
  return (
    <PageTitle
      description={source && source !== name ? t("post.from", { source }) : undefined}
      actions={<ButtonLink to="/">{t("feed.all")}</ButtonLink>}
    >
      <span className="theirs">{name}</span>
    </PageTitle>
  );
}
