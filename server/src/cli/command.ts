import type { Environment } from "../config.ts";
import type { Storage } from "../storage/storage.ts";

/** A command's output. */
export interface Terminal {
  /** Results. */
  out(line: string): void;
  /** Progress and errors. */
  error(line: string): void;
  /** Whether it is a terminal, which can show a progress bar. */
  interactive: boolean;
}

/** A command of the administrator's command line. */
export interface Command {
  /** The command line after `npm run tandem -- `. */
  usage: string;
  description: string;
  /** Whether it creates the database if there is none, as a start of the service does. Others refuse. */
  createsDatabase?: true;
  /** Throws `UsageError` for invalid arguments and `Refusal` if it can't be done. */
  run(args: string[], open: OpenStorage, terminal: Terminal, env: Environment): Promise<void>;
}

/** Opens the configured database. It is closed when the command ends. */
export type OpenStorage = () => Promise<Storage>;
