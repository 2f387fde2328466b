/** The worker process: decodes and processes uploaded files, one task at a time. */
import { writeFile } from "node:fs/promises";
import { flushCompileCache } from "node:module";
import { constants, setPriority } from "node:os";
import sharp from "sharp";
import { inspectPicture, prepareAvatar, prepareBanner, preparePicture } from "./draw.ts";
import { prepareRemote } from "./draw-remote.ts";
import { InvalidMedia } from "./invalid-media.ts";
import { drawPoster, drawStill } from "./poster.ts";
import { inspectVideo, quickStart } from "./remux.ts";

const tasks = {
  inspectPicture,
  preparePicture,
  prepareAvatar,
  prepareBanner,
  prepareRemote,
  inspectVideo,
  quickStart,
  drawPoster,
  drawStill,
};

export type Tasks = typeof tasks;
export type TaskResult = { result: unknown } | { invalid: string } | Failure;

/** An error that the file didn't cause, with its system error code. */
interface Failure {
  failure: string;
  code: string | undefined;
}

interface Task {
  name: keyof Tasks;
  input: never;
}

// Requests take priority, and if memory runs out, the system kills this process before the service.
lowerPriority();
restrictLibvips();
await writeFile("/proc/self/oom_score_adj", "1000").catch(() => "not on Linux");

// Node would do so at exit, but this process is usually killed.
flushCompileCache();

// Ignores signals to the process group: the service handles them and finishes running work.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
process.on("disconnect", () => process.exit());
process.on("message", async (message: Task | "ready?") => {
  process.send?.(message === "ready?" ? "ready" : await perform(message));
});

/** Best-effort, because a sandbox may forbid it. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SYSTEM_ERROR") throw error;
  }
}

/** Here, not in a module that others import, because these settings apply to the whole process. */
function restrictLibvips(): void {
  // Each worker runs one task at a time, so more threads or a cache would only cost memory.
  sharp.cache(false);
  sharp.concurrency(1);
  // Enables only the supported formats; uploads may not be GIF.
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({
    operation: ["Jpeg", "Png", "Webp", "Heif", "Nsgif"].map((format) => `VipsForeignLoad${format}`),
  });
}

async function perform({ name, input }: Task): Promise<TaskResult> {
  try {
    return { result: await tasks[name](input) };
  } catch (error) {
    if (error instanceof InvalidMedia) return { invalid: error.message };
    const { code, message, stack } = error as NodeJS.ErrnoException;
    return { failure: `${message}\n${stack}`, code };
  }
}
