import { limits } from "@tandem/contract/limits";
import type { CommunityHit } from "@tandem/contract/resources";
import { sql } from "kysely";
import type { Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { search } from "../creators/search.ts";
import { termsOf } from "../shared/terms.ts";

export const suggestions = {
  suggestSearch: async (ctx, { q }) => {
    const terms = termsOf(q);
    const db = await ctx.recent();
    const [creators, communities] = await Promise.all([
      search(db, terms, limits.suggestions),
      communitiesLike(db, q.trim()),
    ]);
    return { creators, communities };
  },
} satisfies Handlers<"suggestSearch">;

/** Sorts after all characters that a name can contain. */
const AFTER_LAST_CHARACTER = "\u{10ffff}";

/** ASCII only, as the index compares: databases differ in what else is a capital. */
export const lowerAscii = (text: string) => text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());

/** Whether a column of `sources` begins with this text, ignoring the case of ASCII letters. The column has an index for it. */
export function beginsWith(db: Db, column: "name" | "community", text: string) {
  const prefix = lowerAscii(text);
  const key = sql<string>`lower(s.${sql.ref(column)} ${db.engine.binaryCollation})`;
  return { key, condition: sql<boolean>`${key} >= ${prefix} and ${key} < ${prefix + AFTER_LAST_CHARACTER}` };
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
