import { isPlatform } from "@tandem/contract/origins";
import type { FeedFilters } from "../../data/posts.ts";
import FollowTopicButton from "../../posts/follow-topic-button.tsx";
import { contentFilters } from "./content-filters.ts";

/** Follows or unfollows the community that this is the feed of, if it is the feed of all of its posts. */
export default function FollowCommunity({ filters }: { filters: FeedFilters }) {
  const { platform, community, ...others } = contentFilters(filters);
  const isWhole = Object.keys(others).length === 0;
  if (!isWhole || community === undefined || platform === undefined || !isPlatform(platform)) return null;
  return (
    <FollowTopicButton
      topic={{ platform, community }}
      texts={{ follow: "feed.follow", following: "feed.following" }}
    />
  );
}
