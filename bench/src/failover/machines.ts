import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** PostgreSQL refuses to run as root. */
const asPostgres =
  process.getuid?.() === 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] : [];

/** A directory, and whatever is run in it; `await using` ends it all and removes the directory. */
export interface Ground extends AsyncDisposable {
  readonly path: string;
  /** Runs a program as the user of databases; what it says goes to a file of this name. */
  run(name: string, command: string[], env?: Record<string, string>): ChildProcess;
  /** The last that it said. */
  said(name: string): Promise<string>;
}

export async function openGround(): Promise<Ground> {
  const path = await mkdtemp(join(tmpdir(), "tandem-failover-"));
  if (asPostgres.length > 0) await promisify(execFile)("chown", ["postgres:", path]);
  const children: ChildProcess[] = [];
  const logOf = (name: string) => join(path, `${name}.log`);
  return {
    path,
    run(name, command, env = {}) {
      const [program = "", ...args] = [...asPostgres, ...command];
      const log = openSync(logOf(name), "a");
      // In a group of its own: Ctrl-C is for us to hear, and to end the rest in good order.
      const child = spawn(program, args, {
        cwd: path,
        env: { PATH: process.env.PATH, ...env },
        stdio: ["ignore", log, log],
        detached: true,
      });
      children.push(child);
      return child;
    },
    said: async (name) => (await readFile(logOf(name), "utf8")).split("\n").slice(-30).join("\n"),
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map(end));
      // PostgreSQL outlives Patroni; its own children follow it.
      signal(
        processes().filter((pid) => read(`/proc/${pid}/cmdline`).includes(path)),
        "SIGKILL",
      );
      await rm(path, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

/** All processes of the PostgreSQL that keeps its data here: the first, and its children. */
export function postgresIn(directory: string): number[] {
  const first = Number(read(join(directory, "data", "postmaster.pid")).split("\n")[0]);
  // The file outlives its process, whose number may have been given to another one.
  if (read(`/proc/${first}/comm`).trim() !== "postgres") return [];
  return [first, ...processes().filter((pid) => parentOf(pid) === first)];
}

function processes(): number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

/** Of `pid (command) state parent …`. */
function parentOf(pid: number): number {
  return Number(/\) . (\d+) /.exec(read(`/proc/${pid}/stat`))?.[1]);
}

/** Nothing, where there is no such file: processes end while one looks at them. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

export function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It is gone already.
    }
  }
}
