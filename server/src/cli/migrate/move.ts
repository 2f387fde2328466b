import type { Table } from "../../storage/catalog.ts";
import type { Db, Storage } from "../../storage/storage.ts";
import { counting, type OnProgress } from "../progress.ts";
import { Refusal } from "../refusal.ts";
import { addToSum } from "./checksum.ts";
import {
  begin,
  type Copied,
  copiedSoFar,
  end,
  isVerified,
  recordStep,
  recreate,
  remainingObjects,
  restart,
} from "./progress-table.ts";
import { addRows, keyOf, readRows } from "./rows.ts";
import { countRows, tablesToMove } from "./tables.ts";
import { verify } from "./verify.ts";

/** Rows per transaction. */
export const BATCH = 2000;

export interface MoveOptions {
  batch?: number;
  onProgress?: OnProgress;
}

export interface Moved {
  tables: number;
  rows: number;
}

/**
 * Copies all tables into a database opened for a bulk load, and verifies the copy. Resumes where an interrupted call
 * stopped. The order of tables doesn't matter, because foreign keys are recreated last. Throws {@link Refusal} if
 * source and target differ in the end.
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

async function copyTable(
  source: Db,
  target: Storage,
  table: Table,
  batch: number,
  onRows: (rows: number) => void,
): Promise<void> {
  let copied = await copiedSoFar(target.read, table);
  if (copied.wrong) copied = await target.write((tx) => restart(tx, table, copied));
  if (copied.rows > 0) onRows(copied.rows);
  for (;;) {
    const rows = await readRows(source, table, copied.upto, batch);
    const last = rows.at(-1);
    if (!last) return;
    const [before, sum] = [copied, addToSum(copied, table.columns, rows)];
    const after: Copied = { ...sum, upto: keyOf(table, last), wrong: false };
    await target.write(async (tx) => {
      await recordStep(tx, table, before, after);
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
    await target.write((tx) => recreate(tx, note, create));
    done(1);
  }
  await target.write(async (tx) => {
    const { catalog } = tx.engine;
    const dangling = (await catalog.brokenReferences(tx)).map(({ table }) => table);
    if (dangling.length > 0) {
      throw new Refusal(
        `Rows of ${[...new Set(dangling)].join(", ")} reference missing rows. Repair the source and migrate into an empty database.`,
      );
    }
    // Transaction positions of the source are meaningless in the target.
    await tx.updateTable("quota_windows").set({ position: 0 }).where("position", "<>", 0).execute();
    await catalog.analyze(tx);
    await end(tx);
  });
}
