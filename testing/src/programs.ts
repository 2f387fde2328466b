import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { leaveOutOfQuickRun } from "./quick-run.ts";

const execute = promisify(execFile);

interface Packaged {
  /** Names of Debian packages, separated by spaces. */
  debianPackages: string;
  /** Homebrew formula with options, if there is one. */
  brew?: string;
  /** Executables to look for, in order of preference. Default: the program's name, on the path. */
  candidates?: readonly string[];
  /** Shell command to run as root before the installation. */
  preinstall?: string;
  /** Needed by `npm run bench`, `npm run failover`, `npm run scan` or `npm run torture`, not by tests. */
  notForTests?: true;
}

/** Prevents the PostgreSQL package from creating and starting a database cluster. */
const NO_CLUSTER =
  "mkdir -p /etc/postgresql-common/createcluster.d && " +
  "echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.d/tandem.conf";

const browsers = [
  "chromium",
  "google-chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const oldestPostgres = [
  "/usr/lib/postgresql/15/bin/postgres",
  "/opt/homebrew/opt/postgresql@15/bin/postgres",
  "/usr/local/opt/postgresql@15/bin/postgres",
];

/** Programs that npm can't install: those of tests, and a few of scripts. */
const programs = {
  caddy: { debianPackages: "caddy", brew: "caddy" },
  chromium: { debianPackages: "chromium", brew: "--cask chromium", candidates: browsers },
  // Needs a third less CPU time than full Chromium, but has no notifications. Full Chromium is used if it is missing.
  "chromium-headless-shell": {
    debianPackages: "chromium-headless-shell",
    brew: "--cask chromium",
    candidates: ["chromium-headless-shell", ...browsers],
  },
  curl: { debianPackages: "curl", brew: "curl" },
  etcd: { debianPackages: "etcd-server", notForTests: true },
  exiftool: { debianPackages: "libimage-exiftool-perl", brew: "exiftool" },
  ffmpeg: { debianPackages: "ffmpeg", brew: "ffmpeg" },
  haproxy: { debianPackages: "haproxy", brew: "haproxy" },
  ffuf: { debianPackages: "ffuf", brew: "ffuf", notForTests: true },
  "heif-enc": { debianPackages: "libheif-examples", brew: "libheif" },
  nginx: { debianPackages: "nginx libnginx-mod-rtmp" },
  openssl: { debianPackages: "openssl", brew: "openssl" },
  patroni: { debianPackages: "patroni", notForTests: true },
  pgbench: {
    debianPackages: "postgresql-15",
    brew: "postgresql@15",
    preinstall: NO_CLUSTER,
    notForTests: true,
  },
  pgbouncer: { debianPackages: "pgbouncer", brew: "pgbouncer" },
  postgres15: {
    debianPackages: "postgresql-15",
    brew: "postgresql@15",
    candidates: oldestPostgres,
    preinstall: NO_CLUSTER,
  },
  python3: { debianPackages: "python3", brew: "python3" },
  slowhttptest: { debianPackages: "slowhttptest", brew: "slowhttptest", notForTests: true },
  sqlmap: { debianPackages: "sqlmap", brew: "sqlmap", notForTests: true },
  strace: { debianPackages: "strace", notForTests: true },
  wapiti: { debianPackages: "wapiti", notForTests: true },
  wrk: { debianPackages: "wrk", brew: "wrk", notForTests: true },
} as const satisfies Record<string, Packaged>;

export type Program = keyof typeof programs;

/** Debian packages of the programs that tests run. */
export const debianPackages: readonly string[] = Object.values<Packaged>(programs)
  .filter(({ notForTests }) => !notForTests)
  .flatMap(({ debianPackages }) => debianPackages.split(" "));

/** Environment variable that lists the packages that the global setup couldn't install, so that tests don't try again. */
const NOT_INSTALLABLE = "TANDEM_TEST_NOT_INSTALLABLE";

/** A program that a test needs and this machine lacks. */
export interface MissingProgram {
  name: string;
  installation: Installation;
}

/** The command that installs a program or, if there is none, a sentence that says what to do. */
export type Installation = { command: string; advice?: never } | { command?: never; advice: string };

/** Thrown in tests whose program is missing and can't be installed; the runner skips them. */
export class MissingProgramError extends Error {
  override readonly name = "MissingProgramError";
  readonly missing: MissingProgram;

  constructor(missing: MissingProgram, options?: ErrorOptions) {
    const { name, installation } = missing;
    super(`${name} is missing. ${installation.advice ?? `To install it: ${installation.command}`}`, options);
    this.missing = missing;
  }
}

/** Debian installs servers to directories that are often not on the path. */
const places = [...(process.env.PATH ?? "").split(":"), "/usr/sbin", "/usr/local/sbin"];

/**
 * Prepares a run: installs missing programs before any test runs, as root on Debian. If a package doesn't exist in this version
 * of Debian, only the tests that need it are affected.
 */
export default async function setup(): Promise<void> {
  delete process.env[NOT_INSTALLABLE];
  if (!(await canInstall())) return;
  const missing: Packaged[] = [];
  for (const [name, program] of Object.entries<Packaged>(programs))
    if (!program.notForTests && !(await onPath(program.candidates?.[0] ?? name))) missing.push(program);
  if (missing.length > 0) process.env[NOT_INSTALLABLE] = (await installEach(missing)).join();
}

/**
 * The path of a program. As root on Debian, it is installed first if it is missing.
 * @throws MissingProgramError if it is missing and can't be installed
 */
export async function programOf(name: Program): Promise<string> {
  leaveOutOfQuickRun(name);
  const program: Packaged = programs[name];
  const found = await find(program, name);
  if (found) return found;
  const missing = { name, installation: installationOf(program) };
  const isKnownToFail = process.env[NOT_INSTALLABLE]?.split(",").includes(program.debianPackages);
  if (isKnownToFail || !(await canInstall())) throw new MissingProgramError(missing);
  try {
    await install([program]);
  } catch (cause) {
    throw new MissingProgramError(missing, { cause });
  }
  const installed = await find(program, name);
  if (!installed) throw new Error(`${name} can't be found, though it was installed`);
  return installed;
}

function installationOf({ debianPackages, brew }: Packaged): Installation {
  if (process.platform !== "darwin")
    return { command: `sudo apt-get install --no-install-recommends ${debianPackages}` };
  return brew
    ? { command: `brew install ${brew}` }
    : { advice: "Homebrew doesn't have it; run these tests on Debian." };
}

async function canInstall(): Promise<boolean> {
  return process.getuid?.() === 0 && (await hasApt());
}

async function hasApt(): Promise<boolean> {
  return (await onPath("apt-get")) !== null;
}

async function find({ candidates }: Packaged, name: string): Promise<string | null> {
  for (const file of candidates ?? [name]) {
    const path = await onPath(file);
    if (path) return path;
  }
  return null;
}

async function onPath(file: string): Promise<string | null> {
  for (const place of places) {
    const path = resolve(place, file);
    if (await isProgram(path)) return path;
  }
  return null;
}

function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * A folder with the contents of a Debian package, downloaded and unpacked but not installed, for its sample documents.
 * @throws MissingProgramError if it can't be downloaded
 */
export async function contentsOf(name: string): Promise<string> {
  leaveOutOfQuickRun(name);
  const folder = join(tmpdir(), `tandem-${name}`);
  if (await isThere(folder)) return folder;
  const missing: MissingProgram = {
    name: `Debian's package ${name}`,
    installation: { advice: "Run these tests on Debian." },
  };
  if (!(await hasApt())) throw new MissingProgramError(missing);
  const update = (await canInstall()) ? "apt-get update && " : "";
  const download = `fetched=$(mktemp -d) && cd $fetched && apt-get download ${name} && dpkg-deb -x *.deb contents`;
  const steps = `test -e ${folder} || (${update}${download} && mv contents ${folder})`;
  try {
    await withInstallerLock(steps);
  } catch (cause) {
    const installation = (await canInstall()) ? missing.installation : { command: "sudo apt-get update" };
    throw new MissingProgramError({ ...missing, installation }, { cause });
  }
  return folder;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Installs programs together, or one by one if that fails. Returns the packages that can't be installed. */
async function installEach(wanted: readonly Packaged[]): Promise<string[]> {
  try {
    await install(wanted);
    return [];
  } catch {
    console.log("Not all programs could be installed together. Installing them one by one:");
  }
  const failed: string[] = [];
  for (const program of wanted)
    try {
      await install([program], { update: false });
    } catch (error) {
      failed.push(program.debianPackages);
      const { stderr = "" } = error as { stderr?: string };
      console.log(`Can't install ${program.debianPackages}: ${stderr.trim().split("\n").at(-1)}`);
    }
  return failed;
}

async function install(wanted: readonly Packaged[], { update = true } = {}): Promise<void> {
  const packages = wanted.map(({ debianPackages }) => debianPackages).join(" ");
  console.log(`Installing Debian packages that the tests need: ${packages}`);
  const preinstall = wanted.map(({ preinstall = "true" }) => preinstall).join(" && ");
  await withInstallerLock(
    // If the package list can't be updated, the existing one may still suffice.
    `${preinstall} && { ${update ? "apt-get update || true" : "true"}; } && apt-get install -y --no-install-recommends ${packages}`,
  );
}

/** Tests run in parallel, but apt-get can't. It skips packages that another run has installed in the meantime. */
async function withInstallerLock(steps: string): Promise<void> {
  const lock = join(tmpdir(), `tandem-apt-${process.getuid?.()}.lock`);
  await execute("flock", [lock, "sh", "-c", steps], {
    // RUNLEVEL=1 keeps installed servers from starting.
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
    maxBuffer: 2 ** 26,
  });
}
