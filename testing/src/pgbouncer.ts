import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "./ports.ts";
import { serviceUser } from "./postgres-server.ts";
import { startProgram } from "./start-program.ts";
import { temporaryDirectory } from "./storage.ts";

const file = fileURLToPath(new URL("../../docs/deploy/pgbouncer.ini", import.meta.url));

/** Starts PgBouncer with docs/deploy/pgbouncer.ini in front of this database, with few connections, so that callers share them. */
export async function startPgBouncer(
  database: string,
  poolSize: number,
): Promise<AsyncDisposable & { url: string; pid: number }> {
  const directory = await temporaryDirectory();
  const [target, port] = [new URL(database), await freePort()];
  const changes = {
    tandem: `host=${target.hostname} port=${target.port} dbname=${target.pathname.slice(1)}`,
    listen_addr: "127.0.0.1",
    listen_port: String(port),
    auth_file: join(directory.path, "users.txt"),
    default_pool_size: String(poolSize),
  };
  const [ini, users] = [join(directory.path, "pgbouncer.ini"), join(directory.path, "users.txt")];
  await writeFile(ini, changed(await readFile(file, "utf8"), changes));
  await writeFile(users, `"${target.username}" "${target.password}"\n`);
  await chmod(directory.path, 0o755);
  const bouncer = await startProgram("pgbouncer", ["-q", ini], port, serviceUser());
  const url = Object.assign(new URL(database), { port: String(port), pathname: "/tandem" });
  return {
    url: url.href,
    pid: bouncer.pid,
    async [Symbol.asyncDispose]() {
      await bouncer.kill();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** Replaces settings in the file. */
function changed(ini: string, changes: Record<string, string>): string {
  return Object.entries(changes).reduce((text, [name, value]) => {
    const line = new RegExp(`^${name} = .*$`, "m");
    if (!line.test(text)) throw new Error(`${file} doesn't set ${name}`);
    return text.replace(line, `${name} = ${value}`);
  }, ini);
}
