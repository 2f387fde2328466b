import type { Handlers } from "../../http/context.ts";
import { accountsWithBlocks } from "../people/block-check.ts";
import { mutesOf } from "../shared/mutes.ts";
import { feedResponse } from "./feed.ts";
import { selectionOf } from "./feed-query.ts";
import { findOwnPost, findPost } from "./posts.queries.ts";
import { detachQuotes } from "./quotes.ts";

export const quoteLists = {
  async listQuotes(ctx, { id, ...page }) {
    const db = await ctx.recent();
    const { user_id } = await findPost(db, id);
    const mutes = await mutesOf(db, ctx.caller, ctx.now);
    const selection = await selectionOf(db, page, ctx.caller, mutes);
    // A block hides a quote from everyone, not only from the two.
    const ofAuthor = user_id === null ? [] : await accountsWithBlocks(db, user_id);
    const blocksOf = [...selection.blocksOf, ...ofAuthor];
    return feedResponse(ctx, db, { ...selection, quoted: id, blocksOf }, mutes);
  },
  detachQuote: (ctx, { id, quotingId }) =>
    ctx.write(async (tx) => {
      const post = await findOwnPost(tx, id, ctx.caller);
      await detachQuotes(tx, post, quotingId);
      return { detached: true };
    }),
} satisfies Handlers<"listQuotes" | "detachQuote">;
