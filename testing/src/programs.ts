import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Programs that tests run for real, and Debian's package of each. */
const packages = {
  etcd: "etcd-server",
  haproxy: "haproxy",
  patroni: "patroni",
  pgbouncer: "pgbouncer",
  postgres: "postgresql-15",
} as const;

export type Program = keyof typeof packages;

/** Debian keeps servers where a path seldom looks. */
const places = [
  ...(process.env.PATH ?? "").split(":"),
  "/usr/sbin",
  "/usr/local/sbin",
  "/usr/lib/postgresql/15/bin",
];

/** Where a program lies; on Debian, as root, it is installed first if need be. Throws where that can't be. */
export async function programOf(name: Program): Promise<string> {
  const found = (await find(name)) ?? (await install(name).then(() => find(name)));
  if (!found) throw new Error(`${name} can't be found, though it was installed`);
  return found;
}

async function find(name: string): Promise<string | null> {
  for (const place of places) {
    const path = join(place, name);
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

/** Tests run side by side, and Debian's installer only once at a time. */
async function install(name: Program): Promise<void> {
  if (process.getuid?.() !== 0 || !(await find("apt-get")))
    throw new Error(`this test needs ${name}, which only root on Debian gets by itself: please install it`);
  const steps = `PATH=${places.join(":")}; command -v ${name} || { apt-get update && apt-get install -y --no-install-recommends ${packages[name]}; }`;
  await execute("flock", [join(tmpdir(), "tandem-apt.lock"), "sh", "-c", steps], {
    // What is installed is run by the tests, and shouldn't start by itself: so says a machine's run level.
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
    maxBuffer: 2 ** 26,
  });
}
