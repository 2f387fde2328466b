import { spawn } from "node:child_process";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { seed } from "@tandem/server/cli/seed/seed";
import { readConfig } from "@tandem/server/config";
import { openStorage } from "@tandem/server/storage/open";
import { addBulkUsers, type BulkUser } from "@tandem/testing/bulk-users";
import type autocannon from "autocannon";
import { environments } from "./environments.ts";
import { watchMemory } from "./memory.ts";
import { option } from "./options.ts";
import type { Seen, Task } from "./overload-client.ts";
import { favor } from "./priority.ts";
import { startServer } from "./server-process.ts";

/*
 * Offers one process ten times the requests per second that it can handle, of readers, then of writers. Compares how long accepted
 * requests take with the same requests while it is idle: all kinds together, and each. While it is idle, some answers are known and
 * take 0.1 ms; under load, they wait for a page that is being rendered. So the ratio of such a kind says little. Also measures the
 * slowest health check, whether new browsers get the files of the pages they get, the peak memory, and the time until it is fast again. Every connection has an address of its own.
 *
 *   npm run bench:overload [-- --readers 400 --writers 1000 --seconds 10 --posts 5000 --databases 2]
 *
 * On a machine with other load, pauses of the scheduler hide everything else. So as root, all its processes run before others, and the
 * load generators first: as on another machine, answers don't wait until someone has time to see them.
 */

const readers = option("readers", 400);
const writers = option("writers", 1000);
const seconds = option("seconds", 10);
const posts = option("posts", 5000);
/** 1: SQLite; 2: PostgreSQL, too. */
const databases = option("databases", 2);

/** Milliseconds from the start of a load in which requests may still wait for half a second, as in a burst. */
const BURST = 1000;

const client = fileURLToPath(new URL("overload-client.ts", import.meta.url));

type Kinds = Record<string, autocannon.Request[]>;
interface Scenario {
  name: string;
  connections: number;
  kinds: Kinds;
}

for (const begin of environments.slice(0, databases)) {
  // The service inherits it, and later the load generators. Those that had to wait for the service would measure their own delay.
  favor(process.pid, -10);
  await using environment = await begin();
  const env = {
    ...environment.env,
    PORT: "0",
    LOG_LEVEL: "error",
    TRUST_PROXY: "1",
    LIMIT_SESSION_WRITES_PER_MINUTE: "1000000000",
    LIMIT_THROTTLES_SAME_TEXT_PER_ACCOUNT_LIMIT: "1000000000",
  };
  const storage = await openStorage(readConfig(env));
  await seed(storage, { posts });
  const users = await addBulkUsers(storage, Math.max(readers, writers));
  const ids = await storage.read.selectFrom("posts").select("id").orderBy("id", "desc").limit(500).execute();
  await storage.close();
  await using service = await startServer("../../server/src/main.ts", env);
  favor(process.pid, -20);
  console.log(`${environment.name}, ${posts} posts`);
  const [reads, writes] = [
    readsOf(users),
    writesOf(
      users,
      ids.map(({ id }) => id),
    ),
  ];
  await measure(service, { name: "readers", connections: readers, kinds: reads });
  await measure(service, { name: "writers", connections: writers, kinds: writes });
}

function readsOf(users: BulkUser[]): Kinds {
  const signedIn = (path: string) => users.map(({ cookie }) => ({ path, headers: { cookie } }));
  const html = { accept: "text/html" };
  return {
    "strangers' pages": [
      { path: "/", headers: html },
      { path: "/feed.rss", headers: html },
    ],
    "signed-in pages": users.map(({ cookie }) => ({ path: "/", headers: { ...html, cookie } })),
    "strangers' lists": [{ path: "/api/posts?limit=50" }],
    "strangers' searches": ["the", "time", "what", "about"].map((q) => ({ path: `/api/posts?q=${q}` })),
    "signed-in lists": signedIn("/api/posts?limit=50"),
    "signed-in counts": signedIn("/api/notifications/count"),
  };
}

function writesOf(users: BulkUser[], ids: number[]): Kinds {
  const by = (make: (i: number) => { path: string; body: object }) =>
    users.map(({ cookie }, i) => {
      const { path, body } = make(i);
      const headers = { cookie, "content-type": "application/json" };
      return { method: "POST" as const, path, headers, body: JSON.stringify(body) };
    });
  const path = (i: number, what: string) => `/api/posts/${ids[i % ids.length]}/${what}`;
  return {
    posts: by((i) => ({ path: "/api/posts", body: { title: `By writer ${i}`, body: "word ".repeat(40) } })),
    comments: by((i) => ({ path: path(i, "comments"), body: { body: "What a thing to say!" } })),
    views: by((i) => ({ path: path(i, "view"), body: {} })),
  };
}

async function measure({ baseUrl, pid }: { baseUrl: string; pid: number }, scenario: Scenario) {
  const kinds = Object.entries(scenario.kinds);
  const idle: Record<string, number[]> = {};
  // Warm, then one request at a time.
  for (const [kind, requests] of kinds) {
    await load({ url: baseUrl, connections: 10, seconds: 2, requests: [requests] });
    const [alone] = await load({ url: baseUrl, connections: 1, seconds: 4, requests: [requests] });
    idle[kind] = alone?.accepted ?? [];
  }
  const first = kinds[0]?.[1] ?? [];
  const requests = Object.values(scenario.kinds);
  const capacity = await load({ url: baseUrl, connections: 2 * kinds.length, seconds: 5, requests });
  const memory = watchMemory(pid);
  const health = watchHealth(baseUrl);
  const browsers = watchBrowsers(baseUrl);
  const fits = rate(capacity, ({ accepted }) => accepted.length, 5);
  const seen = await load({
    url: baseUrl,
    connections: scenario.connections,
    seconds,
    requests,
    rate: 10 * fits,
  });
  const recovered = await recovery(baseUrl, scenario.kinds["signed-in counts"]?.[0] ?? first[0] ?? {});
  const probes = await health.stop();
  const { pages, files } = await browsers.stop();
  const peak = memory.stop();
  const total = (of: (one: Seen) => number) => rate(seen, of, seconds);
  console.log(
    `  ${scenario.connections} ${scenario.name}: ${fits}/s at ${2 * kinds.length} connections; offered ` +
      `${total(({ accepted, shed, other }) => accepted.length + shed + other)}/s, accepted ` +
      `${total(({ accepted }) => accepted.length)}/s, shed ${total(({ shed }) => shed)}/s, other ` +
      `${total(({ other }) => other)}/s`,
  );
  const count = ({ accepted, shed }: Seen) => `${accepted.length} accepted, ${shed} shed`;
  for (const [i, one] of seen.entries()) {
    const kind = kinds[i]?.[0] ?? "";
    console.log(`    ${kind.padEnd(20)} ${compare(idle[kind] ?? [], one.accepted)}; ${count(one)}`);
  }
  const alone = Object.values(idle).flatMap(evenly);
  const accepted = seen.flatMap((one) => one.accepted);
  console.log(`    ${"all kinds".padEnd(20)} ${compare(alone, accepted)}`);
  const later = seen.flatMap((one) => one.accepted.filter((_, i) => (one.at[i] ?? 0) > BURST));
  console.log(`    ${`after ${BURST} ms`.padEnd(20)} ${compare(alone, later)}`);
  console.log(
    `    health: ${probes.times.length} answered, ${probes.failed} not, slowest ${ms(probes.times, 1)}; ` +
      `memory ${mebibytes(peak.service)} MiB, ${mebibytes(peak.anonymous)} of it anonymous; fast again after ${recovered.toFixed(0)} ms`,
  );
  console.log(
    `    browsers: ${pages.times.length} pages, ${pages.failed} refused; ${files.times.length} of their files, ` +
      `${files.failed} refused, p99 ${ms(files.times, 0.99)}, slowest ${ms(files.times, 1)}`,
  );
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}

/** Per second, all kinds together. */
function rate(all: Seen[], of: (one: Seen) => number, time: number): number {
  return Math.round(all.reduce((sum, one) => sum + of(one), 0) / time);
}

/** Sends requests from a process of its own; the connections take the kinds in turn. */
async function load(task: Task): Promise<Seen[]> {
  const child = spawn(process.execPath, [client], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(task));
  return JSON.parse(await text(child.stdout));
}

interface Watched {
  times: number[];
  failed: number;
}

/** Does `check` every so many milliseconds, until it is stopped. */
function every(interval: number, check: () => Promise<void>) {
  const pending = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const one: Promise<void> = check().finally(() => pending.delete(one));
    pending.add(one);
  }, interval);
  return async () => {
    clearInterval(timer);
    await Promise.all(pending);
  };
}

/** Sends a request on a new connection. Returns the body if it was accepted. */
async function send(baseUrl: string, sent: Sent, seen: Watched): Promise<string | null> {
  const answer = await timed(baseUrl, sent).catch(() => null);
  if (answer?.status !== 200) {
    seen.failed += 1;
    return null;
  }
  seen.times.push(answer.time);
  return answer.body;
}

/** Sends a health check every 100 milliseconds. */
function watchHealth(baseUrl: string) {
  const seen: Watched = { times: [], failed: 0 };
  const end = every(100, async () => {
    await send(baseUrl, { path: "/healthz" }, seen);
  });
  return { stop: () => end().then(() => seen) };
}

/** Opens a page every 100 milliseconds as a new browser does, with its scripts, styles and fonts, six at a time. */
function watchBrowsers(baseUrl: string) {
  const pages: Watched = { times: [], failed: 0 };
  const files: Watched = { times: [], failed: 0 };
  let count = 0;
  const end = every(100, async () => {
    count += 1;
    const address = { "x-forwarded-for": `10.9.${count >> 8}.${count & 255}` };
    const page = await send(baseUrl, { path: "/", headers: { ...address, accept: "text/html" } }, pages);
    const paths = [...(page ?? "").matchAll(/"(\/assets\/[^"]+)"/g)].flatMap(([, path]) => path ?? []);
    const headers = { ...address, "accept-encoding": "br" };
    const connection = async () => {
      for (let path = paths.pop(); path !== undefined; path = paths.pop())
        await send(baseUrl, { path, headers }, files);
    };
    await Promise.all(Array.from({ length: 6 }, connection));
  });
  return { stop: () => end().then(() => ({ pages, files })) };
}

/** Milliseconds until a request is accepted ten times in a row, each within 100 milliseconds. */
async function recovery(baseUrl: string, { method = "GET", path = "/", headers, body }: autocannon.Request) {
  const began = performance.now();
  let since = began;
  for (let good = 0; good < 10; ) {
    if (good === 0) since = performance.now();
    const { status, time } = await timed(baseUrl, {
      method,
      path,
      headers: headers as Record<string, string>,
      body: String(body ?? ""),
    });
    good = status < 300 && time < 100 ? good + 1 : 0;
    if (performance.now() - began > 120_000) return Number.POSITIVE_INFINITY;
    await pause(10);
  }
  return since - began;
}

interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

function timed(baseUrl: string, { method = "GET", path, headers = {}, body = "" }: Sent) {
  const began = performance.now();
  return new Promise<{ status: number; time: number; body: string }>((resolve, reject) => {
    request(`${baseUrl}${path}`, { method, headers, agent: false }, (response) => {
      text(response).then((body) => {
        resolve({ status: response.statusCode ?? 0, time: performance.now() - began, body });
      }, reject);
    })
      .on("error", reject)
      .end(body);
  });
}

function quantile(values: number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

function compare(idle: number[], loaded: number[]): string {
  const ratio = (quantile(loaded, 0.99) / quantile(idle, 0.99)).toFixed(1);
  return (
    `idle p50 ${ms(idle, 0.5)} p99 ${ms(idle, 0.99)}; loaded p50 ${ms(loaded, 0.5)} ` +
    `p99 ${ms(loaded, 0.99)}, ratio ${ratio}`
  );
}

/** As many of each kind, as the connections send them; the idle service answers more of some. */
function evenly(values: number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return Array.from({ length: 1000 }, (_, i) => sorted[Math.floor((i / 1000) * sorted.length)] ?? Number.NaN);
}

function ms(values: number[], q: number): string {
  return `${quantile(values, q).toFixed(1)} ms`;
}
