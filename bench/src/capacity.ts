import { createClient } from "@tandem/client/create-client";
import { seed } from "@tandem/server/cli/seed/seed";
import { readConfig } from "@tandem/server/config";
import { openStorage } from "@tandem/server/storage/open";
import { addBulkUsers, type BulkUser } from "@tandem/testing/bulk-users";
import { cpuSeconds } from "./cpu.ts";
import { type Environment, environments } from "./environments.ts";
import { option } from "./options.ts";
import { type Request, sendRequests } from "./requests.ts";
import { startServer } from "./server-process.ts";

/*
 * Measures what each kind of request costs: CPU milliseconds of the service and the database, bytes sent, and bytes of the
 * write-ahead log. CPU time, unlike requests per second, depends little on other load. From that it estimates the cores for
 * a million daily users who behave as `aDay` says.
 *
 *   npm run bench:capacity [-- --posts 20000 --requests 3000]
 */

/** Requests of each kind per daily user, on average. A guess: replace it with what you observe. */
const aDay = {
  "newest 50": 15,
  "newest 50, anonymous": 5,
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

/** Peak hour relative to the day's average, and the target utilization of a core. */
const PEAK = 3;
const LOAD = 0.6;

const posts = option("posts", 20_000);
const requests = option("requests", 3000);
const connections = option("connections", 16);

for (const begin of environments) {
  await using environment = await begin();
  await measure(environment);
}

async function measure(environment: Environment): Promise<void> {
  const env = {
    ...environment.env,
    PORT: "0",
    LOG_LEVEL: "warn",
    LIMIT_SESSION_WRITES_PER_MINUTE: "100000000",
  };
  const storage = await openStorage(readConfig(env));
  await seed(storage, { posts });
  const users = await addBulkUsers(storage, requests);
  await storage.close();
  await using service = await startServer("../../server/src/main.ts", env);
  const processes = { service: service.pid, ...environment.processes };
  const figures = async () => [...Object.values(processes).map(cpuSeconds), await environment.walBytes()];
  console.log(`${environment.name}, ${posts} posts; CPU milliseconds per request`);
  const day = [0, ...(await figures()).map(() => 0)];
  for (const [kind, request] of Object.entries(await kinds(service.baseUrl, users))) {
    await sendRequests(service.baseUrl, { amount: Math.ceil(requests / 5), connections }, request);
    const before = await figures();
    const { bytes } = await sendRequests(service.baseUrl, { amount: requests, connections }, request);
    const after = await figures();
    const used = after.map((now, i) => (now - (before[i] ?? 0)) / requests);
    const labels = Object.keys(processes).map((name, i) => `${name} ${(1000 * (used[i] ?? 0)).toFixed(2)}`);
    const sizes = [`sent ${kib(bytes / requests)}`, ...(used.at(-1) ? [`log ${kib(used.at(-1) ?? 0)}`] : [])];
    console.log(`  ${[kind.padEnd(18), ...labels, ...sizes].join("  ")}`);
    for (const [i, one] of [...used, bytes / requests].entries())
      day[i] = (day[i] ?? 0) + aDay[kind as Kind] * one;
  }
  const cores = Object.keys(processes).map((name, i) => `${name} ${coresFor(day[i] ?? 0).toFixed(1)}`);
  const [log = 0, sent = 0] = day.slice(-2);
  console.log(`  a million daily users need at peak, in cores: ${cores.join(", ")};`);
  console.log(
    `  per day: ${(sent / 1e6).toFixed(1)} TB sent, uncompressed, and ${(log / 1e3).toFixed(0)} GB of write-ahead log`,
  );
}

/** Cores for a million daily users, given CPU seconds per user. */
function coresFor(seconds: number): number {
  return (seconds * 1e6 * PEAK) / 86_400 / LOAD;
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}

async function kinds(baseUrl: string, users: BulkUser[]): Promise<Record<Kind, (i: number) => Request>> {
  const anyone = createClient({ baseUrl });
  const pages = await Promise.all(
    ["", "hot"].map((sort) => anyone.listPosts({ limit: 50, ...(sort && { sort: "hot" }) })),
  );
  const found = pages.flatMap((page) => page.posts);
  const id = (i: number) => found[i % found.length]?.id;
  const words = found.flatMap(({ title }) => (title ?? "").split(/\W+/).filter((word) => word.length > 4));
  const by = (i: number, path: string): Request => ({ path, headers: { cookie: users[i]?.cookie ?? "" } });
  const write = (i: number, path: string, body?: object): Request => ({
    ...by(i, path),
    method: "POST",
    ...(body && { body }),
  });
  return {
    "newest 50": (i) => by(i, "/api/posts?limit=50"),
    "newest 50, anonymous": () => ({ path: "/api/posts?limit=50" }),
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
