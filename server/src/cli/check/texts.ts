import { sql } from "kysely";
import { searchText } from "../../features/posts/posts.queries.ts";
import { fold } from "../../storage/fold.ts";
import type { IndexedText, TextIndex } from "../../storage/search.ts";
import type { Db } from "../../storage/storage.ts";
import { contentOf, readableContent } from "./content.ts";
import { type Finding, isDecided, isIn, type Keys, type Rule } from "./rule.ts";

interface Text {
  id: number;
  /** The text as the row says; null if it must not be found. */
  expected: string | null;
  /** What the search has. */
  found: string | null;
}

function searchRule(
  what: string,
  table: "posts" | "creators",
  indexOf: (db: Db) => TextIndex,
  read: (db: Db, keys: Keys) => Promise<Text[]>,
): Rule {
  return {
    what,
    table,
    key: "id",
    async find(db, keys) {
      const findings: Finding[] = [];
      const right: IndexedText[] = [];
      for (const { id, expected, found } of await read(db, keys)) {
        if (expected !== found) findings.push({ key: id, detail: `the search has ${describe(found)}` });
        else if (found !== null) right.push({ id, folded: found });
      }
      const lacking = await indexOf(db).unindexed(db, right);
      return [
        ...findings,
        ...lacking.map((key) => ({ key, detail: "the search index lacks it or has other words" })),
      ];
    },
    async repair(tx, keys) {
      for (const { id, expected } of await read(tx, keys)) {
        if (expected === null) await indexOf(tx).remove(tx, sql<number>`select ${id}`);
        else await indexOf(tx).put(tx, id, expected);
      }
    },
  };
}

function describe(found: string | null): string {
  return found === null ? "no text of it" : "another text of it";
}

const postTexts = searchRule(
  "a post is found by its words",
  "posts",
  (db) => db.engine.postSearch,
  async (db, keys) => {
    const { rows } = await sql<{ id: number; removed: number; fragment: string; folded: string | null }>`
      select p.id, p.removed, p.fragment, x.folded from posts p left join post_texts x on x.post_id = p.id
      where ${isIn(db, sql`p.id`, keys)} and ${isDecided("p")}`.execute(db);
    return rows.flatMap(({ id, removed, fragment, folded: found }): Text[] => {
      if (removed === 1) return [{ id, expected: null, found }];
      const content = contentOf(fragment);
      return content ? [{ id, expected: searchText(content), found }] : [];
    });
  },
);

const creatorTexts = searchRule(
  "a creator is found by name",
  "creators",
  (db) => db.engine.creatorSearch,
  async (db, keys) => {
    const { rows } = await sql<{ id: number; author: string; folded: string | null }>`
      select c.id, c.author, x.folded from creators c left join creator_texts x on x.creator_id = c.id
      where c.id > 0 and ${isIn(db, sql`c.id`, keys)}`.execute(db);
    return rows.map(({ id, author, folded: found }) => ({ id, expected: fold(author), found }));
  },
);

/** What posts show and what feeds filter by. */
const shownFacts: Rule = {
  what: "a post is filtered by what it shows",
  table: "posts",
  key: "id",
  async find(db, keys) {
    return (await readFacts(db, keys)).flatMap(({ id, row, facts }) =>
      row === facts ? [] : [{ key: id, detail: `its columns say ${row} and it shows ${facts}` }],
    );
  },
  // A restored post gets its columns from what it shows, too.
  async repair(tx, keys) {
    for (const { id, shown } of await readFacts(tx, keys))
      await tx
        .updateTable("posts")
        .set({
          platform: shown.platform,
          media_type: shown.mediaType,
          provenance: shown.provenance,
          basis: shown.provenanceBasis,
        })
        .where("id", "=", id)
        .execute();
  },
};

async function readFacts(db: Db, keys: Keys) {
  const rows = await db
    .selectFrom("posts as p")
    .select(["p.id", "p.platform", "p.media_type", "p.provenance", "p.basis", "p.fragment"])
    .where(isIn(db, sql`p.id`, keys))
    .where("p.removed", "=", 0)
    .where(isDecided("p"))
    .execute();
  return rows.flatMap(({ id, platform, media_type, provenance, basis, fragment }) => {
    const shown = contentOf(fragment);
    if (!shown) return [];
    const facts = [shown.platform, shown.mediaType, shown.provenance, shown.provenanceBasis].join(", ");
    return [{ id, shown, row: [platform, media_type, provenance, basis].join(", "), facts }];
  });
}

export const textRules: readonly Rule[] = [readableContent, postTexts, creatorTexts, shownFacts];
