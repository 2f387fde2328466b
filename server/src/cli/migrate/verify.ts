import type { Table } from "../../storage/catalog.ts";
import type { Db, Storage } from "../../storage/storage.ts";
import { Refusal } from "../refusal.ts";
import { addToSum, isSame, nothing, type Sum } from "./checksum.ts";
import { copiedSoFar, recordStep, recordVerified } from "./progress-table.ts";
import { keyOf, readRows } from "./rows.ts";

/** Tables that differ between source and target, with the difference. */
type Faults = Map<Table, string>;

/**
 * Compares each table's count and checksum in the source and the target with those of the copied rows. Throws
 * {@link Refusal} if they differ; the next run copies those tables again.
 */
export async function verify(
  source: Db,
  target: Storage,
  tables: readonly Table[],
  batch: number,
  onRows: (rows: number) => void,
): Promise<void> {
  const faults: Faults = new Map();
  for (const table of tables) {
    const copied = await copiedSoFar(target.read, table);
    const [there, here] = await Promise.all([
      sumOf(source, table, batch, onRows),
      sumOf(target.read, table, batch, onRows),
    ]);
    const fault = compare(copied, there, here);
    if (fault !== null) faults.set(table, fault);
  }
  if (faults.size > 0) await refuse(target, faults);
  const lastIds = await source.engine.catalog.lastIds(source);
  await target.write(async (tx) => {
    for (const { name } of tables) {
      const id = lastIds.get(name);
      if (id !== undefined) await tx.engine.catalog.setLastId(tx, name, id);
    }
    await recordVerified(tx);
  });
}

/** A table's checksum, read in batches. */
export async function sumOf(
  db: Db,
  table: Table,
  batch: number,
  onRows: (rows: number) => void = () => {},
): Promise<Sum> {
  let sum = nothing;
  for (let after: unknown[] | null = null; ; ) {
    const rows = await readRows(db, table, after, batch);
    const last = rows.at(-1);
    if (!last) return sum;
    sum = addToSum(sum, table.columns, rows);
    after = keyOf(table, last);
    onRows(rows.length);
  }
}

/** Describes how the copied rows, the source now and the target differ; null if they are equal. */
function compare(copied: Sum, there: Sum, here: Sum): string | null {
  if (!isSame(copied, there)) {
    return `the source has changed: ${copied.rows} rows were copied, and it has ${there.rows} now`;
  }
  if (isSame(copied, here)) return null;
  return here.rows === there.rows
    ? `the target's ${here.rows} rows differ from the source's`
    : `the target has ${here.rows} rows and the source ${there.rows}`;
}

async function refuse(target: Storage, faults: Faults): Promise<never> {
  await target.write(async (tx) => {
    for (const table of faults.keys()) {
      const copied = await copiedSoFar(tx, table);
      await recordStep(tx, table, copied, { ...copied, wrong: true });
    }
  });
  const sentences = Array.from(faults, ([{ name }, fault]) => `${name}: ${fault}.`);
  throw new Refusal(
    [
      ...sentences,
      "The migration isn't complete. Stop all writes to both databases and run the command again to copy these tables again.",
    ].join("\n"),
  );
}
