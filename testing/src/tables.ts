import type { Storage } from "@tandem/server/storage/storage";
import { sql } from "kysely";

/** Every row of every table as text, sorted: two dumps are equal when nothing was written between them. */
export type Dump = Record<string, string[]>;

/** Reads all there is, but for the one thing that reading changes: when a key was last used. */
export async function dump({ read }: Storage): Promise<Dump> {
  const tables = await read.introspection.getTables();
  const found: Dump = {};
  for (const { name } of tables) {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(read);
    found[name] = rows.map((row) => JSON.stringify({ ...row, last_used_at: undefined })).sort();
  }
  return found;
}
