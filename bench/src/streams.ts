import { readdirSync } from "node:fs";
import type { ClientRequest } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type Client, createClient } from "@tandem/client/create-client";
import { readConfig } from "@tandem/server/config";
import { openStorage } from "@tandem/server/storage/open";
import { addBulkUsers, type BulkUser } from "@tandem/testing/bulk-users";
import { temporaryDirectory } from "@tandem/testing/storage";
import { cpuSeconds } from "./cpu.ts";
import { environments } from "./environments.ts";
import { EventRecorder } from "./event-recorder.ts";
import { loadOf } from "./load/load.ts";
import { median } from "./median.ts";
import { watchMemory } from "./memory.ts";
import { option } from "./options.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

/*
 * Measures one process with thousands of open notification streams: memory per stream, delay of events, effect on feed
 * reads, and what remains after all connections drop.
 *
 *   npm run bench:streams [-- --streams 10000 --events 500]
 */

const streams = option("streams", 10_000);
const events = option("events", 500);
const AUTHORS = 100;
const SECONDS = 3;
const ROUNDS = 3;
/** Milliseconds between two comments. */
const EVERY = 20;
const KB = 2 ** 10;

for (const start of environments.slice(0, 2)) {
  await using environment = await start();
  await using directory = await temporaryDirectory();
  const env = { DATA_DIR: directory.path, ...environment.env };
  const storage = await openStorage(readConfig(env));
  const users = await addBulkUsers(storage, streams);
  await storage.close();
  const limits = { LIMIT_SESSION_WRITES_PER_MINUTE: "1000000", LINK_CARDS: "0" };
  await using service = await startServer("../../server/src/main.ts", {
    ...{ ...env, ...limits, PORT: "0", LOG_LEVEL: "warn", STREAMS: String(streams) },
  });
  console.log(`${environment.name}: ${streams} streams on one process`);
  await measure(service, users);
}

async function measure(service: ServerProcess, users: BulkUser[]): Promise<void> {
  const { baseUrl, pid } = service;
  const authors = users.slice(0, AUTHORS);
  const posts = await Promise.all(
    authors.map((one) => as(baseUrl, one).createPost({ title: "A post to comment on" })),
  );
  // Measured before the process has done much: uncollected garbage would hide what streams cost.
  const [memory, handles] = [await resident(pid), handlesOf(pid)];
  const recorder = new EventRecorder();
  const began = performance.now();
  const requests: ClientRequest[] = [];
  for (const member of users) {
    requests.push(recorder.listen(baseUrl, member));
    if (requests.length % 200 === 0) await opened(baseUrl, requests.length);
  }
  await opened(baseUrl, requests.length);
  const opening = (performance.now() - began) / 1000;
  const each = ((await resident(pid)) - memory) / streams / KB;
  console.log(`  opened in ${opening.toFixed(1)} s, ${each.toFixed(1)} KiB of memory per stream`);
  const used = cpuSeconds(pid);
  await pause(10_000);
  console.log(`  idle: ${((cpuSeconds(pid) - used) * 10).toFixed(1)} % of a core`);
  const crowded = await readFeeds(service);
  await measureEvents(baseUrl, users, posts, recorder);
  await closeAll(service, requests, { memory, handles });
  const quiet = await readFeeds(service);
  console.log(
    `  a feed page took ${crowded.cpu.toFixed(2)} ms of CPU, and ${quiet.cpu.toFixed(2)} ms without streams; ${crowded.rate.toFixed(0)} and ${quiet.rate.toFixed(0)} pages per second`,
  );
}

async function measureEvents(
  baseUrl: string,
  users: BulkUser[],
  posts: { post: { id: number } }[],
  recorder: EventRecorder,
): Promise<void> {
  const reader = as(baseUrl, users.at(-1) as BulkUser);
  const responses: number[] = [];
  for (let i = 0; i < events; i++) {
    const id = posts[i % posts.length]?.post.id ?? 0;
    const at = performance.now();
    const { comment } = await reader.createComment({ id, body: "Said" });
    responses.push(performance.now() - at);
    recorder.expect(comment.id, at);
    await pause(EVERY);
  }
  while (recorder.delays.length < events) await pause(50);
  console.log(
    `  from a comment's request: response in ${percentiles(responses)}, event in ${percentiles(recorder.delays)}`,
  );
}

async function closeAll(
  { baseUrl, pid }: ServerProcess,
  requests: ClientRequest[],
  before: { memory: number; handles: number },
): Promise<void> {
  const began = performance.now();
  for (const line of requests) line.destroy();
  await opened(baseUrl, 0);
  const seconds = (performance.now() - began) / 1000;
  await pause(2000);
  const left = ((await resident(pid)) - before.memory) / KB / KB;
  console.log(
    `  all connections dropped: noticed in ${seconds.toFixed(1)} s, ${handlesOf(pid) - before.handles} handles and ${left.toFixed(0)} MiB more than before remain`,
  );
}

function as(baseUrl: string, { cookie }: BulkUser): Client {
  return createClient({ baseUrl, headers: { cookie } });
}

/** Pages per second, which depends on other load; and CPU milliseconds per page, which hardly does. */
async function readFeeds({ baseUrl, pid }: ServerProcess): Promise<{ rate: number; cpu: number }> {
  const [rates, costs]: number[][] = [[], []];
  await using load = await loadOf(baseUrl, [{ path: "/api/posts?limit=50" }]);
  for (let round = 0; round < ROUNDS; round++) {
    const used = cpuSeconds(pid);
    const { rate, count } = await load.run(SECONDS);
    rates?.push(rate);
    costs?.push(((cpuSeconds(pid) - used) * 1000) / count);
  }
  return { rate: median(rates ?? []), cpu: median(costs ?? []) };
}

/** Resolves once exactly `count` streams are open. */
async function opened(baseUrl: string, count: number): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
    if (Number(/^tandem_open_streams (\d+)/m.exec(metrics)?.[1]) === count) return;
    await pause(20);
  }
}

async function resident(pid: number): Promise<number> {
  const watch = watchMemory(pid);
  await pause(100);
  return watch.stop().service;
}

function handlesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function percentiles(milliseconds: number[]): string {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1);
  return `${at(0.5)} ms (p99 ${at(0.99)} ms)`;
}
