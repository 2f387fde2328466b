import type { Storage } from "@tandem/server/storage/storage";
import { sql } from "kysely";

/** Every row of every table as text, sorted: two dumps are equal when nothing was written between them. */
export type Dump = Record<string, string[]>;

/** Reads all there is, but for the one thing that reading changes: when a key was last used. */
export async function dump({ read }: Storage): Promise<Dump> {
  const found: Dump = {};
  for (const { name } of await read.introspection.getTables()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(read);
    found[name] = rows.map(asText).sort();
  }
  return found;
}

function asText({ last_used_at, ...row }: Record<string, unknown>): string {
  return Object.entries(row)
    .map(
      ([name, value]) =>
        `${name}=${Buffer.isBuffer(value) ? value.toString("base64") : JSON.stringify(value)}`,
    )
    .join(" ");
}
