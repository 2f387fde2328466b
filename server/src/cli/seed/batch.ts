import { engage } from "./engagement.ts";
import type { Batch } from "./plan.ts";
import { makePost } from "./posts.ts";
import type { World } from "./world.ts";

/** Posts per transaction: enough to be fast, few enough not to block other writers for long. */
export const BATCH = 2000;

/** The posts of one batch and all that happened on them, in the order of time. */
export function planBatch(world: World, first: number): Batch {
  const random = world.random("posts", first);
  const end = Math.min(first + BATCH, world.posts);
  const until = timeOf(world, end);
  const batch: Batch = { posts: [], comments: [], notices: [] };
  for (let number = first; number < end; number += 1) {
    const postedAt = timeOf(world, number + 0.9 * random.next());
    const post = makePost(random, world, postedAt, until);
    const { comments, notices } = engage(random, world, post, until);
    batch.posts.push(post);
    batch.comments.push(...comments);
    batch.notices.push(...notices);
  }
  // Sorting keeps those of one moment as they are: a comment stays before its replies.
  batch.comments.sort((a, b) => a.at - b.at);
  batch.notices.sort((a, b) => a.at - b.at);
  return batch;
}

function timeOf({ span, posts }: World, number: number): number {
  return Math.floor(span.from + ((span.at - span.from) * number) / posts);
}
