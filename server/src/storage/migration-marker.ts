import type { Db } from "./storage.ts";

/** The table that holds how far a move into this database has come. It is there only while one is unfinished. */
export const NOTES = "unfinished_move";

/** Whether a move into this database was begun and isn't finished, so that it holds a part of something. */
export function isHalfMoved(db: Db): Promise<boolean> {
  return db.engine.catalog.has(db, NOTES);
}
