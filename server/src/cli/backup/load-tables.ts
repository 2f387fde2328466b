import { sql } from "kysely";
import type { Row } from "../../storage/bulk.ts";
import type { Table } from "../../storage/catalog.ts";
import { createSchema } from "../../storage/migrate.ts";
import type { Db } from "../../storage/storage.ts";
import { addToSum, isSame, nothing, type Sum } from "../migrate/checksum.ts";
import { addRows, emptyTable } from "../migrate/rows.ts";
import { sumOf } from "../migrate/verify.ts";
import { counting, type OnProgress } from "../progress.ts";
import { Refusal } from "../refusal.ts";
import { damaged, readArchive } from "./archive.ts";
import { type Manifest, tableOfPart } from "./manifest.ts";
import { readPart } from "./verify.ts";

/** Rows per insert, and per query when they are compared. */
const BATCH = 500;

/** Creates the tables of a verified backup in an empty database, within one transaction, and compares them with it. */
export async function loadTables(
  tx: Db,
  path: string,
  { schema, tables }: Manifest,
  onProgress: OnProgress,
): Promise<void> {
  await createSchema(tx, schema);
  const { catalog } = tx.engine;
  const targets = matchTables(tables, await catalog.tables(tx));
  const deferred = await catalog.deferredObjects(tx);
  for (const { drop } of deferred) await sql.raw(drop).execute(tx);
  // Rows that schema migrations inserted come from the backup too.
  for (const table of targets.values()) await emptyTable(tx, table);
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  const sums = await loadRows(tx, path, targets, counting("rows restored", total, onProgress));
  for (const { name, rows } of tables)
    if ((sums.get(name) ?? nothing).rows !== rows) throw damaged(`table ${name} isn't complete`);
  const compared = counting("rows compared", total, onProgress);
  for (const [name, table] of targets) {
    if (!isSame(sums.get(name) ?? nothing, await sumOf(tx, table, BATCH, compared)))
      throw new Refusal(`Table ${name} in the database differs from the backup. Nothing was changed.`);
  }
  for (const { name, lastId } of tables) if (lastId !== null) await catalog.setLastId(tx, name, lastId);
  const indexed = counting("indexes and foreign keys", deferred.length, onProgress);
  for (const { create } of deferred) {
    await sql.raw(create).execute(tx);
    indexed(1);
  }
  const broken = (await catalog.brokenReferences(tx)).map(({ table }) => table);
  if (broken.length > 0)
    throw new Refusal(`Rows of ${[...new Set(broken)].join(", ")} reference missing rows.`);
  await forgetPlaces(tx);
  await catalog.analyze(tx);
}

/** What holds only where the backup was made: transaction positions, and files that backups don't contain. */
async function forgetPlaces(tx: Db): Promise<void> {
  await tx.updateTable("quota_windows").set({ position: 0 }).where("position", "<>", 0).execute();
  await tx.deleteFrom("exports").where("ready", "=", 1).execute();
  // Backups are also of earlier versions.
  if (await tx.engine.catalog.has(tx, "remote_pictures")) await tx.deleteFrom("remote_pictures").execute();
}

/** The created tables by name. Their columns may be in another order than in the backup. */
function matchTables(given: Manifest["tables"], created: readonly Table[]): Map<string, Table> {
  const byName = new Map(created.map((table) => [table.name, table]));
  return new Map(
    given.map(({ name, columns }) => {
      const table = byName.get(name);
      if (table?.columns.toSorted().join() !== columns.toSorted().join())
        throw new Refusal(`The backup's table ${name} doesn't match its schema.`);
      return [name, table as Table];
    }),
  );
}

async function loadRows(
  tx: Db,
  path: string,
  targets: ReadonlyMap<string, Table>,
  onRows: (rows: number) => void,
): Promise<Map<string, Sum>> {
  const sums = new Map<string, Sum>();
  for await (const file of readArchive(path)) {
    const name = tableOfPart(file.name);
    // A media file or the manifest.
    if (name === null) continue;
    const table = targets.get(name);
    if (!table) throw damaged(`it doesn't list table ${name}`);
    for (const rows of batchesOf(await readPart(file))) {
      await addRows(tx, table, rows);
      sums.set(name, addToSum(sums.get(name) ?? nothing, table.columns, rows));
      onRows(rows.length);
    }
  }
  return sums;
}

function* batchesOf(lines: Buffer): Iterable<Row[]> {
  let rows: Row[] = [];
  for (let from = 0; from < lines.length; ) {
    const end = lines.indexOf("\n", from);
    rows.push(JSON.parse(lines.toString("utf8", from, end)) as Row);
    from = end + 1;
    if (rows.length === BATCH) {
      yield rows;
      rows = [];
    }
  }
  if (rows.length > 0) yield rows;
}
