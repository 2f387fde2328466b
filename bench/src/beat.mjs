/*
 * Runs inside a service that is measured (`--import`), and writes to the file BEAT_FILE how long, in milliseconds, its
 * event loop was kept busy in one stretch at most: by what the thread itself ran for, so that waiting for a processor
 * that others use isn't counted (Linux).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { threadId } from "node:worker_threads";

const { BEAT_FILE } = process.env;
const EVERY = 5;
/** Milliseconds after the start in which modules are still loaded. */
const STARTING = 5000;

if (BEAT_FILE && threadId === 0 && process.argv[1]?.endsWith("main.ts")) {
  let before = ran();
  let most = 0;
  setInterval(() => {
    const now = ran();
    if (now - before > most && performance.now() > STARTING) {
      most = now - before;
      writeFileSync(BEAT_FILE, String(most));
    }
    before = now;
  }, EVERY).unref();
}

/** Milliseconds that the main thread has run so far. */
function ran() {
  const { pid } = process;
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}
