import { parentPort, workerData } from "node:worker_threads";
import { ArchiveError } from "./archive.ts";
import type { ReadArchive } from "./archive-in-thread.ts";
import { readArchive } from "./read-archive.ts";

/* The thread of `archive-in-thread.ts`. */

const read: ReadArchive = await readArchive(workerData).then(
  (contents) => ({ contents }),
  (error) => {
    if (error instanceof ArchiveError) return { problem: error.problem };
    throw error;
  },
);
parentPort?.postMessage(read);
