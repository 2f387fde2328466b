import type { Db } from "./storage.ts";

/** The table with the progress of `tandem migrate` into this database. It exists only while a move is unfinished. */
export const PROGRESS_TABLE = "unfinished_move";

/** Whether a move into this database started and hasn't finished, so that its data is incomplete. */
export function hasUnfinishedMove(db: Db): Promise<boolean> {
  return db.engine.catalog.has(db, PROGRESS_TABLE);
}
