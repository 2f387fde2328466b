import type { FlatClient } from "@tandem/client";
import type { ListedComment, Post } from "@tandem/contract/post-resources";
import type { Creator, Follow, ProfileField } from "@tandem/contract/resources";
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import { mapPages, pageCursor, paging } from "./pagination.ts";

export type CreatorRef = Pick<Creator, "platform" | "author">;

interface FollowsPage {
  follows: Follow[];
  nextCursor: number | null;
}

const followsKey = ["creators", "follows"];

const profileKey = ({ platform, author }: CreatorRef) => ["creators", "one", platform, author.toLowerCase()];

/** A creator's profile with its marks. Who shows its texts says next to them which of them AI wrote. */
export const profileQuery = (api: FlatClient, { platform, author }: CreatorRef) =>
  queryOptions({
    queryKey: profileKey({ platform, author }),
    queryFn: async ({ signal }) => (await api.readCreator({ platform, author }, { signal })).creator,
  });

/** A creator as other pages show them: without the name and bio that a key wrote for a person, since there is no mark there. */
export const creatorQuery = (api: FlatClient, creatorRef: CreatorRef) =>
  queryOptions({ ...profileQuery(api, creatorRef), select: withoutTextsByAi });

/** The same, for a page's head: what has been read of them, if anything. */
export function knownCreator(
  queryClient: QueryClient,
  api: FlatClient,
  creatorRef: CreatorRef,
): Creator | undefined {
  const creator = queryClient.getQueryData(profileQuery(api, creatorRef).queryKey);
  return creator && withoutTextsByAi(creator);
}

/** Without the name and bio that a key wrote for a person, for what outlives their page or has no mark. */
export function withoutTextsByAi(creator: Creator): Creator {
  // The mark of an agent, next to its name, says it of everything.
  if (creator.authorIsAgent) return creator;
  const isByAi = (field: ProfileField) => creator.aiGeneratedFields.includes(field);
  return {
    ...creator,
    displayName: isByAi("displayName") ? null : creator.displayName,
    bio: isByAi("bio") ? null : creator.bio,
  };
}

/** What a creator wrote below posts. */
export const creatorCommentsQuery = (api: FlatClient, { platform, author }: CreatorRef) =>
  infiniteQueryOptions({
    queryKey: ["creators", "comments", platform, author.toLowerCase()],
    queryFn: ({ pageParam, signal }): Promise<{ comments: ListedComment[]; nextCursor: number | null }> =>
      api.listCreatorComments({ platform, author, ...pageCursor(pageParam) }, { signal }),
    ...paging,
  });

/** Creators whose names match every word. */
export const creatorSearchQuery = (api: FlatClient, q: string) =>
  queryOptions({
    queryKey: ["creators", "search", q],
    queryFn: async ({ signal }) => (await api.searchCreators({ q }, { signal })).creators,
  });

/** Creators, hashtags and communities for what a reader types. */
export const suggestionsQuery = (api: FlatClient, q: string) =>
  queryOptions({
    queryKey: ["creators", "suggestions", q.toLowerCase()],
    queryFn: ({ signal }) => api.suggestSearch({ q }, { signal }),
  });

export const followsQuery = (api: FlatClient) =>
  infiniteQueryOptions({
    queryKey: followsKey,
    queryFn: ({ pageParam, signal }): Promise<FollowsPage> =>
      api.listFollows(pageCursor(pageParam), { signal }),
    ...paging,
  });

export const analyticsQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["creators", "analytics"],
    queryFn: ({ signal }) => api.analytics({}, { signal }),
  });

/** Sets `following` in the cache; returns a function that restores the old value. */
export function changeFollowing(
  queryClient: QueryClient,
  creator: CreatorRef,
  following: boolean,
): () => void {
  const key = profileKey(creator);
  const before = queryClient.getQueryData<Creator>(key);
  queryClient.setQueryData<Creator>(
    key,
    (creator) =>
      creator && {
        ...creator,
        following,
        followerCount: creator.followerCount + Number(following) - Number(creator.following),
      },
  );
  return () => queryClient.setQueryData(key, before);
}

/**
 * Reads a profile again after a change. What is being read now may be from before it, and a first read that is under way would count as the
 * second one.
 */
export async function readProfileAgain(
  queryClient: QueryClient,
  { platform, author }: CreatorRef,
): Promise<void> {
  const filter = { queryKey: profileKey({ platform, author }), exact: true };
  await queryClient
    .getQueryCache()
    .find(filter)
    ?.promise?.catch(() => {});
  await queryClient.invalidateQueries(filter);
}

/** Removes a creator from the list of followed creators. */
export function removeFollow(queryClient: QueryClient, { platform, author }: CreatorRef): void {
  queryClient.setQueryData<InfiniteData<FollowsPage>>(followsKey, (list) =>
    mapPages(list, (page) => ({
      ...page,
      follows: page.follows.filter((follow) => follow.platform !== platform || follow.author !== author),
    })),
  );
}

/** One post per author, in the posts' order. */
export function authorsOf(posts: readonly Post[]): Post[] {
  const seen = new Set<string>();
  return posts.filter(({ platform, author }) => {
    const name = `${platform}/${author}`;
    return !seen.has(name) && seen.add(name);
  });
}
