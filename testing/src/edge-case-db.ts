import { join } from "node:path";
import { seed } from "@tandem/server/cli/seed/seed";
import { insertInto } from "@tandem/server/storage/bulk";
import { openSqlite } from "@tandem/server/storage/sqlite/sqlite";
import type { Db } from "@tandem/server/storage/storage";
import { sql } from "kysely";

/** Texts that often break storing, sorting or comparing. */
export const edgeCaseTexts = [
  "",
  " ",
  "😀 👩‍👩‍👧 e\u0301 é",
  "\u202eשלום עליכם\u202c مرحبا",
  "line\u2028paragraph\u2029end\r\n\t\u0001\u0007",
  `quotes ' " \\ ; -- $1 ? %s {} [] ,`,
  "\ufeffmark \uffff \u{10ffff}",
  "long ".repeat(20_000),
];

/** The largest safe integer less one, to leave room for one more row. */
export const MAX_ID = Number.MAX_SAFE_INTEGER - 1;

/** Creates a SQLite database in a directory, with demo data and rows that a migration between databases might corrupt. */
export async function makeEdgeCaseDatabase(dataDir: string, posts: number): Promise<void> {
  const storage = await openSqlite(join(dataDir, "tandem.db"), { bulkLoad: true });
  await seed(storage, { posts });
  await storage.write(async (tx) => {
    await addEdgeCaseRows(tx);
    await fillEmptyTables(tx);
  });
  await storage.close();
}

async function addEdgeCaseRows(tx: Db): Promise<void> {
  const comments = await tx.engine.reserveIds(tx, "comments", edgeCaseTexts.length);
  const rows = edgeCaseTexts.map((body, i) => ({
    ...{ id: comments + i, post_id: 1, user_id: null, body, is_ai: 0, created_at: -i },
    ...{ like_count: 0, reply_count: 0, deleted: 0, edited_at: null },
    // Each is a reply to the next one, so that parents follow their replies.
    parent_id: i + 1 < edgeCaseTexts.length ? comments + i + 1 : null,
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
    .values({ ...source, id: MAX_ID, name: "great" })
    .execute();
  // Ids of deleted rows, which must never be reused.
  const unusedIds = await tx.engine.reserveIds(tx, "users", 3);
  const first = await tx.selectFrom("users").selectAll().orderBy("id").executeTakeFirstOrThrow();
  const copy = (id: number, operator_id: number | null) => ({
    ...{ ...first, id, operator_id },
    ...{ username_key: `odd ${id}`, email_key: `odd ${id}` },
  });
  await tx
    .insertInto("users")
    .values([copy(unusedIds, unusedIds + 1), copy(unusedIds + 1, null), copy(unusedIds + 2, null)])
    .execute();
  await tx
    .deleteFrom("users")
    .where("id", "=", unusedIds + 2)
    .execute();
}

/** Adds a row of ones to every empty table, so that every table, also a new one, is really tested. */
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
