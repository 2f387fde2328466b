/** The worker process: decodes and processes uploaded files, one task at a time. */
import { writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { inspectPicture, prepareAvatar, preparePicture } from "./draw.ts";
import { prepareRemote } from "./draw-remote.ts";
import { InvalidMedia } from "./invalid-media.ts";
import { drawPoster } from "./poster.ts";
import { inspectVideo, quickStart } from "./remux.ts";

const tasks = {
  inspectPicture,
  preparePicture,
  prepareAvatar,
  prepareRemote,
  inspectVideo,
  quickStart,
  drawPoster,
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
await writeFile("/proc/self/oom_score_adj", "1000").catch(() => "not on Linux");

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

async function perform({ name, input }: Task): Promise<TaskResult> {
  try {
    return { result: await tasks[name](input) };
  } catch (error) {
    if (error instanceof InvalidMedia) return { invalid: error.message };
    const { code, message, stack } = error as NodeJS.ErrnoException;
    return { failure: `${message}\n${stack}`, code };
  }
}
