import { destination } from "pino";

/**
 * Lines are written together, at most after these milliseconds. `maxWrite` is what a pipe takes in one piece, so lines of several
 * processes don't mix.
 */
const BATCH = { minLength: 3500, maxWrite: 4096, periodicFlush: 200 };

let output: ReturnType<typeof destination> | undefined;

/**
 * Standard output, for log lines. Lines are written together, because under load writing each costs as much as a query; and
 * asynchronously, so that a reader that stalls doesn't stop the service. The last are written when the process exits.
 */
export function logOutput(): ReturnType<typeof destination> {
  output ??= destination({ dest: 1, sync: false, ...BATCH });
  return output;
}
