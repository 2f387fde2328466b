import { join } from "node:path";
import type { Config } from "../config.ts";
import { sweepFolders } from "./folder.ts";
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

/** Milliseconds after which nobody can be at work on a file any more: the process that was must have died. */
const ABANDONED = 6 * 3_600_000;

export function openMedia(config: Config, log: Log): Media {
  const running = new Set<Promise<void>>();
  const incoming = join(config.dataDir, "incoming");
  const media: Media = {
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
  media.later(() => sweepFolders(incoming, Date.now() - ABANDONED));
  return media;
}
