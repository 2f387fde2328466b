import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { openStore } from "./open-store.ts";
import type { Store } from "./store.ts";

/** Files, and the work on them that nobody waits for. */
export interface Media {
  readonly store: Store;
  /** The directory for files on their way: uploads, and what is being made of them. */
  readonly incoming: string;
  /** Begins work that no answer waits for. What it throws is told to the log. */
  later(work: () => Promise<void>): void;
  /** Resolves once nothing of it is under way. */
  idle(): Promise<void>;
}

interface Log {
  error(facts: object, message: string): void;
}

export function openMedia(config: Config, log: Log): Media {
  const running = new Set<Promise<void>>();
  const incoming = join(config.dataDir, "incoming");
  return {
    store: openStore(config, incoming),
    incoming,
    later(work) {
      const run = work()
        .catch((err) => log.error({ err }, "work on media failed"))
        .finally(() => running.delete(run));
      running.add(run);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Does work in a folder of its own, which is gone afterwards with all that is left in it. */
export async function inFolder<T>(
  { incoming }: Pick<Media, "incoming">,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(incoming, { recursive: true });
  const folder = await mkdtemp(join(incoming, "work-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Milliseconds after which nobody can still be at work in a folder: a process must have died there. */
const ABANDONED = 6 * 3_600_000;

/** Removes what processes that died have left on the way. */
export async function sweepIncoming({ incoming }: Media): Promise<void> {
  const names = await readdir(incoming).catch(() => []);
  for (const name of names) {
    const path = join(incoming, name);
    const since = (await stat(path).catch(() => null))?.mtimeMs;
    if (since !== undefined && since < Date.now() - ABANDONED)
      await rm(path, { recursive: true, force: true });
  }
}
