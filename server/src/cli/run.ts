import { ConfigError, type Environment, readConfig } from "../config.ts";
import { openStorage, requireExisting, withoutLimits } from "../storage/open.ts";
import type { Storage } from "../storage/storage.ts";
import { admin } from "./admin.ts";
import { audit } from "./audit.ts";
import { backup } from "./backup.ts";
import { check } from "./check.ts";
import type { Command, Terminal } from "./command.ts";
import { declineSignUps } from "./decline-signups.ts";
import { ingest } from "./ingest.ts";
import { invite } from "./invite.ts";
import { log } from "./log.ts";
import { migrate } from "./migrate.ts";
import { Refusal, UsageError } from "./refusal.ts";
import { restore } from "./restore.ts";
import { seed } from "./seed.ts";
import { source } from "./source.ts";
import { verify } from "./verify.ts";

/** All commands by name. */
const commands: Record<string, Command> = {
  admin,
  invite,
  "decline-signups": declineSignUps,
  audit,
  log,
  source,
  ingest,
  seed,
  backup,
  restore,
  check,
  migrate,
  verify,
};

/** Exit codes. */
const DONE = 0;
const REFUSED = 1;
const MISUSED = 2;

/** Runs a command line and returns the exit code. Throws unexpected errors. */
export async function run(args: string[], env: Environment, terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (name === "help" || args.includes("--help")) {
    terminal.out(command ? entry(command) : usage());
    return DONE;
  }
  if (!command) {
    terminal.error(name === undefined ? usage() : `Unknown command "${name}".\n\n${usage()}`);
    return MISUSED;
  }
  return carryOut(command, rest, env, terminal);
}

async function carryOut(
  command: Command,
  args: string[],
  env: Environment,
  terminal: Terminal,
): Promise<number> {
  let storage: Storage | undefined;
  const open = async () => {
    const location = withoutLimits(readConfig(env));
    // A wrong setting must not look like a service without data.
    if (!command.createsDatabase) await requireExisting(location);
    storage = await openStorage(location);
    return storage;
  };
  try {
    await command.run(args, open, terminal, env);
    return DONE;
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.error(`${error.message}\n\n${entry(command)}`);
      return MISUSED;
    }
    if (!(error instanceof Refusal || error instanceof ConfigError)) throw error;
    terminal.error(error.message);
    return REFUSED;
  } finally {
    await storage?.close();
  }
}

function usage(): string {
  return `Usage: npm run tandem -- COMMAND\n\n${Object.values(commands).map(entry).join("\n\n")}`;
}

function entry({ usage, description }: Command): string {
  return `  ${usage}\n${description.replace(/^/gm, "    ")}`;
}
