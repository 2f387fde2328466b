import { record } from "../http/audit.ts";
import type { Db } from "../storage/storage.ts";

/** Adds an audit log entry for an action on the command line. Call it last in a transaction. */
export function recordAction(tx: Db, act: string, target: string | null, detail: object): Promise<void> {
  return record(tx, [{ caller: null, by: "(command line)", act, target, detail, now: Date.now() }]);
}
