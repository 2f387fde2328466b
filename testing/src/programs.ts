import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { leaveOutOfQuickRun } from "./quick-run.ts";

const execute = promisify(execFile);

interface Packaged {
  /** Debian's package of it, and others that it needs here. */
  from: string;
  /** Homebrew's formula, with its options; left out where there is none. */
  brew?: string;
  /** Files that will do, in this order, where it isn't simply that of the program's name on the path. */
  at?: readonly string[];
  /** What root does before it is installed. */
  before?: string;
  /** Whether only a rehearsal that no test run contains needs it. */
  rehearsal?: true;
}

/** A server's package would make a database of its own and start it with the machine: not for a test. */
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

/** Programs that tests run and npm doesn't have. */
const programs = {
  caddy: { from: "caddy", brew: "caddy" },
  chromium: { from: "chromium", brew: "--cask chromium", at: browsers },
  // Shows the same pages in a third less processor time, but has no notifications. The whole browser does, where this is missing.
  "chromium-headless-shell": {
    from: "chromium-headless-shell",
    brew: "--cask chromium",
    at: ["chromium-headless-shell", ...browsers],
  },
  curl: { from: "curl", brew: "curl" },
  etcd: { from: "etcd-server", rehearsal: true },
  exiftool: { from: "libimage-exiftool-perl", brew: "exiftool" },
  ffmpeg: { from: "ffmpeg", brew: "ffmpeg" },
  haproxy: { from: "haproxy", brew: "haproxy" },
  "heif-enc": { from: "libheif-examples", brew: "libheif" },
  nginx: { from: "nginx libnginx-mod-rtmp" },
  openssl: { from: "openssl", brew: "openssl" },
  patroni: { from: "patroni", rehearsal: true },
  pgbouncer: { from: "pgbouncer", brew: "pgbouncer" },
  postgres15: { from: "postgresql-15", brew: "postgresql@15", at: oldestPostgres, before: NO_CLUSTER },
  python3: { from: "python3", brew: "python3" },
} as const satisfies Record<string, Packaged>;

export type Program = keyof typeof programs;

/** Debian's packages of the programs that tests run. */
export const debianPackages: readonly string[] = Object.values<Packaged>(programs)
  .filter(({ rehearsal }) => !rehearsal)
  .flatMap(({ from }) => from.split(" "));

/** Where tests find the packages that the global setup couldn't install, so that none of them tries again. */
const NOT_INSTALLABLE = "TANDEM_TEST_NOT_INSTALLABLE";

/** What a test needs and this machine lacks. */
export interface MissingProgram {
  name: string;
  /** The command, or the sentence, that tells how to get it. */
  install: string;
}

/** Thrown to a test that needs a program that isn't there and can't be installed; the runner makes a skip of it. */
export class MissingProgramError extends Error {
  override readonly name = "MissingProgramError";
  readonly missing: MissingProgram;

  constructor(missing: MissingProgram, options?: ErrorOptions) {
    super(`${missing.name} is missing. To install it: ${missing.install}`, options);
    this.missing = missing;
  }
}

/** Debian keeps servers where a path seldom looks. */
const places = [...(process.env.PATH ?? "").split(":"), "/usr/sbin", "/usr/local/sbin"];

/**
 * Vitest's global setup: what is missing is installed once, before any test runs. Only root on Debian can. What can't be installed,
 * since this version of Debian has no such package, is missing for the tests that need it, but stops no others.
 */
export default async function setup(): Promise<void> {
  delete process.env[NOT_INSTALLABLE];
  if (!(await isInstaller())) return;
  const missing: Packaged[] = [];
  for (const [name, program] of Object.entries<Packaged>(programs))
    if (!program.rehearsal && !(await onPath(program.at?.[0] ?? name))) missing.push(program);
  if (missing.length > 0) process.env[NOT_INSTALLABLE] = (await installEach(missing)).join();
}

/**
 * Where a program lies; on Debian, as root, it is installed first if need be.
 * @throws MissingProgramError where that can't be
 */
export async function programOf(name: Program): Promise<string> {
  leaveOutOfQuickRun(name);
  const program: Packaged = programs[name];
  const found = await find(program, name);
  if (found) return found;
  const missing = { name, install: await commandFor(program) };
  const isKnownToFail = process.env[NOT_INSTALLABLE]?.split(",").includes(program.from);
  if (isKnownToFail || !(await isInstaller())) throw new MissingProgramError(missing);
  try {
    await install([program]);
  } catch (cause) {
    throw new MissingProgramError(missing, { cause });
  }
  const installed = await find(program, name);
  if (!installed) throw new Error(`${name} can't be found, though it was installed`);
  return installed;
}

async function commandFor({ from, brew }: Packaged): Promise<string> {
  if (process.platform !== "darwin") return `sudo apt-get install --no-install-recommends ${from}`;
  return brew ? `brew install ${brew}` : "Homebrew doesn't have it; run these tests on Debian";
}

async function isInstaller(): Promise<boolean> {
  return process.getuid?.() === 0 && (await hasApt());
}

async function hasApt(): Promise<boolean> {
  return (await onPath("apt-get")) !== null;
}

async function find({ at }: Packaged, name: string): Promise<string | null> {
  for (const file of at ?? [name]) {
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
 * The folder with the contents of a Debian package, which is downloaded and unpacked but not installed: for documents that
 * others test their own programs by.
 * @throws MissingProgramError where that can't be
 */
export async function contentsOf(name: string): Promise<string> {
  leaveOutOfQuickRun(name);
  const folder = join(tmpdir(), `tandem-${name}`);
  if (await isThere(folder)) return folder;
  const missing = { name: `Debian's package ${name}`, install: "run these tests on Debian" };
  if (!(await hasApt())) throw new MissingProgramError(missing);
  const update = (await isInstaller()) ? "apt-get update && " : "";
  const download = `fetched=$(mktemp -d) && cd $fetched && apt-get download ${name} && dpkg-deb -x *.deb contents`;
  const steps = `test -e ${folder} || (${update}${download} && mv contents ${folder})`;
  try {
    await withInstallerLock(steps);
  } catch (cause) {
    const install = (await isInstaller()) ? missing.install : "sudo apt-get update";
    throw new MissingProgramError({ ...missing, install }, { cause });
  }
  return folder;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Installs them together, or one by one if that fails. Gives back the packages that can't be installed. */
async function installEach(wanted: readonly Packaged[]): Promise<string[]> {
  try {
    await install(wanted);
    return [];
  } catch {
    console.log("Some can't be installed. Installing one by one:");
  }
  const failed: string[] = [];
  for (const program of wanted)
    try {
      await install([program], { update: false });
    } catch (error) {
      failed.push(program.from);
      const { stderr = "" } = error as { stderr?: string };
      console.log(`Can't install ${program.from}: ${stderr.trim().split("\n").at(-1)}`);
    }
  return failed;
}

async function install(wanted: readonly Packaged[], { update = true } = {}): Promise<void> {
  const packages = wanted.map(({ from }) => from).join(" ");
  console.log(`Installing from Debian what the tests need: ${packages}`);
  const before = wanted.map(({ before = "true" }) => before).join(" && ");
  await withInstallerLock(
    // If the list of packages can't be updated, the one that is there may do.
    `${before} && { ${update ? "apt-get update || true" : "true"}; } && apt-get install -y --no-install-recommends ${packages}`,
  );
}

/** Tests run side by side, but Debian's installer only once at a time; it skips what another run has installed meanwhile. */
async function withInstallerLock(steps: string): Promise<void> {
  const lock = join(tmpdir(), `tandem-apt-${process.getuid?.()}.lock`);
  await execute("flock", [lock, "sh", "-c", steps], {
    // Servers that are installed are run by the tests, and shouldn't start by themselves: so says a machine's run level.
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
    maxBuffer: 2 ** 26,
  });
}
