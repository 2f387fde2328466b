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
  const all = await names;
  const found: Dump = Object.fromEntries(all.map((name) => [name, []]));
  for (const name of await filled(storage, all)) {
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

/** The tables that have rows, in one statement: most are empty, and reading each by itself takes PostgreSQL almost half a second. */
async function filled({ read }: Storage, names: readonly string[]): Promise<string[]> {
  const selects = names.map(
    (name) => sql`select ${sql.lit(name)} as name where exists (select 1 from ${sql.table(name)})`,
  );
  const { rows } = await sql<{ name: string }>`${sql.join(selects, sql` union all `)}`.execute(read);
  return rows.map(({ name }) => name);
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
