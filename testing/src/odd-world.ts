import { join } from "node:path";
import { seed } from "@tandem/server/cli/seed/seed";
import { insertInto } from "@tandem/server/storage/bulk";
import { openSqlite } from "@tandem/server/storage/sqlite/sqlite";
import type { Db } from "@tandem/server/storage/storage";
import { sql } from "kysely";

/** Texts that storing, sorting or comparing may stumble over. */
export const oddTexts = [
  "",
  " ",
  "😀 👩‍👩‍👧 e\u0301 é",
  "\u202eשלום עליכם\u202c مرحبا",
  "line\u2028paragraph\u2029end\r\n\t\u0001\u0007",
  `quotes ' " \\ ; -- $1 ? %s {} [] ,`,
  "\ufeffmark \uffff \u{10ffff}",
  "long ".repeat(20_000),
];

/** The greatest whole number that is exact, less one: room for a row after it. */
export const GREATEST = Number.MAX_SAFE_INTEGER - 1;

/** Keeps in that directory a demo world and, in every table, what is rare: rows that a move between engines may spoil. */
export async function makeOddWorld(dataDir: string, posts: number): Promise<void> {
  const storage = await openSqlite(join(dataDir, "tandem.db"), { bulkLoad: true });
  await seed(storage, { posts });
  await storage.write(async (tx) => {
    await addOddRows(tx);
    await fillEmptyTables(tx);
  });
  await storage.close();
}

async function addOddRows(tx: Db): Promise<void> {
  const comments = await tx.engine.reserveIds(tx, "comments", oddTexts.length);
  const rows = oddTexts.map((body, i) => ({
    ...{ id: comments + i, post_id: 1, user_id: null, body, is_ai: 0, created_at: -i },
    ...{ like_count: 0, reply_count: 0, deleted: 0, edited_at: null },
    // Each answers one that comes after it, and the last nothing.
    parent_id: i + 1 < oddTexts.length ? comments + i + 1 : null,
  }));
  await tx.insertInto("comments").values(rows).execute();
  const ranks = [0.1 + 0.2, 1e-300, Number.MAX_VALUE, -12345.678901234567, 2 ** 60];
  for (const [i, hot_rank] of ranks.entries()) {
    await tx
      .updateTable("posts")
      .set({ hot_rank })
      .where("id", "=", 1 + i)
      .execute();
  }
  const source = { platform: "rss", community: null } as const;
  await tx
    .insertInto("sources")
    .values({ ...source, id: GREATEST, name: "great" })
    .execute();
  // Nobody has these ids any more, and nobody is to get them again.
  const gone = await tx.engine.reserveIds(tx, "users", 3);
  const first = await tx.selectFrom("users").selectAll().orderBy("id").executeTakeFirstOrThrow();
  const copy = (id: number, operator_id: number | null) => ({
    ...{ ...first, id, operator_id },
    ...{ username_key: `odd ${id}`, email_key: `odd ${id}` },
  });
  await tx
    .insertInto("users")
    .values([copy(gone, gone + 1), copy(gone + 1, null), copy(gone + 2, null)])
    .execute();
  await tx
    .deleteFrom("users")
    .where("id", "=", gone + 2)
    .execute();
}

/** A row of ones in every table that has none: so that no table, however new, moves only in theory. */
async function fillEmptyTables(tx: Db): Promise<void> {
  const shapes = await tx.introspection.getTables();
  for (const { name } of await tx.engine.catalog.tables(tx)) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(tx);
    const columns = shapes.find((shape) => shape.name === name)?.columns ?? [];
    if (rows.length > 0 || name.startsWith("kysely")) continue;
    const row = Object.fromEntries(columns.map((c) => [c.name, c.dataType === "text" ? "1" : 1]));
    await insertInto(tx, name, Object.keys(row), [row]);
  }
}
