import { isPlatform } from "@tandem/contract/origins";
import type { FeedFilters } from "../../data/posts.ts";
import type { Translate } from "../../i18n/use-text.tsx";
import { communityFilter, contentFilters } from "./content-filters.ts";

/** The name of a feed. The whole feed is the site itself. */
export function feedName(filters: FeedFilters, t: Translate): string {
  const { author, q, sort, saved, followed } = filters;
  if (Object.keys(contentFilters(filters)).length > 0)
    return author ?? communityFilter(filters) ?? q ?? sourceName(filters, t) ?? t("feed.filtered");
  if (saved) return t("feed.saved");
  if (followed) return t("feed.following");
  return sort === "hot" ? t("feed.hot") : "Tandem";
}

/** The platform that a feed is restricted to. */
export const sourceName = ({ platform }: FeedFilters, t: Translate): string | null =>
  platform && isPlatform(platform) ? t(`platform.${platform}`) : null;
