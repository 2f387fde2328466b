import type { OperationName } from "@tandem/contract/operations";
import type { Storage } from "@tandem/server/storage/storage";
import { sql } from "kysely";
import { type Caller, type CallResponse, uniqueName } from "./callers.ts";

export interface WriteLock extends AsyncDisposable {
  release(): Promise<void>;
}

/**
 * Blocks all writes until `release`, or until its block ends; resolves once writes are blocked. On PostgreSQL they block only when
 * they charge their quota.
 */
export async function blockWrites(storage: Storage): Promise<WriteLock> {
  let open = () => {};
  let blocked: Promise<void> | undefined;
  await new Promise<void>((started) => {
    blocked = storage.write(async (tx) => {
      if (tx.engine.rowLocks) await sql`lock table quota_windows in exclusive mode`.execute(tx);
      started();
      return new Promise<void>((resolve) => {
        open = resolve;
      });
    });
  });
  const release = async () => {
    open();
    await blocked;
  };
  return { release, [Symbol.asyncDispose]: release };
}

/**
 * Sends a call while writes are blocked, and resolves once it is validated and waiting, which shows because a second call with the
 * same Idempotency-Key is refused. `response` resolves with the first call's response.
 */
export async function queueWrite(caller: Caller, name: OperationName, input: object) {
  const call = { idempotencyKey: uniqueName("queued") };
  const pair = [caller.call(name, input, call), caller.call(name, input, call)];
  const refused = await Promise.race(pair);
  if (refused.status !== 409) throw new Error(`${name} got ${refused.status} before its turn`);
  const response = Promise.all(pair).then(
    (responses) => responses.find((one) => one !== refused) as CallResponse,
  );
  return { response };
}
