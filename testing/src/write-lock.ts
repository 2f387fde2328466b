import type { OperationName } from "@tandem/contract/operations";
import type { Storage } from "@tandem/server/storage/storage";
import { sql } from "kysely";
import { type Caller, type RawAnswer, uniqueName } from "./callers.ts";

export interface WriteLock extends AsyncDisposable {
  release(): Promise<void>;
}

/**
 * Keeps every write waiting until it is let go, or its block ends. Resolves once it does. Where writes don't take
 * turns they wait as late as they count what they draw on.
 */
export async function blockWrites(storage: Storage): Promise<WriteLock> {
  let open = () => {};
  let held: Promise<void> | undefined;
  await new Promise<void>((begun) => {
    held = storage.write(async (tx) => {
      if (tx.engine.rowLocks) await sql`lock table quota_windows in exclusive mode`.execute(tx);
      begun();
      return new Promise<void>((resolve) => {
        open = resolve;
      });
    });
  });
  const release = async () => {
    open();
    await held;
  };
  return { release, [Symbol.asyncDispose]: release };
}

/**
 * Sends a call while writes are held, and resolves once it has been judged and waits for its turn: a second one
 * under the same Idempotency-Key is then refused. `answer` is what becomes of the first.
 */
export async function queueWrite(caller: Caller, name: OperationName, input: object) {
  const call = { idempotencyKey: uniqueName("queued") };
  const pair = [caller.call(name, input, call), caller.call(name, input, call)];
  const refused = await Promise.race(pair);
  if (refused.status !== 409) throw new Error(`${name} was answered ${refused.status} before its turn`);
  const answer = Promise.all(pair).then((answers) => answers.find((one) => one !== refused) as RawAnswer);
  return { answer };
}
