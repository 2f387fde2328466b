import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@tandem/client/client";
import { seed } from "@tandem/server/cli/seed/seed";
import { readConfig } from "@tandem/server/config";
import { openStorage } from "@tandem/server/storage/open";
import { addCrowd, type Member } from "@tandem/testing/crowd";
import { type PostgresServer, startPostgres } from "@tandem/testing/postgres-server";
import { ask } from "@tandem/testing/sql";
import { engines } from "@tandem/testing/tandem";
import { cpuSeconds } from "./cpu.ts";
import { option } from "./options.ts";
import { serve } from "./processes.ts";
import { fire, type Request } from "./requests.ts";

/*
 * What each kind of request costs: milliseconds of the processor in the service and in the database, bytes sent, and
 * bytes of the database's log. Time on the processor, unlike answers a second, depends little on what else the machine
 * does. From that, what a million people a day would take, who do what `aDay` says.
 *
 *   npm run bench:capacity [-- --posts 20000 --requests 3000]
 */

/** How often somebody who comes that day asks for each, on average: our guess, to be replaced by what one sees. */
const aDay = {
  "newest 50": 15,
  "newest 50, nobody": 5,
  "hottest 50": 5,
  search: 2,
  "one post": 6,
  "its comments": 6,
  "unread count": 40,
  "view, many posts": 30,
  "like, many posts": 4,
  comment: 0.5,
  post: 0.1,
} as const;
type Kind = keyof typeof aDay;

/** The busiest hour against the mean of the day, and how much of a machine one dares to use. */
const PEAK = 3;
const LOAD = 0.6;

const posts = option("posts", 20_000);
const requests = option("requests", 3000);
const connections = option("connections", 16);

for (const engine of engines) await measure(engine);

async function measure(engine: (typeof engines)[number]): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "tandem-capacity-"));
  const server = engine === "postgres" ? await startPostgres({ flags: ["-c", "fsync=on"] }) : null;
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: server ? `${server.url}/postgres` : "",
    PORT: "0",
    LOG_LEVEL: "warn",
    LIMIT_SESSION_WRITES_PER_MINUTE: "100000000",
  };
  const storage = await openStorage(readConfig(env));
  await seed(storage, { posts });
  const crowd = await addCrowd(storage, requests);
  await storage.close();
  const { baseUrl, pid, ...service } = await serve("../../server/src/main.ts", env);
  const database = server
    ? Number((await readFile(join(server.dataDir, "postmaster.pid"), "utf8")).split("\n")[0])
    : null;
  const used = () => [cpuSeconds(pid), database ? cpuSeconds(database) : 0] as const;
  console.log(`${engine}, ${posts} posts; milliseconds of the processor for one request`);
  const total = { own: 0, its: 0, bytes: 0, log: 0 };
  for (const [kind, request] of Object.entries(await kinds(baseUrl, crowd))) {
    await fire(baseUrl, { amount: Math.ceil(requests / 5), connections }, request);
    const before = [...used(), await logged(server)] as const;
    const { bytes } = await fire(baseUrl, { amount: requests, connections }, request);
    const after = [...used(), await logged(server)] as const;
    const [own, its, log] = after.map((now, i) => (now - (before[i] ?? 0)) / requests) as [
      number,
      number,
      number,
    ];
    const told = `service ${(1000 * own).toFixed(2)}  database ${(1000 * its).toFixed(2)}`;
    console.log(`  ${kind.padEnd(18)} ${told}  sent ${kib(bytes / requests)}  log ${kib(log)}`);
    const times = aDay[kind as Kind];
    total.own += times * own;
    total.its += times * its;
    total.bytes += (times * bytes) / requests;
    total.log += times * log;
  }
  const cores = (seconds: number) => ((seconds * 1e6 * PEAK) / 86_400 / LOAD).toFixed(1);
  console.log(
    `  a million such people a day: ${cores(total.own)} cores of service, ${cores(total.its)} of database at the`,
  );
  console.log(
    `  busiest; ${(total.bytes / 1e6).toFixed(1)} TB sent before compression, ${(total.log / 1e3).toFixed(0)} GB of log a day`,
  );
  await service[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}

/** Bytes of PostgreSQL's log so far. */
async function logged(server: PostgresServer | null): Promise<number> {
  if (!server) return 0;
  const [row] = await ask<{ bytes: string }>(
    `${server.url}/postgres`,
    "select pg_current_wal_lsn() - '0/0' as bytes",
  );
  return Number(row?.bytes);
}

async function kinds(baseUrl: string, crowd: Member[]): Promise<Record<Kind, (i: number) => Request>> {
  const anyone = createClient({ baseUrl });
  const pages = await Promise.all(
    ["", "hot"].map((sort) => anyone.listPosts({ limit: 50, ...(sort && { sort: "hot" }) })),
  );
  const found = pages.flatMap((page) => page.posts);
  const id = (i: number) => found[i % found.length]?.id;
  const words = found.flatMap(({ title }) => (title ?? "").split(/\W+/).filter((word) => word.length > 4));
  const by = (i: number, path: string): Request => ({ path, headers: { cookie: crowd[i]?.cookie ?? "" } });
  const write = (i: number, path: string, body?: object): Request => ({
    ...by(i, path),
    method: "POST",
    ...(body && { body }),
  });
  return {
    "newest 50": (i) => by(i, "/api/posts?limit=50"),
    "newest 50, nobody": () => ({ path: "/api/posts?limit=50" }),
    "hottest 50": (i) => by(i, "/api/posts?limit=50&sort=hot"),
    search: (i) => by(i, `/api/posts?q=${words[i % words.length]}`),
    "one post": (i) => by(i, `/api/posts/${id(i)}`),
    "its comments": (i) => by(i, `/api/posts/${id(i)}/comments`),
    "unread count": (i) => by(i, "/api/notifications/count"),
    "view, many posts": (i) => write(i, `/api/posts/${id(i)}/view`),
    "like, many posts": (i) => write(i, `/api/posts/${id(i)}/like`),
    comment: (i) => write(i, `/api/posts/${id(i)}/comments`, { body: "What a thing to say!" }),
    post: (i) => write(i, "/api/posts", { title: `Written as number ${i}`, body: "Some words. ".repeat(20) }),
  };
}
