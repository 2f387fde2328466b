import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { until } from "./ports.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Resolves once nothing holds on to it any more; whoever waits in vain is ended by the test's own limit. */
export async function untilCollected(thing: WeakRef<object>): Promise<void> {
  await until(async () => {
    collectGarbage();
    return thing.deref() === undefined;
  });
}

/** Bytes of memory that JavaScript holds and needs. */
export function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
