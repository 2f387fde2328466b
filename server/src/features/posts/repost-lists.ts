import { limits } from "@tandem/contract/limits";
import type { Reposter } from "@tandem/contract/post-resources";
import { MAX_ID } from "@tandem/contract/schema";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { notFound } from "../../http/api-error.ts";
import { type Handlers, JsonText } from "../../http/context.ts";
import { idRows, idsJson } from "../../storage/id-rows.ts";
import { prepared } from "../../storage/prepared.ts";
import type { UserRow } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";
import { findPublicCreator } from "../creators/creators.queries.ts";
import { notBlocked } from "../people/block-check.ts";
import { isMutedPost, mutesOf, muteTexts } from "../shared/mutes.ts";
import { completePosts } from "./complete-posts.ts";
import { type FeedPage, partsOf, preparedByShape, readPosts } from "./feed.queries.ts";
import { itemConditions, showsAiOf, showsRepostsOf } from "./feed-ids.ts";
import { type Selection, selectionOf } from "./feed-query.ts";

export const repostLists = {
  async listCreatorReposts(ctx, { platform, author, limit = limits.page.default, cursor = MAX_ID }) {
    const db = await ctx.recent();
    const creator = await findPublicCreator(db, platform, author);
    if (creator === undefined) throw notFound("creator");
    const mutes = await mutesOf(db, ctx.caller, ctx.now);
    const s = await selectionOf(db, {}, ctx.caller, mutes);
    // Like comments: a block between the reader and the creator hides them.
    const unblocked = s.blocksOf.map((id) => notBlocked(sql`${id}`, sql`${creator}`));
    const conditions = sql.join([visible(s), ...unblocked], sql` and `);
    const { rows } = await sql<Repost>`
      select r.id, r.post_id, r.user_id, r.by_ai from reposts r join posts p on p.id = r.post_id
      where r.creator_id = ${creator} and r.id < ${cursor} and ${conditions}
      order by r.id desc limit ${sql.lit(limit + 1)}`.execute(db);
    const page = rows.slice(0, limit);
    const found = await postsById(db, page, s);
    const shown = page.flatMap(({ post_id: id }) => {
      const json = found.get(id);
      const isMuted = json !== undefined && mutes && muteTexts(mutes) && isMutedPost(mutes, JSON.parse(json));
      return json === undefined || isMuted ? [] : [json];
    });
    const next = rows.length > limit ? (page.at(-1)?.id ?? null) : null;
    const posts = await completePosts(db, shown, ctx);
    return new JsonText(`{"posts":[${posts.join()}],"nextCursor":${ctx.nextPage(next)}}`);
  },
} satisfies Handlers<"listCreatorReposts">;

interface Repost {
  id: number;
  post_id: number;
  user_id: number;
  by_ai: number;
}

/** What a feed asks of a post `p`, besides whose it is. */
const visible = (s: Selection): RawBuilder<unknown> =>
  sql.join([sql`p.removed = 0`, ...itemConditions({ ...s, followed: true })], sql` and `);

async function postsById(db: Db, reposts: readonly Repost[], s: Selection): Promise<Map<number, string>> {
  if (reposts.length === 0) return new Map();
  const ids = reposts.map(({ post_id }) => post_id);
  const page = await readPosts(db, ids, s);
  return new Map(partsOf(page).map((json, i) => [page.ids[i] ?? 0, json]));
}

/**
 * A page of followed creators' posts with those that they reposted among them, each post once: where the latest of these put it.
 * `posts` are one more than the page takes if there are more, and none that is reposted.
 */
export async function withReposts(db: Db, posts: FeedPage, s: Selection): Promise<FeedPage> {
  // Those that would come after a full page needn't be read.
  const above = posts.ids.length > s.take ? (posts.ids.at(-1) ?? 0) : 0;
  const reposts = await followedReposts(db, { ...s, above });
  if (reposts.length === 0) return posts;
  const [found, reposters] = await Promise.all([postsById(db, reposts, s), repostersOf(db, reposts)]);
  const items = [
    ...partsOf(posts).map((json, i) => ({ id: posts.ids[i] ?? 0, json })),
    ...reposts.flatMap(({ id, post_id, user_id, by_ai }) => {
      const [json, by] = [found.get(post_id), reposters.get(user_id)];
      if (json === undefined || !by) return [];
      const repostedBy: Reposter = { ...by, byAi: by_ai === 1 };
      return [{ id, json: `${json.slice(0, -1)},"repostedBy":${JSON.stringify(repostedBy)}}` }];
    }),
  ];
  const page = items.sort((a, b) => b.id - a.id).slice(0, s.take + 1);
  return { posts: page.map(({ json }) => json), ids: page.map(({ id }) => id) };
}

/**
 * Reposts by followed creators, the latest of each post. As with posts, first each creator's latest is found; only of those that can be on
 * the page are more read.
 */
const followedReposts = preparedByShape<Repost>((_, s) => {
  const take = sql.lit(s.take + 1);
  const shown = sql`r.id < ${s.below} and r.id > ${s.above} and ${showsAiOf(s, "r")} and exists (select 1 from posts p where p.id = r.post_id and ${visible(s)})
    and not exists (select 1 from reposts later where later.post_id = r.post_id and later.id > r.id
      and ${showsAiOf(s, "later")} and ${showsRepostsOf(s, sql`later.creator_id`)})`;
  const best = sql`select r.id from reposts r where r.creator_id = f.creator_id and ${shown} order by r.id desc limit 1`;
  // Materialized, because planners would look for each creator's latest twice.
  return sql<Repost>`
    with bests as materialized (select f.creator_id, (${best}) as best from follows f where f.user_id = ${s.caller}),
    top as materialized (
      select * from bests where best is not null and ${showsRepostsOf(s, sql`bests.creator_id`)} order by best desc limit ${take}
    )
    select r.id, r.post_id, r.user_id, r.by_ai from top join reposts r on r.creator_id = top.creator_id
    where r.id >= (select case when count(*) < ${take} then 0 else min(best) end from top) and ${shown}
    order by r.id desc limit ${take}`;
});

/** Those who reposted, by their ids. */
async function repostersOf(db: Db, reposts: readonly Repost[]) {
  const ids = new Set(reposts.map(({ user_id }) => user_id));
  const rows = await usersById(db, { ids: idsJson(ids) });
  return new Map(
    rows.map(({ id, username, display_name: displayName, role }) => [
      id,
      { username, displayName, isAgent: role === "agent" },
    ]),
  );
}

type User = Pick<Selectable<UserRow>, "id" | "username" | "display_name" | "role">;

const usersById = prepared<{ ids: string }, User>((db, { ids }) =>
  sql<User>`select id, username, display_name, role from users
    where id in (${idRows(db, ids)})`.compile(db),
);
