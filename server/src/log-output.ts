import { fstatSync } from "node:fs";
import { destination } from "pino";

/** Lines are written together, at most after these milliseconds. */
const FLUSH = { periodicFlush: 200 };
/** What a pipe takes in one piece, so lines of several processes don't mix. A file takes any length in one piece. */
const PIPE = { minLength: 3500, maxWrite: 4096 };
const FILE = { minLength: 2 ** 15, maxWrite: 2 ** 16 };

let output: ReturnType<typeof destination> | undefined;

/**
 * Standard output, for log lines. Lines are written together, because under load writing each costs as much as a query; and
 * asynchronously, so that a reader that stalls doesn't stop the service. The last are written when the process exits.
 */
export function logOutput(): ReturnType<typeof destination> {
  output ??= destination({ dest: 1, sync: false, ...FLUSH, ...(fstatSync(1).isFile() ? FILE : PIPE) });
  return output;
}
