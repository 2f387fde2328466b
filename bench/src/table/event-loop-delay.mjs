/*
 * Runs inside the measured service (`--import`). The first SIGUSR2 begins to measure by how many milliseconds its event loop is late,
 * the second writes the 99.9th percentile to DELAY_FILE. In between a timer fires every millisecond, so requests cost a bit more.
 */
import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const { DELAY_FILE } = process.env;
const RESOLUTION = 1;

if (DELAY_FILE && isMainThread && process.argv[1]?.endsWith("main.js")) {
  let histogram = null;
  process.on("SIGUSR2", () => {
    if (histogram) {
      writeFileSync(DELAY_FILE, String(histogram.percentile(99.9) / 1e6 - RESOLUTION));
      histogram.disable();
      histogram = null;
    } else {
      histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
      histogram.enable();
    }
  });
}
