import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readConfig } from "@tandem/server/config";
import { insertRows } from "@tandem/server/storage/bulk";
import { openStorage } from "@tandem/server/storage/open";
import type { Storage } from "@tandem/server/storage/storage";
import { temporaryDirectory } from "@tandem/testing/storage";
import { readUntil } from "./background-reader.ts";
import { cpuSeconds } from "./cpu.ts";
import { environments } from "./environments.ts";
import { watchMemory } from "./memory.ts";
import { option } from "./options.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

/*
 * Measures one process that imports from thousands of sources while a user reads: with all articles new, with none new, and
 * with one new article per source. The feeds are served by another process on this machine.
 *
 *   npm run bench:sources [-- --sources 5000]
 */

const count = option("sources", 5000);
/** Sources that share a host. */
const SHARING = 4;
/** The service's default number of parallel requests to sources. */
const AT_ONCE = 32;
const MB = 2 ** 20;

for (const start of environments.slice(0, 2)) {
  await using environment = await start();
  await using directory = await temporaryDirectory();
  await using origin = await startServer("./feed-server.ts");
  console.log(`${environment.name}: ${count} sources at ${Math.ceil(count / SHARING)} hosts`);
  const env = { DATA_DIR: directory.path, ...environment.env };
  const storage = await openStorage(readConfig(env));
  const { port } = new URL(origin.baseUrl);
  await addSources(storage, port);
  const bare = await askBare(port);
  console.log(`  baseline, requests whose responses are discarded: ${bare.toFixed(0)} requests/s`);
  const beat = join(directory.path, "beat");
  await using service = await startServer("../../server/src/main.ts", {
    ...{ ...env, PORT: "0", LOG_LEVEL: "warn", OUTGOING_ALLOW: "127.0.0.0/8", SOURCES_SPACING: "10" },
    NODE_OPTIONS: `--import ${fileURLToPath(new URL("./event-loop-probe.mjs", import.meta.url))}`,
    PROBE_FILE: beat,
  });
  await measure("all articles new", storage, service, bare);
  await measure("none new", storage, service, bare);
  await fetch(`${origin.baseUrl}/more`, { method: "POST" });
  await measure("one new per source", storage, service, bare);
  console.log(
    `  longest time that its event loop was blocked: ${Number(readFileSync(beat, "utf8")).toFixed(0)} ms`,
  );
  await storage.close();
}

/** The sources aren't due until `measure` makes them due. */
async function addSources(storage: Storage, port: string): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => {
    const url = addressOf(i, port);
    return {
      platform: "rss" as const,
      name: `Feed ${i}`,
      url,
      enabled: 1,
      interval_ms: 900_000,
      due_at: null,
    };
  });
  await storage.write((tx) => insertRows(tx, "sources", rows));
}

function addressOf(i: number, port: string): string {
  const host = Math.floor(i / SHARING);
  return `http://127.1.${Math.floor(host / 250)}.${1 + (host % 250)}:${port}/${i}.xml`;
}

/** The baseline: requests per second with the service's parallelism, if the responses are only read. */
async function askBare(port: string): Promise<number> {
  const began = performance.now();
  let requested = 0;
  const askOn = async () => {
    while (requested < count) await (await fetch(addressOf(requested++, port))).text();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));
  return (count * 1000) / (performance.now() - began);
}

async function measure(
  what: string,
  storage: Storage,
  { baseUrl, pid }: ServerProcess,
  bare: number,
): Promise<void> {
  const before = await posts(storage);
  const memory = watchMemory(pid);
  const [began, used] = [Date.now(), cpuSeconds(pid)];
  let over = false;
  const reading = readUntil(baseUrl, () => over);
  await storage.write((tx) => tx.updateTable("sources").set({ due_at: began }).execute());
  let first = 0;
  for (let visited = 0; visited < count; await pause(100)) {
    visited = await visitedSince(storage, began);
    if (visited > 0) first ||= Date.now();
  }
  over = true;
  // The wait until the poller next checks for due sources doesn't count.
  const seconds = (Date.now() - first) / 1000;
  const items = (await posts(storage)) - before;
  const failing = await storage.read
    .selectFrom("sources")
    .select("last_error")
    .where("failures", ">", 0)
    .execute();
  const { count: reads, slowest } = await reading;
  console.log(
    [
      `  ${what}: ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)} visits/s (${((100 * count) / seconds / bare).toFixed(0)} % of baseline), ${items} posts, ${(items / seconds).toFixed(0)} posts/s`,
      `    ${(((cpuSeconds(pid) - used) * 1000) / count).toFixed(1)} ms of CPU per visit, peak memory ${(memory.stop().service / MB).toFixed(0)} MiB`,
      `    slowest of ${reads} concurrent reads: ${slowest.toFixed(0)} ms`,
      ...(failing.length > 0 ? [`    ${failing.length} failed: ${failing[0]?.last_error}`] : []),
    ].join("\n"),
  );
}

async function visitedSince(storage: Storage, time: number): Promise<number> {
  const row = await storage.read
    .selectFrom("sources")
    .select(({ fn }) => fn.countAll<number>().as("visited"))
    .where("polled_at", ">=", time)
    .executeTakeFirstOrThrow();
  return Number(row.visited);
}

async function posts(storage: Storage): Promise<number> {
  const row = await storage.read
    .selectFrom("posts")
    .select(({ fn }) => fn.countAll<number>().as("posts"))
    .executeTakeFirstOrThrow();
  return Number(row.posts);
}
