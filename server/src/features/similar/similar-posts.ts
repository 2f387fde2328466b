import { limits } from "@tandem/contract/limits";
import { isPlatform } from "@tandem/contract/origins";
import { MAX_ID } from "@tandem/contract/schema";
import { sql } from "kysely";
import { invalid } from "../../http/api-error.ts";
import { type Handlers, JsonText } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import { describeTargets } from "../moderation/targets.ts";
import { shownPosts } from "../posts/feed.ts";
import { findPost } from "../posts/posts.queries.ts";
import { type PostsByMeaning, postsByMeaningOf } from "./posts-by-meaning.ts";

/** Posts that are looked at for a page: some are hidden from the caller, or filtered out. */
const CANDIDATES = 200;
/** In percent. What has less in common with what is asked for is no result. */
const LEAST_SIMILAR = 40;

export const similarPosts = {
  async listSimilarPosts(ctx, { q, postId, platform, ...filters }) {
    if ((q === undefined) === (postId === undefined))
      throw invalid(q === undefined ? "q" : "postId", "Send either `q` or `postId`.");
    if (postId !== undefined) await findPost(ctx.read, postId);
    const { similarPosts: available } = ctx.services.config;
    const isKnown = platform === undefined || isPlatform(platform);
    const ids = available && isKnown ? await similarTo(postsByMeaningOf(ctx.services), q ?? postId ?? 0) : [];
    const posts =
      ids.length > 0 && isKnown
        ? await shownPosts(ctx, await ctx.recent(), ids, { ...filters, platform })
        : [];
    return new JsonText([`{"posts":[`, posts.join(), `],"available":${available}}`]);
  },
  async listRepeatedPosts(ctx, { limit = limits.page.default, cursor = MAX_ID }) {
    const { rows } = await sql<{ id: number; near: number; percent: number }>`
      select m.post_id as id, m.near_id as near, m.near_percent as percent
      from post_meanings m join posts p on p.id = m.post_id
      where m.near_id is not null and m.post_id < ${cursor} and p.removed = 0
      order by m.post_id desc limit ${limit + 1}`.execute(ctx.read);
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    const posts = page.flatMap(({ id, near }) => [id, near]);
    const described = await describeTargets(
      ctx.read,
      posts.map((target_id) => ({ kind: "post", target_id })),
    );
    const targetAt = (i: number) => (described[i] as (typeof described)[number]).target;
    return {
      pairs: page.map(({ percent }, i) => ({
        post: targetAt(2 * i),
        earlier: targetAt(2 * i + 1),
        percent: Number(percent),
      })),
      nextCursor,
    };
  },
} satisfies Handlers<"listSimilarPosts" | "listRepeatedPosts">;

/** The ids of posts similar to a text or a post, the most similar first. */
async function similarTo(byMeaning: PostsByMeaning, what: string | number): Promise<number[]> {
  byMeaning.assertRoom();
  const to = typeof what === "string" ? ((await byMeaning.understand([what]))[0] ?? 0) : what;
  const neighbors = await byMeaning.nearest(to, CANDIDATES);
  return neighbors
    .filter(({ id, similarity }) => id !== what && similarity * 100 >= LEAST_SIMILAR)
    .map(({ id }) => id);
}
