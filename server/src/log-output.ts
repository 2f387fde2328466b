import { destination } from "pino";

/** Bytes that are written together, and the milliseconds after which they are in any case. */
const BATCH = { bytes: 4096, milliseconds: 50 };

let output: ReturnType<typeof destination> | undefined;

/**
 * Standard output, for log lines. Lines are written together, because under load writing each costs as much as a query. None is
 * lost when the process ends, unless it is killed.
 */
export function logOutput(): ReturnType<typeof destination> {
  if (output) return output;
  const opened = destination({
    dest: 1,
    sync: true,
    minLength: BATCH.bytes,
    periodicFlush: BATCH.milliseconds,
  });
  process.on("exit", () => opened.flushSync());
  output = opened;
  return opened;
}
