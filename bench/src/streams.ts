import { readdirSync } from "node:fs";
import type { ClientRequest } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type Client, createClient } from "@tandem/client/client";
import { readConfig } from "@tandem/server/config";
import { openStorage } from "@tandem/server/storage/open";
import { addBulkUsers, type BulkUser } from "@tandem/testing/bulk-users";
import { temporaryDirectory } from "@tandem/testing/storage";
import { cpuSeconds } from "./cpu.ts";
import { grounds } from "./grounds.ts";
import { Heard } from "./heard.ts";
import { load, median } from "./load.ts";
import { watchMemory } from "./memory.ts";
import { option } from "./options.ts";
import { type Served, serve } from "./processes.ts";

/*
 * Thousands who listen to their notifications at one process: what each costs, how soon they hear, how feeds are read
 * beside them, and what is left when all vanish without a word.
 *
 *   npm run bench:streams [-- --streams 10000 --events 500]
 */

const streams = option("streams", 10_000);
const events = option("events", 500);
const AUTHORS = 100;
const SECONDS = 3;
const ROUNDS = 3;
/** Milliseconds between two events. */
const EVERY = 20;
const KB = 2 ** 10;

for (const ground of grounds.slice(0, 2)) {
  await using stage = await ground();
  await using directory = await temporaryDirectory();
  const env = { DATA_DIR: directory.path, ...stage.env };
  const storage = await openStorage(readConfig(env));
  const crowd = await addBulkUsers(storage, streams);
  await storage.close();
  const limits = { LIMIT_SESSION_WRITES_PER_MINUTE: "1000000", LINK_CARDS: "0" };
  await using service = await serve("../../server/src/main.ts", {
    ...{ ...env, ...limits, PORT: "0", LOG_LEVEL: "warn", STREAMS: String(streams) },
  });
  console.log(`${stage.name}: ${streams} streams on one process`);
  await measure(service, crowd);
}

async function measure(service: Served, crowd: BulkUser[]): Promise<void> {
  const { baseUrl, pid } = service;
  const authors = crowd.slice(0, AUTHORS);
  const posts = await Promise.all(authors.map((one) => as(baseUrl, one).createPost({ title: "Heard of" })));
  // Of a process that has done little yet: what lies about for its next collection would hide what streams cost.
  const [memory, handles] = [await resident(pid), handlesOf(pid)];
  const heard = new Heard();
  const began = performance.now();
  const lines: ClientRequest[] = [];
  for (const member of crowd) {
    lines.push(heard.listen(baseUrl, member));
    if (lines.length % 200 === 0) await opened(baseUrl, lines.length);
  }
  await opened(baseUrl, lines.length);
  const opening = (performance.now() - began) / 1000;
  const each = ((await resident(pid)) - memory) / streams / KB;
  console.log(`  opened in ${opening.toFixed(1)} s, ${each.toFixed(1)} KiB of memory each`);
  const used = cpuSeconds(pid);
  await pause(10_000);
  console.log(`  while nothing happens: ${((cpuSeconds(pid) - used) * 10).toFixed(1)} % of a core`);
  const crowded = await readFeeds(service);
  await tellAll(baseUrl, crowd, posts, heard);
  await vanish(service, lines, { memory, handles });
  const quiet = await readFeeds(service);
  console.log(
    `  a page of the feed took ${crowded.cpu.toFixed(2)} ms of the processor, and ${quiet.cpu.toFixed(2)} ms without them; ${crowded.rate.toFixed(0)} and ${quiet.rate.toFixed(0)} a second`,
  );
}

async function tellAll(
  baseUrl: string,
  crowd: BulkUser[],
  posts: { post: { id: number } }[],
  heard: Heard,
): Promise<void> {
  const reader = as(baseUrl, crowd.at(-1) as BulkUser);
  const answers: number[] = [];
  for (let i = 0; i < events; i++) {
    const id = posts[i % posts.length]?.post.id ?? 0;
    const at = performance.now();
    const { comment } = await reader.createComment({ id, body: "Said" });
    answers.push(performance.now() - at);
    heard.expect(comment.id, at);
    await pause(EVERY);
  }
  while (heard.delays.length < events) await pause(50);
  console.log(
    `  a comment is answered in ${told(answers)}, and heard of in ${told(heard.delays)}, counted from its request`,
  );
}

async function vanish(
  { baseUrl, pid }: Served,
  lines: ClientRequest[],
  before: { memory: number; handles: number },
): Promise<void> {
  const began = performance.now();
  for (const line of lines) line.destroy();
  await opened(baseUrl, 0);
  const seconds = (performance.now() - began) / 1000;
  await pause(2000);
  const left = ((await resident(pid)) - before.memory) / KB / KB;
  console.log(
    `  all vanished: noticed in ${seconds.toFixed(1)} s, ${handlesOf(pid) - before.handles} handles and ${left.toFixed(0)} MiB more than before are left`,
  );
}

function as(baseUrl: string, { cookie }: BulkUser): Client {
  return createClient({ baseUrl, headers: { cookie } });
}

/** Pages a second, which hangs on what else the machine does; and milliseconds of the processor for one, which hardly does. */
async function readFeeds({ baseUrl, pid }: Served): Promise<{ rate: number; cpu: number }> {
  const [rates, costs]: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const used = cpuSeconds(pid);
    const { rate } = await load({ url: `${baseUrl}/api/posts?limit=50` }, SECONDS);
    rates?.push(rate);
    costs?.push(((cpuSeconds(pid) - used) * 1000) / (rate * SECONDS));
  }
  return { rate: median(rates ?? []), cpu: median(costs ?? []) };
}

/** Resolves once so many streams are open. */
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

function told(milliseconds: number[]): string {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1);
  return `${at(0.5)} ms (p99 ${at(0.99)} ms)`;
}
