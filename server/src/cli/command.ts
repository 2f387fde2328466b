import type { Environment } from "../config.ts";
import type { Storage } from "../storage/storage.ts";

/** Where a command speaks to its caller. */
export interface Terminal {
  /** What was asked for. */
  out(line: string): void;
  /** What goes on, and what went wrong. */
  error(line: string): void;
  /** Whether somebody watches, so that a progress bar makes sense. */
  interactive: boolean;
}

/** One of the operator's commands. */
export interface Command {
  /** What follows `npm run tandem -- `. */
  usage: string;
  description: string;
  /** Throws `UsageError` where the arguments can't be meant so, and `Refusal` where it can't be done. */
  run(args: string[], open: OpenStorage, terminal: Terminal, env: Environment): Promise<void>;
}

/** Opens the database that the settings name; it is closed when the command ends. */
export type OpenStorage = () => Promise<Storage>;
