import { join } from "node:path";
import type { Config } from "../config.ts";
import { sweepFolders } from "./folder.ts";
import { openStore } from "./open-store.ts";
import type { Store } from "./store.ts";
import { shareProcessors } from "./worker-pool.ts";

/** Files, and the work on them that nobody waits for. */
export interface Media {
  readonly store: Store;
  /** The directory for files on their way: uploads, and what is being made of them. */
  readonly incoming: string;
  /**
   * Sees to it that work is begun after this call, which no answer waits for. Of one name only one runs at a time, and
   * does what came up meanwhile in one more go. What it throws is told to the log.
   */
  afterResponse(name: string, work: () => Promise<void>): void;
  /** Looks no more for what others left. */
  close(): void;
  /** Resolves once nothing of it is under way. */
  idle(): Promise<void>;
}

interface Log {
  error(facts: object, message: string): void;
}

/** Milliseconds after which nobody can be at work on a file any more: the process that was must have died. */
const ABANDONED = 6 * 3_600_000;
/** Milliseconds between two looks for such files. */
const SWEEP_EVERY = 3_600_000;

export function openMedia(config: Config, log: Log): Media {
  shareProcessors(config.workers);
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();
  const incoming = join(config.dataDir, "incoming");
  const media: Media = {
    store: openStore(config, incoming),
    incoming,
    afterResponse(name, work) {
      again.add(name);
      if (running.has(name)) return;
      const run = async () => {
        while (again.delete(name))
          await work().catch((err) => log.error({ err, work: name }, "work on media failed"));
        running.delete(name);
      };
      running.set(name, run());
    },
    close: () => clearInterval(sweeping),
    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
  // By each process and no job that one of them takes: the directory is on this machine's own disk.
  const sweep = () => media.afterResponse("leftovers", () => sweepFolders(incoming, Date.now() - ABANDONED));
  const sweeping = setInterval(sweep, SWEEP_EVERY).unref();
  sweep();
  return media;
}
