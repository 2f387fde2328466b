/** The process of `archive-in-process.ts`. */
import { writeFile } from "node:fs/promises";
import { flushCompileCache } from "node:module";
import { constants, setPriority } from "node:os";
import { ArchiveError } from "./archive.ts";
import type { Done } from "./archive-in-process.ts";
import { readArchive } from "./read-archive.ts";

// Requests take priority, and if memory runs out, the system kills this process before the service.
try {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // A sandbox may forbid it.
}
await writeFile("/proc/self/oom_score_adj", "1000").catch(() => "not on Linux");

// Ignores signals to the process group: the service handles them, and ends this process.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
process.on("disconnect", () => process.exit());
process.once("message", async (task: Parameters<typeof readArchive>[0]) => {
  const done: Done = await readArchive(task).then(
    (contents) => ({ contents }),
    (error) =>
      error instanceof ArchiveError ? { problem: error.problem } : { failure: String(error?.stack) },
  );
  process.send?.(done);
});
process.send?.("ready");
// Node would do so at exit, but this process is killed.
flushCompileCache();
