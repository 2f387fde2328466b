import { limits } from "@tandem/contract/limits";
import { nativePlatform } from "@tandem/contract/origins";
import type { CommunityHit } from "@tandem/contract/resources";
import { sql } from "kysely";
import type { Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { communityNamesLike } from "../communities/list.queries.ts";
import { search } from "../creators/search.ts";
import { isPrefixOf } from "../shared/prefix.ts";
import { termsOf } from "../shared/terms.ts";
import { tagsLike } from "../tags/tags.ts";

export const suggestions = {
  suggestSearch: async (ctx, { q }) => {
    const terms = termsOf(q);
    const db = await ctx.recent();
    const [creators, tags, native, imported] = await Promise.all([
      search(db, terms, limits.suggestions),
      tagsLike(ctx, db, q),
      nativeLike(db, q.trim()),
      communitiesLike(db, q.trim()),
    ]);
    const communities = [...native, ...imported].slice(0, limits.suggestions);
    return { creators, tags: tags.slice(0, limits.suggestions), communities };
  },
} satisfies Handlers<"suggestSearch">;

/** Whether a column of `sources` begins with this text, ignoring the case of ASCII letters. The column has an index for it. */
export function beginsWith(db: Db, column: "name" | "community", text: string) {
  const key = sql<string>`lower(s.${sql.ref(column)} ${db.engine.binaryCollation})`;
  return { key, condition: isPrefixOf(text, key) };
}

/** The communities of this service whose name begins with this text. */
async function nativeLike(db: Db, text: string): Promise<CommunityHit[]> {
  const names = await communityNamesLike(db, text);
  return names.map((community) => ({ platform: nativePlatform, community }));
}

/** The communities whose name begins with this text, of sources that have had posts. A hashtag may be given with its sign. */
async function communitiesLike(db: Db, text: string): Promise<CommunityHit[]> {
  const { key, condition } = beginsWith(db, "community", text.replace(/^#/, ""));
  const { rows } = await sql<CommunityHit>`
    select s.platform, s.community from sources s where ${condition} and s.imported > 0
    group by ${key}, s.platform, s.community order by ${key}, s.platform limit ${limits.suggestions}`.execute(
    db,
  );
  return rows;
}
