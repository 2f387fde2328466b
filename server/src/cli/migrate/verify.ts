import type { Table } from "../../storage/catalog.ts";
import type { Db, Storage } from "../../storage/storage.ts";
import { Refusal } from "../refusal.ts";
import { copiedSoFar, noteStep, noteVerified } from "./notes.ts";
import { keyOf, readRows } from "./rows.ts";
import { addToSum, isSame, nothing, type Sum } from "./sum.ts";

/** Tables that aren't in the target as they are in the source, with what is wrong about each. */
type Faults = Map<Table, string>;

/**
 * Compares every table's count and checksum, of the source and of the target, with those of the rows that were copied.
 * Throws {@link Refusal} where they differ; those tables will be copied anew.
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
    await noteVerified(tx);
  });
}

/** What is in a table, read in batches. */
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

/** The rows that were copied, what the source holds now, and what the target holds. */
function compare(copied: Sum, there: Sum, here: Sum): string | null {
  if (!isSame(copied, there)) {
    return `the source was written to meanwhile: ${copied.rows} rows were copied, and ${there.rows} are there now`;
  }
  if (isSame(copied, here)) return null;
  return here.rows === there.rows
    ? `the target's ${here.rows} rows are not the same as the source's`
    : `the target has ${here.rows} rows, and the source ${there.rows}`;
}

async function refuse(target: Storage, faults: Faults): Promise<never> {
  await target.write(async (tx) => {
    for (const table of faults.keys()) {
      const copied = await copiedSoFar(tx, table);
      await noteStep(tx, table, copied, { ...copied, wrong: true });
    }
  });
  const told = Array.from(faults, ([{ name }, fault]) => `${name}: ${fault}.`);
  throw new Refusal(
    [
      ...told,
      "The move is not finished. Stop whatever writes to either database, and run the command again: it copies these tables anew.",
    ].join("\n"),
  );
}
