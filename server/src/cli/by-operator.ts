import { record } from "../http/audit.ts";
import type { Db } from "../storage/storage.ts";

/** Records what the operator does by the command line, as it would be recorded of an admin. To be done last in a transaction. */
export function recordOperator(tx: Db, act: string, target: string, detail: object): Promise<void> {
  return record(tx, [{ caller: null, by: "(command line)", act, target, detail, now: Date.now() }]);
}
