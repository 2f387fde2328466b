import { setTimeout as wait } from "node:timers/promises";
import { send } from "@tandem/client/client";
import type { Operation } from "@tandem/contract/operation";
import type { Connection } from "./connection.ts";

/** Waits of up to so many seconds are waited out; a longer one is told, for whoever calls to decide. */
const PATIENCE = 5;
const TRIES = 3;

export interface Sending {
  input: object;
  dryRun: boolean;
  /** The same for every try, so that only one of them takes effect. */
  idempotencyKey: string;
  signal: AbortSignal;
}

/** What came back, or null where nothing did. */
export type Reply = Response | null;

/** Sends an operation, again where the service is away for a moment or asks for a short wait. */
export async function sendPatiently(
  { client }: Connection,
  op: Operation,
  { input, ...call }: Sending,
): Promise<Reply> {
  for (let left = TRIES - 1; ; left -= 1) {
    const reply = await send(client, op, input, call).catch((error: unknown) => {
      if (call.signal.aborted) throw error;
      return null;
    });
    const seconds = pause(reply);
    if (left === 0 || seconds === null || seconds > PATIENCE) return reply;
    await wait(seconds * 1000, undefined, { signal: call.signal });
  }
}

/** Seconds until another try makes sense; null where it makes none. */
function pause(reply: Reply): number | null {
  if (reply === null || reply.status === 409) return 0.5;
  const after = reply.headers.get("retry-after");
  return after !== null && [429, 503].includes(reply.status) ? Number(after) : null;
}
