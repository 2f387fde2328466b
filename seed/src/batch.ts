import { addEngagement } from "./engagement.ts";
import type { Batch } from "./model.ts";
import { addPolls } from "./polls.ts";
import { createPost } from "./posts.ts";
import { addQuotes } from "./quotes.ts";
import { addReposts } from "./reposts.ts";
import type { World } from "./world.ts";

/** Posts per batch, and so per transaction: enough to be fast, few enough not to block other writers for long. */
export const BATCH_SIZE = 2000;

/** A batch of posts and everything that happened to them. `first` counts from 0. */
export function createBatch(world: World, first: number): Batch {
  const random = world.random("posts", first);
  const last = Math.min(first + BATCH_SIZE, world.posts);
  const end = timeOf(world, last);
  const batch: Batch = { posts: [], comments: [], notifications: [] };
  for (let number = first; number < last; number += 1) {
    const createdAt = timeOf(world, number + 0.9 * random.next());
    const post = createPost(random, world, createdAt, end);
    const { comments, notifications } = addEngagement(random, world, post, end);
    batch.posts.push(post);
    batch.comments.push(...comments);
    batch.notifications.push(...notifications);
  }
  addPolls(batch, world, first, last === world.posts);
  addQuotes(batch, first);
  // In the last batch, so that posts have the first ids without a gap.
  if (last === world.posts) addReposts(batch, world, first, end);
  // Sorting is stable, so a comment stays before its replies.
  batch.comments.sort((a, b) => a.createdAt - b.createdAt);
  batch.notifications.sort((a, b) => a.createdAt - b.createdAt);
  return batch;
}

function timeOf({ span, posts }: World, number: number): number {
  return Math.floor(span.start + ((span.end - span.start) * number) / posts);
}
