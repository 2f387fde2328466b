import { limits } from "@tandem/contract/limits";
import { isPlatform } from "@tandem/contract/origins";
import { type Handlers, JsonText } from "../../http/context.ts";
import { readFeed, withoutLast } from "./feed.queries.ts";
import { type Selection, selectionOf } from "./feed-query.ts";
import { type SearchPage, searchFeed } from "./feed-search.ts";

export const feed = {
  listPosts: async (ctx, { platform, ...filters }) => {
    if (platform !== undefined && !isPlatform(platform)) return { posts: [], nextCursor: null };
    const input = { ...filters, platform };
    // The hot feed ends at this depth: beyond it, offsets cost too much.
    if (input.sort === "hot" && (input.cursor ?? 0) > limits.hotDepth) return { posts: [], nextCursor: null };
    const db = await ctx.recent();
    const selection = await selectionOf(db, input, ctx.caller);
    const page: SearchPage = await (isSearch(selection) ? searchFeed : readFeed)(db, selection);
    const more = page.ids.length > selection.take;
    const { posts, ids } = more ? withoutLast(page) : page;
    const next = more ? nextCursor(selection, ids.at(-1) ?? 0) : (page.stoppedAt ?? null);
    return new JsonText([`{"posts":[`, posts, `],"nextCursor":${ctx.nextPage(next)}}`]);
  },
} satisfies Handlers<"listPosts">;

const isSearch = ({ terms, posted }: Selection) => terms.length > 0 || posted !== null;

/** The id of the last post; in the hot feed, the offset of the next page. */
function nextCursor(
  { hot, skip, take }: { hot: boolean; skip: number; take: number },
  lastId: number,
): number | null {
  if (!hot) return lastId;
  return skip + take <= limits.hotDepth ? skip + take : null;
}
