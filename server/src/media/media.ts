import { join } from "node:path";
import { HOUR } from "@tandem/contract/durations";
import type { Config } from "../config.ts";
import { sweepFolders } from "./folder.ts";
import { openStore } from "./open-store.ts";
import type { Store } from "./store.ts";
import { shareProcessors } from "./worker-pool.ts";

/** Where files are stored. */
export interface Media {
  readonly store: Store;
  /** The directory for temporary files: uploads and their conversions. */
  readonly incoming: string;
  /** Stops removing abandoned files. */
  close(): void;
}

interface Log {
  error(facts: object, message: string): void;
}

/** Milliseconds after which a temporary file is abandoned: its process must have died. */
const ABANDONED = 6 * HOUR;
/** Milliseconds between two searches for such files. */
const SWEEP_EVERY = HOUR;

export function openMedia(config: Config, log: Log): Media {
  shareProcessors(config.workers);
  const incoming = join(config.dataDir, "incoming");
  // In each process, not in a job: the directory is on this machine's disk.
  const sweep = () =>
    void sweepFolders(incoming, Date.now() - ABANDONED).catch((err) =>
      log.error({ err }, "abandoned files could not be removed"),
    );
  const sweeping = setInterval(sweep, SWEEP_EVERY).unref();
  sweep();
  return { store: openStore(config, incoming), incoming, close: () => clearInterval(sweeping) };
}
