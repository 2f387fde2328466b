import type { Batch } from "./model.ts";
import { Random } from "./random.ts";
import type { World } from "./world.ts";

/** The share of likes that come with a repost. */
const REPOSTED = 0.06;

/** Lets some of those who like a post repost it, too. `end` is that of the batch. */
export function addReposts(
  { posts, notifications }: Batch,
  { span }: World,
  first: number,
  end: number,
): void {
  const random = new Random("reposts", first);
  for (const post of posts)
    for (const account of post.likes) {
      if (!random.chance(REPOSTED)) continue;
      const createdAt = Math.floor(
        post.createdAt + (Math.min(end, span.end) - post.createdAt) * random.next(),
      );
      post.reposts.push({ id: 0, account, createdAt });
      if (post.author && post.author !== account)
        notifications.push({
          ...{
            type: "repost",
            id: 0,
            recipient: post.author,
            actor: account,
            post,
            comment: null,
            createdAt,
          },
        });
    }
}
