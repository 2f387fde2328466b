import type { FeedFilters } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PageTitle } from "../../ui/states.tsx";
import { contentFilters } from "./content-filters.ts";
import { feedName, sourceName } from "./feed-name.ts";

const FollowCommunity = lazyComponent(() => import("./follow-community.tsx"));

/**
 * The heading of a filtered feed, with a link to the whole feed, whose own heading is visible only to screen
 * readers.
 */
export function FeedTitle({ filters }: { filters: FeedFilters }) {
  const { t } = useText();
  if (Object.keys(contentFilters(filters)).length === 0) return <h1 className="sr-only">{t("nav.feed")}</h1>;
  const source = sourceName(filters, t);
  const name = feedName(filters, t);
  return (
    <PageTitle
      description={source && source !== name ? t("post.from", { source }) : undefined}
      actions={
        <>
          {filters.community && <FollowCommunity filters={filters} />}
          <ButtonLink to="/">{t("feed.all")}</ButtonLink>
        </>
      }
    >
      <span className="theirs">{name}</span>
    </PageTitle>
  );
}
