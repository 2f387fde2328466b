import type { FlatClient } from "@tandem/client";
import type { FollowedCommunity } from "@tandem/contract/follows";
import { type QueryClient, queryOptions } from "@tanstack/react-query";

/** What one can follow besides creators. */
export type Topic = { tag: string } | FollowedCommunity;

const key = "topics";

export const followedTagsQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: [key, "tags"],
    queryFn: async ({ signal }) => (await api.listFollowedTags({}, { signal })).tags,
  });

export const followedCommunitiesQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: [key, "communities"],
    queryFn: async ({ signal }) => (await api.listFollowedCommunities({}, { signal })).communities,
  });

/** The hashtag that a search is for, without its `#`; null if it is for something else. */
export function tagIn(q: string | undefined): string | null {
  return /^#((?=[\p{N}_]*\p{L})[\p{L}\p{N}\p{M}_]+)$/u.exec(q?.trim() ?? "")?.[1] ?? null;
}

/** Hashtags are compared as the server does: without case and accents. */
const folded = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\ufe0f]/gu, "")
    .toUpperCase();

export function isFollowed(
  topic: Topic,
  { tags = [], communities = [] }: { tags?: { name: string }[]; communities?: FollowedCommunity[] },
): boolean {
  if ("tag" in topic) return tags.some(({ name }) => folded(name) === folded(topic.tag));
  const name = topic.community.toLowerCase();
  return communities.some(
    ({ platform, community }) => platform === topic.platform && community.toLowerCase() === name,
  );
}

/** Reads again what the reader follows, and later its posts. */
export function topicsChanged(queryClient: QueryClient): Promise<void> {
  queryClient.removeQueries({ queryKey: ["posts", "list", { followed: "1" }] });
  return queryClient.invalidateQueries({ queryKey: [key] });
}
