/** The process in which files are worked on: it does one task after the other, as it is told. */
import { writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { inspectPicture, prepareAvatar, preparePicture } from "./draw.ts";
import { InvalidMedia } from "./invalid-media.ts";
import { drawPoster } from "./poster.ts";
import { inspectVideo, quickStart } from "./remux.ts";

const tasks = { inspectPicture, preparePicture, prepareAvatar, inspectVideo, quickStart, drawPoster };

export type Tasks = typeof tasks;
export type Answer = { result: unknown } | { unfit: string } | Broken;

/** What went wrong through no fault of the file's, and the system's word for it. */
interface Broken {
  broken: string;
  code: string | undefined;
}

interface Task {
  name: keyof Tasks;
  input: never;
}

// Requests come first; and if the machine's memory runs out, this process goes before the service does.
lowerPriority();
await writeFile("/proc/self/oom_score_adj", "1000").catch(() => "not on Linux");

// A signal to the whole group is the service's to obey: it finishes what it has begun.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
process.on("disconnect", () => process.exit());
process.on("message", async (said: Task | "ready?") => {
  process.send?.(said === "ready?" ? "ready" : await answer(said));
});

/** A sandbox may forbid it, and the work can be done all the same. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SYSTEM_ERROR") throw error;
  }
}

async function answer({ name, input }: Task): Promise<Answer> {
  try {
    return { result: await tasks[name](input) };
  } catch (error) {
    if (error instanceof InvalidMedia) return { unfit: error.message };
    const { code, message, stack } = error as NodeJS.ErrnoException;
    return { broken: `${message}\n${stack}`, code };
  }
}
