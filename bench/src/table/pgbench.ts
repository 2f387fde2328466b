import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { queryPostgres } from "@tandem/testing/postgres-query";
import { programOf } from "@tandem/testing/programs";
import type { Request } from "../requests.ts";
import type { World } from "./world.ts";
import type { Subject } from "./write-baseline.ts";

const execute = promisify(execFile);

/** Connections that each process of the service opens, by default. */
const CONNECTIONS = 10;

/** pgbench, running the longest statement that this request causes, over as many connections as the service has. */
export async function pgbench(
  { directory, env, database }: World,
  { baseUrl, workers }: { baseUrl: string; workers: number },
  { path, headers = {} }: Request,
): Promise<Subject> {
  if (!database) throw new Error("There is no PostgreSQL to measure");
  const url = env.DATABASE_URL;
  const before = database.said().length;
  await log(url, "0");
  await (await fetch(baseUrl + path, { headers })).text();
  await log(url, "-1");
  // Background jobs may run in the meantime; they write.
  const statements = loggedIn(database.said().slice(before)).filter((text) =>
    /^\s*(select|with)\b/.test(text),
  );
  const [longest] = statements.toSorted((a, b) => b.length - a.length);
  if (!longest) throw new Error("PostgreSQL logged no statement of the request");
  const script = join(directory, "pgbench.sql");
  await writeFile(script, `${longest};\n`);
  const program = await programOf("pgbench");
  const clients = ["-c", String(CONNECTIONS * workers), "-j", "1"];
  return {
    pid: database.pid,
    async run(seconds) {
      const args = ["-n", "-M", "prepared", ...clients, "-T", String(seconds), "-f", script, url];
      const { stdout } = await execute(program, args);
      const [, count] = /transactions actually processed: (\d+)/.exec(stdout) ?? [];
      const [, rate] = /tps = ([\d.]+)/.exec(stdout) ?? [];
      return { count: Number(count), rate: Number(rate) };
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** Logs statements that take at least that many milliseconds; -1 for none. */
async function log(url: string, milliseconds: string): Promise<void> {
  await queryPostgres(url, `alter system set log_min_duration_statement = ${milliseconds}`);
  await queryPostgres(url, "select pg_reload_conf(), pg_sleep(0.5)");
}

/** The statements with parameters in a log, with the values in place of the parameters. */
function loggedIn(text: string): string[] {
  const entries = text.matchAll(
    /execute [^:]*: ([\s\S]*?)\n[^\n]*DETAIL: {2}[Pp]arameters: ([\s\S]*?)(?=\n\d{4}-\d\d-\d\d |$)/g,
  );
  return [...entries].map(([, statement = "", values = ""]) => {
    const byNumber = new Map(
      [...values.matchAll(/\$(\d+) = ('(?:[^']|'')*'|NULL)/g)].map(([, number, value]) => [number, value]),
    );
    return statement.replace(/\$(\d+)/g, (all, number) => byNumber.get(number) ?? all);
  });
}
