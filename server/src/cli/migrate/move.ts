import type { Table } from "../../storage/catalog.ts";
import type { Db, Storage } from "../../storage/storage.ts";
import { Refusal } from "../refusal.ts";
import {
  begin,
  bringBack,
  type Copied,
  copiedSoFar,
  end,
  isVerified,
  noteStep,
  remainingObjects,
  startAnew,
} from "./notes.ts";
import { addRows, keyOf, readRows } from "./rows.ts";
import { addToSum } from "./sum.ts";
import { countRows, tablesToMove } from "./tables.ts";
import { verify } from "./verify.ts";

/** Rows in one transaction. */
export const BATCH = 2000;

/** What is being done, how much of it there is, and how much has been done. */
export type OnProgress = (what: string, total: number, done: number) => void;

export interface MoveOptions {
  batch?: number;
  onProgress?: OnProgress;
}

export interface Moved {
  tables: number;
  rows: number;
}

/**
 * Copies every row of every table into a database opened to be loaded, and proves it. Goes on with what an earlier
 * call has left. No order of tables is needed, for their foreign keys come back last. Throws {@link Refusal} where
 * the target doesn't hold in the end what the source does.
 */
export async function move(source: Storage, target: Storage, options: MoveOptions = {}): Promise<Moved> {
  const { batch = BATCH, onProgress = () => {} } = options;
  const tables = await tablesToMove(source.read, target.read);
  const rows = await countRows(source.read, tables);
  await target.write((tx) => begin(tx, tables));
  if (!(await isVerified(target.read))) {
    const copied = counting("rows copied", rows, onProgress);
    for (const table of tables) await copyTable(source.read, target, table, batch, copied);
    await verify(source.read, target, tables, batch, counting("rows compared", 2 * rows, onProgress));
  }
  await finish(target, onProgress);
  return { tables: tables.length, rows };
}

function counting(what: string, total: number, onProgress: OnProgress): (more: number) => void {
  let done = 0;
  return (more) => {
    done += more;
    onProgress(what, total, done);
  };
}

async function copyTable(
  source: Db,
  target: Storage,
  table: Table,
  batch: number,
  onRows: (rows: number) => void,
): Promise<void> {
  let copied = await copiedSoFar(target.read, table);
  if (copied.wrong) copied = await target.write((tx) => startAnew(tx, table, copied));
  if (copied.rows > 0) onRows(copied.rows);
  for (;;) {
    const rows = await readRows(source, table, copied.upto, batch);
    const last = rows.at(-1);
    if (!last) return;
    const [before, sum] = [copied, addToSum(copied, table.columns, rows)];
    const after: Copied = { ...sum, upto: keyOf(table, last), wrong: false };
    await target.write(async (tx) => {
      await noteStep(tx, table, before, after);
      await addRows(tx, table, rows);
    });
    copied = after;
    onRows(rows.length);
  }
}

async function finish(target: Storage, onProgress: OnProgress): Promise<void> {
  const deferredObjects = await remainingObjects(target.read);
  const done = counting("indexes and foreign keys", deferredObjects.size, onProgress);
  for (const [note, create] of deferredObjects) {
    await target.write((tx) => bringBack(tx, note, create));
    done(1);
  }
  await target.write(async (tx) => {
    const { catalog } = tx.engine;
    const dangling = await catalog.brokenReferences(tx);
    if (dangling.length > 0) {
      throw new Refusal(
        `Rows of ${dangling.join(", ")} name others that aren't there: mend the source, and move into an empty target.`,
      );
    }
    // Where a write stands among all writes is told by the source's own count, which means nothing here.
    await tx.updateTable("quota_windows").set({ position: 0 }).where("position", "<>", 0).execute();
    await catalog.analyze(tx);
    await end(tx);
  });
}
