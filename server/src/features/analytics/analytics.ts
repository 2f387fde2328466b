import { limits } from "@tandem/contract/limits";
import type { TopPost } from "@tandem/contract/post-resources";
import type { Handlers } from "../../http/context.ts";
import { fromFragment } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { recentClicks } from "../shop/clicks.ts";

export const analytics = {
  analytics: async (ctx) => {
    const { userId } = ctx.caller;
    const creator = await ctx.read
      .selectFrom("creators")
      .select(["id", "post_count", "view_count", "like_count", "comment_count", "click_count"])
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    const totals = {
      posts: creator.post_count,
      views: creator.view_count,
      likes: creator.like_count,
      comments: creator.comment_count,
      productClicks: creator.click_count,
      productClicks7d: await recentClicks(ctx.read, userId, ctx.now),
    };
    return { totals, topPosts: await topPosts(ctx.read, creator.id) };
  },
} satisfies Handlers<"analytics">;

async function topPosts(db: Db, creatorId: number): Promise<TopPost[]> {
  const rows = await db
    .selectFrom("posts as p")
    .select(["p.id", "p.fragment", "p.view_count", "p.like_count", "p.comment_count", "p.click_count"])
    .where("p.creator_id", "=", creatorId)
    .orderBy("p.view_count", "desc")
    .orderBy("p.id", "desc")
    .limit(limits.topPosts)
    .execute();
  return rows.map((row) => {
    const { title, provenance, provenanceBasis, mediaType, thumbnailUrl, postedAt } = fromFragment(
      row.fragment,
    );
    return {
      id: row.id,
      title,
      provenance,
      provenanceBasis,
      mediaType,
      thumbnailUrl,
      viewCount: row.view_count,
      likeCount: row.like_count,
      commentCount: row.comment_count,
      productClicks: row.click_count,
      postedAt,
    };
  });
}
