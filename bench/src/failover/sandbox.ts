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

/** A directory and the programs that run in it; `await using` ends them and removes the directory. */
export interface Sandbox extends AsyncDisposable {
  readonly path: string;
  /** Runs a program as the `postgres` user; its output goes to `<name>.log`. */
  run(name: string, command: string[], env?: Record<string, string>): ChildProcess;
  /** The last 30 lines of its output. */
  logOf(name: string): Promise<string>;
}

export async function openSandbox(): Promise<Sandbox> {
  const path = await mkdtemp(join(tmpdir(), "tandem-failover-"));
  if (asPostgres.length > 0) await promisify(execFile)("chown", ["postgres:", path]);
  const children: ChildProcess[] = [];
  const logFile = (name: string) => join(path, `${name}.log`);
  return {
    path,
    run(name, command, env = {}) {
      const [program = "", ...args] = [...asPostgres, ...command];
      const log = openSync(logFile(name), "a");
      // In its own process group, so that Ctrl-C reaches only this process, which then ends the others in order.
      const child = spawn(program, args, {
        cwd: path,
        env: { PATH: process.env.PATH, ...env },
        stdio: ["ignore", log, log],
        detached: true,
      });
      children.push(child);
      return child;
    },
    logOf: async (name) => (await readFile(logFile(name), "utf8")).split("\n").slice(-30).join("\n"),
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map(end));
      // PostgreSQL outlives Patroni. Its child processes end with it.
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
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Ids of the PostgreSQL processes whose data is in this directory: the postmaster and its children. */
export function postgresIn(directory: string): number[] {
  const first = Number(read(join(directory, "data", "postmaster.pid")).split("\n")[0]);
  // The pid file outlives its process, and the id may have been reused.
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

/** Empty if the file is missing: a process may end while it is inspected. */
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
      // It is ended already.
    }
  }
}
