/*
 * Runs inside the measured service (`--import`) and writes to PROBE_FILE the longest time, in milliseconds, that its event
 * loop was blocked. It measures the thread's own CPU time, so waiting for a busy processor doesn't count (Linux only).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { threadId } from "node:worker_threads";

const { PROBE_FILE } = process.env;
const EVERY = 5;
/** Milliseconds after the start that are ignored because modules are still loading. */
const STARTING = 5000;

if (PROBE_FILE && threadId === 0 && process.argv[1]?.endsWith("main.ts")) {
  let before = ran();
  let most = 0;
  setInterval(() => {
    const now = ran();
    if (now - before > most && performance.now() > STARTING) {
      most = now - before;
      writeFileSync(PROBE_FILE, String(most));
    }
    before = now;
  }, EVERY).unref();
}

/** Milliseconds that the main thread has run so far. */
function ran() {
  const { pid } = process;
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}
