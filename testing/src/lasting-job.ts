import { createApp } from "@tandem/server/app";
import { readConfig } from "@tandem/server/config";
import { runJobs } from "@tandem/server/jobs/run";
import { openStorage } from "@tandem/server/storage/open";

/*
 * A process with one background job that prints "runs" and never ends, for tests that kill the holder of a lease. Argument: the
 * lease in milliseconds.
 */

const config = readConfig(process.env);
const storage = await openStorage(config);
const { services } = createApp({ config, storage });
const job = {
  name: "lasting",
  every: 1000,
  run: () => {
    console.log("runs");
    return new Promise<void>(() => {});
  },
};
runJobs(services, [job], { lease: Number(process.argv[2]), retry: 100 });
// Keeps the process alive: the job's timers don't, and there is no open port.
setInterval(() => {}, 1000);
console.log("ready");
