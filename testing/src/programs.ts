import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

interface Packaged {
  /** Debian's package of it, and others that it needs here. */
  from: string;
  /** The file, where it isn't simply that of the program's name on the path. */
  at?: string;
  /** What root does before it is installed. */
  before?: string;
  /** Whether only a rehearsal that no test run contains needs it. */
  rehearsal?: true;
}

/** A server's package would make a database of its own and start it with the machine: not for a test. */
const NO_CLUSTER =
  "mkdir -p /etc/postgresql-common/createcluster.d && " +
  "echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.d/tandem.conf";

/** Programs that are run for real. */
const programs = {
  caddy: { from: "caddy" },
  chromium: { from: "chromium" },
  curl: { from: "curl" },
  etcd: { from: "etcd-server", rehearsal: true },
  exiftool: { from: "libimage-exiftool-perl" },
  ffmpeg: { from: "ffmpeg" },
  haproxy: { from: "haproxy" },
  "heif-enc": { from: "libheif-examples" },
  nginx: { from: "nginx libnginx-mod-rtmp" },
  openssl: { from: "openssl" },
  patroni: { from: "patroni", rehearsal: true },
  pgbouncer: { from: "pgbouncer" },
  postgres15: { from: "postgresql-15", at: "/usr/lib/postgresql/15/bin/postgres", before: NO_CLUSTER },
  python3: { from: "python3" },
} as const satisfies Record<string, Packaged>;

export type Program = keyof typeof programs;

/** Debian keeps servers where a path seldom looks. */
const places = [...(process.env.PATH ?? "").split(":"), "/usr/sbin", "/usr/local/sbin"];

/** Vitest's global setup: no test has to wait for what others need as well. Who isn't root hears it from the test. */
export default async function setup(): Promise<void> {
  if (!(await isInstaller())) return;
  const missing: Packaged[] = [];
  for (const [name, program] of Object.entries<Packaged>(programs))
    if (!program.rehearsal && !(await find(program.at ?? name))) missing.push(program);
  if (missing.length > 0) await install(missing);
}

/** Where a program lies; on Debian, as root, it is installed first if need be. Throws where that can't be. */
export async function programOf(name: Program): Promise<string> {
  const program: Packaged = programs[name];
  const file = program.at ?? name;
  const found = (await find(file)) ?? (await fetched(file, program));
  if (!found) throw new Error(`${name} can't be found, though it was installed`);
  return found;
}

async function fetched(file: string, program: Packaged): Promise<string | null> {
  if (!(await isInstaller()))
    throw new Error(`this test needs ${file}, which only root on Debian gets by itself: please install it`);
  await install([program]);
  return find(file);
}

async function isInstaller(): Promise<boolean> {
  return process.getuid?.() === 0 && (await find("apt-get")) !== null;
}

async function find(file: string): Promise<string | null> {
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
 * The folder of what a package of Debian's holds, which is fetched and unpacked but not installed: for documents that others
 * test their own programs by. Throws where that can't be.
 */
export async function contentsOf(name: string): Promise<string> {
  const folder = join(tmpdir(), `tandem-${name}`);
  if (await isThere(folder)) return folder;
  if (!(await isInstaller()))
    throw new Error(`this test needs Debian's package ${name}, and root to fetch it`);
  const fetched = `$(mktemp -d) && cd $fetched && apt-get download ${name} && dpkg-deb -x *.deb contents`;
  await alone(`test -e ${folder} || (apt-get update && fetched=${fetched} && mv contents ${folder})`);
  return folder;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function install(wanted: readonly Packaged[]): Promise<void> {
  const packages = wanted.map(({ from }) => from).join(" ");
  const before = wanted.map(({ before = "true" }) => before).join(" && ");
  await alone(`${before} && apt-get update && apt-get install -y --no-install-recommends ${packages}`);
}

/** Tests run side by side, and Debian's installer only once at a time: what another has installed meanwhile it passes over. */
async function alone(steps: string): Promise<void> {
  await execute("flock", [join(tmpdir(), "tandem-apt.lock"), "sh", "-c", steps], {
    // What is installed is run by the tests, and shouldn't start by itself: so says a machine's run level.
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
    maxBuffer: 2 ** 26,
  });
}
