import { limits } from "@tandem/contract/limits";
import { isPlatform } from "@tandem/contract/origins";
import type { Post } from "@tandem/contract/post-resources";
import { MAX_ID } from "@tandem/contract/schema";
import type { Caller } from "../../http/caller.ts";
import { type Context, type Handlers, JsonText } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { isMutedPost, type Mutes, mutesOf, muteTexts } from "../shared/mutes.ts";
import { areIncomplete, completePosts } from "./complete-posts.ts";
import {
  asSent,
  cursorAfter,
  type NextPage,
  partsOf,
  readFeed,
  readPosts,
  withoutLast,
} from "./feed.queries.ts";
import { shownIds } from "./feed-ids.ts";
import { isChosen, isSearch, type Selection, selectionOf } from "./feed-query.ts";
import { type SearchPage, searchFeed } from "./feed-search.ts";
import { withTags } from "./followed-tags.ts";
import { withoutMutedTexts } from "./muted-texts.ts";
import type { Reading } from "./quotes.ts";
import { withReposts } from "./repost-lists.ts";
import { sharedResponse } from "./shared-pages.ts";

export const feed = {
  listPosts: async (ctx, { platform, ...filters }) => {
    if (platform !== undefined && !isPlatform(platform)) return { posts: [], nextCursor: null };
    const input = { ...filters, platform };
    const db = await ctx.recent();
    const mutes = isChosen(input) ? null : await mutesOf(db, ctx.caller, ctx.now);
    const selection = await selectionOf(db, input, ctx.caller, mutes);
    return feedResponse(ctx, db, selection, mutes);
  },
} satisfies Handlers<"listPosts">;

/** Pages that {@link latestFollowed} reads at most: those of muted texts can be empty. */
const MOST_PAGES = 20;

/** The latest posts by creators that a reader follows, with ids above `after`, newest first: at most `limit`. */
export async function latestFollowed(
  db: Db,
  reader: Caller,
  { after, now, limit }: { after: number; now: number; limit: number },
): Promise<Post[]> {
  const mutes = await mutesOf(db, reader, now);
  const found: Post[] = [];
  const followed = await selectionOf(db, { followed: 1, limit: limits.page.max }, reader, mutes);
  let below = MAX_ID;
  for (let page = 0; page < MOST_PAGES && below > after && found.length < limit; page++) {
    const creators = { ...followed, followedTags: 0, followedCommunities: 0, reposts: false };
    const read = await readPage(db, { ...creators, below }, mutes);
    found.push(...(JSON.parse(`[${asSent(read)}]`) as Post[]).filter(({ id }) => id > after));
    below = read.next ?? 0;
  }
  return found.slice(0, limit);
}

/** Those of these posts that the caller's feed with these filters shows, in the given order, as JSON; at most `limit`. */
export async function shownPosts(
  ctx: Context,
  db: Db,
  ids: readonly number[],
  filters: Parameters<typeof selectionOf>[1],
): Promise<string[]> {
  const mutes = await mutesOf(db, ctx.caller, ctx.now);
  const selection = await selectionOf(db, filters, ctx.caller, mutes);
  const { rows } = await shownIds(db, ids, selection).execute(db);
  const allowed = new Set(rows.map(({ id }) => Number(id)));
  const shown: string[] = [];
  let rest = ids.filter((id) => allowed.has(id));
  for (const { take } = selection; rest.length > 0 && shown.length < take; rest = rest.slice(take)) {
    const batch = rest.slice(0, take);
    const page = await readPosts(db, batch, selection);
    const parts = new Map(partsOf(page).map((part, i) => [page.ids[i], part]));
    const posts = batch.flatMap((id) => parts.get(id) ?? []);
    shown.push(...posts.filter((post) => !mutes || !isMutedPost(mutes, JSON.parse(post))));
  }
  return completePosts(db, shown.slice(0, selection.take), ctx);
}

/** A page of posts as the caller sees them. */
export async function feedResponse(
  ctx: Context,
  db: Db,
  selection: Selection,
  mutes: Mutes | null,
): Promise<JsonText> {
  const shared = await sharedResponse(ctx, db, selection, mutes);
  if (shared) return shared;
  const page = await readPage(db, selection, mutes);
  const posts = await complete(db, page, ctx);
  return new JsonText([`{"posts":[`, posts, `],"nextCursor":${ctx.nextPage(page.next)}}`]);
}

async function complete(db: Db, page: NextPage, reading: Reading): Promise<string | Buffer> {
  if (Buffer.isBuffer(page.posts) && !areIncomplete(page.posts)) return page.posts;
  return asSent({ ...page, posts: await completePosts(db, partsOf(page), reading) });
}

/** A page without muted posts, and the cursor of the next one; null after the last. */
function readPage(db: Db, selection: Selection, mutes: Mutes | null): Promise<NextPage> {
  const read = (s: Selection) => readAll(db, s);
  return mutes && muteTexts(mutes) ? withoutMutedTexts(read, selection, mutes) : read(selection);
}

async function readAll(db: Db, selection: Selection): Promise<NextPage> {
  // The hot feed ends at this depth: beyond it, offsets cost too much.
  if (selection.hot && selection.skip > limits.hotDepth)
    return { posts: Buffer.alloc(0), ids: [], next: null };
  const found: SearchPage = await (isSearch(selection) ? searchFeed : readFeed)(db, selection);
  const reposted: SearchPage = selection.reposts ? await withReposts(db, found, selection) : found;
  const page: SearchPage = selection.followedTags > 0 ? await withTags(db, reposted, selection) : reposted;
  const more = page.ids.length > selection.take;
  const { posts, ids } = more ? withoutLast(page) : page;
  const next = more ? cursorAfter(selection, ids) : (page.stoppedAt ?? null);
  return { posts, ids, next };
}
