import type { Storage } from "@tandem/server/storage/storage";
import { sql } from "kysely";

/** Every row of every table as text, sorted. Two dumps are equal if nothing was written in between. */
export type Dump = Record<string, string[]>;

/** Cached, because reading the catalog takes longer than reading the rows, and tables don't change. */
const tablesOf = new WeakMap<Storage, Promise<string[]>>();

/** Reads everything except `last_used_at` of keys, which reading changes, and the quota of dry runs. */
export async function dump(storage: Storage): Promise<Dump> {
  const names = tablesOf.get(storage) ?? readTables(storage);
  tablesOf.set(storage, names);
  const found: Dump = {};
  for (const name of await names) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      storage.read,
    );
    found[name] = rows
      .filter(({ holder }) => !String(holder).startsWith("dry:"))
      .map(asText)
      .sort();
  }
  return found;
}

async function readTables({ read }: Storage): Promise<string[]> {
  return (await read.introspection.getTables()).map(({ name }) => name);
}

function asText({ last_used_at, ...row }: Record<string, unknown>): string {
  return Object.entries(row)
    .map(
      ([name, value]) =>
        `${name}=${Buffer.isBuffer(value) ? value.toString("base64") : JSON.stringify(value)}`,
    )
    .join(" ");
}
