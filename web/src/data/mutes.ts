import type { FlatClient } from "@tandem/client";
import type { Mute } from "@tandem/contract/mutes";
import { infiniteQueryOptions, type QueryClient } from "@tanstack/react-query";
import { authorKey } from "./hidden-posts.ts";
import { pageCursor, paging } from "./pagination.ts";
import { invalidateRelationships } from "./people.ts";
import { dropPosts } from "./posts.ts";

/** How long a mute can last, in days; 0 is permanently. */
export const muteTerms = [0, 1, 7, 30] as const;

/** The end of a mute that begins now. */
export const muteUntil = (days: number): { until?: string } =>
  days === 0 ? {} : { until: new Date(Date.now() + days * 86_400_000).toISOString() };

/** What a mute is of, as the API takes it. */
export type MuteTarget =
  | { platform: NonNullable<Mute["platform"]>; author: string }
  | { word: string }
  | { tag: string };

export const targetOf = ({ platform, author, word, tag }: Mute): MuteTarget => {
  if (word !== null) return { word };
  return platform !== null && author !== null ? { platform, author } : { tag: tag ?? "" };
};

export const mutesQuery = (api: FlatClient) =>
  infiniteQueryOptions({
    queryKey: ["people", "mutes"],
    queryFn: ({ pageParam, signal }): Promise<{ mutes: Mute[]; nextCursor: number | null }> =>
      api.listMutes(pageCursor(pageParam), { signal }),
    ...paging,
  });

/**
 * Updates the cache after a mute or unmute. A muted author's posts are taken out of feeds, so that the reader keeps their place; whatever
 * else changes is read again.
 */
export function applyMute(queryClient: QueryClient, target: MuteTarget, muted: boolean) {
  if ("author" in target && muted) dropPosts(queryClient, (post) => authorKey(post) === authorKey(target));
  else void queryClient.resetQueries({ queryKey: ["posts", "list"] });
  for (const key of ["comments", "origin-comments"]) void queryClient.invalidateQueries({ queryKey: [key] });
  return invalidateRelationships(queryClient);
}
