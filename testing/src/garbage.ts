import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { until } from "./ports.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Resolves once the object has been garbage-collected. If it never is, the test times out. */
export async function untilCollected(thing: WeakRef<object>): Promise<void> {
  await until(async () => {
    collectGarbage();
    return thing.deref() === undefined;
  });
}

/** Bytes of live JavaScript objects, after a garbage collection. */
export function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
