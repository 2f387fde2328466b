import { limits } from "@tandem/contract/limits";
import type { Tag } from "@tandem/contract/resources";
import { type RawBuilder, sql } from "kysely";
import type { Context, Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { tagKey as muteKey } from "../shared/muted-text.ts";
import { mutesOf } from "../shared/mutes.ts";
import { isPrefixOf } from "../shared/prefix.ts";
import { tagKey } from "./tag-uses.ts";

/** Of the hashtags that most people use, how many are considered as suggestions. Others are suggested in their order. */
const POPULAR = 500;

export const tags = {
  listTags: async (ctx, { q }) => {
    const db = await ctx.recent();
    return { tags: await (q === undefined ? shownTags(ctx, db, trending(db)) : tagsLike(ctx, db, q)) };
  },
} satisfies Handlers<"listTags">;

/** Hashtags that begin with this text, which may have their sign, those that most people use first. */
export const tagsLike = (ctx: Context, db: Db, text: string): Promise<Tag[]> =>
  shownTags(ctx, db, beginningWith(db, tagKey(text.trim().replace(/^#/, ""))));

/** Without those that the caller mutes. */
async function shownTags(ctx: Context, db: Db, query: RawBuilder<Tag>): Promise<Tag[]> {
  const { rows } = await query.execute(db);
  const mutes = await mutesOf(db, ctx.caller, ctx.now);
  return mutes ? rows.filter(({ name }) => !mutes.tags.has(muteKey(name))) : rows;
}

const name = (db: Db) => sql<string>`tag ${db.engine.binaryCollation}`;

export const trending = (db: Db) => sql<Tag>`
  select name, people from tags
  order by people desc, ${name(db)} limit ${limits.trendingTags}`;

export function beginningWith(db: Db, prefix: string) {
  const matches = isPrefixOf(prefix, name(db));
  return sql<Tag>`
    select name, people from (
      select tag, name, people from (
        select tag, name, people from tags order by people desc, ${name(db)} limit ${POPULAR}
      ) as popular where ${matches}
      union select tag, name, people from (
        select tag, name, people from tags where ${matches} order by ${name(db)} limit ${limits.completions}
      ) as next
    ) as found order by people desc, ${name(db)} limit ${limits.completions}`;
}
