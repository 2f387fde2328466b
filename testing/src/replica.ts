import { execFile } from "node:child_process";
import { chown, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { type PostgresServer, serviceUser, startPostgres } from "./postgres-server.ts";
import { scratchDirectory } from "./scratch.ts";

const execute = promisify(execFile);

/** Starts a streaming replica (hot standby) of a server from a copy of its files. */
export async function startReplica(primary: PostgresServer): Promise<PostgresServer> {
  const dataDir = await scratchDirectory("tandem-replica");
  const client = new pg.Client(`${primary.url}/postgres`);
  await client.connect();
  await client.query("select pg_backup_start('replica', true)");
  await execute("cp", ["-a", `${primary.dataDir}/.`, dataDir]);
  const { rows } = await client.query("select labelfile from pg_backup_stop()");
  await client.end();
  await rm(join(dataDir, "postmaster.pid"));
  const { hostname, port, username, password } = new URL(primary.url);
  const follow = `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`;
  const { uid, gid } = serviceUser();
  for (const [name, text] of [
    ["backup_label", rows[0].labelfile],
    ["standby.signal", ""],
    ["postgresql.auto.conf", follow],
  ]) {
    await writeFile(join(dataDir, name), text);
    if (uid !== undefined && gid !== undefined) await chown(join(dataDir, name), uid, gid);
  }
  return startPostgres({ dataDir });
}
