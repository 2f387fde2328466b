import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Load, loadOf } from "./load/load.ts";
import { median } from "./median.ts";
import { choice, option, required, textOption } from "./options.ts";
import type { Request } from "./requests.ts";
import { inTurn, served } from "./table/measure.ts";
import type { People } from "./table/people.ts";
import { commits, commonRows } from "./table/rows.ts";
import { startService } from "./table/service.ts";
import { SMALL } from "./table/table.ts";
import type { World } from "./table/world.ts";

/*
 * Compares what reads cost here with what they cost in an older checkout, in turn within one run; and how many writes there are per second, and
 * how long a read takes meanwhile. Both have the same posts: the older checkout creates them, and this one migrates its copy. Build the other
 * checkout first.
 *
 *   npm run bench:against -- --other /path/to/checkout [--database postgres --only comments --rounds 5 --seconds 2]
 */

/** Milliseconds between two reads that are sent during writes. */
const BETWEEN_READS = 5;

const own = fileURLToPath(new URL("../..", import.meta.url));
const other = resolve(required("other"));
const only = textOption("only") ?? "";
const engine = choice("database", ["sqlite", "postgres"]);
const timing = { rounds: option("rounds", 5), seconds: option("seconds", 2) };

/** The module of this name in a checkout's `bench/src/table`. */
const moduleOf = (checkout: string, name: string) =>
  import(pathToFileURL(join(checkout, "bench/src/table", name)).href);

const [before, now] = [await open(other), await open(own)];
try {
  for (const [i, { name, baseline }] of now.rows.entries())
    if (name.includes(only)) await (baseline === "bare" ? measure : measureWrites)(name, i);
} finally {
  for (const side of [before, now]) await side.close();
}

async function measure(name: string, row: number): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const subjects = [];
  for (const { service, people, rows } of [before, now]) {
    const { requests = [], quiet } = rows[row] ?? {};
    subjects.push(stack.use(await served(service, requests, quiet ? [] : commits(people))));
  }
  const [then = 0, today = 0] = (await inTurn(subjects, timing)).map(
    ({ cpu, database: more = 0 }) => cpu + more,
  );
  print(name, [then, today], (cpu) => `${cpu.toFixed(3)} ms`);
}

/** A checkout's service under writes. */
interface Side {
  baseUrl: string;
  load: Load;
  reads: Request[];
  rates: number[];
  /** Milliseconds. */
  delays: number[];
}

async function measureWrites(name: string, row: number): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const subjects: Side[] = [];
  for (const { service, rows } of [before, now]) {
    const load = stack.use(await loadOf(service.baseUrl, rows[row]?.requests ?? []));
    const { requests: reads = [] } = rows.find((one) => one.name === "one post") ?? {};
    subjects.push({ baseUrl: service.baseUrl, load, reads, rates: [], delays: [] });
  }
  for (let round = 0; round <= timing.rounds; round++)
    for (const { load, reads, baseUrl, rates, delays } of subjects) {
      const over = new AbortController();
      const reading = delaysOf(baseUrl, reads, over.signal);
      const { rate } = await load.run(timing.seconds).finally(() => over.abort());
      const read = await reading;
      // The first round doesn't count.
      if (round === 0) continue;
      rates.push(rate);
      delays.push(...read);
    }
  const of = (figure: (side: Side) => number) => subjects.map(figure);
  print(
    name,
    of(({ rates }) => median(rates)),
    (rate) => `${Math.round(rate)}/s`,
  );
  const inMilliseconds = (delay: number) => `${delay.toFixed(1)} ms`;
  print(
    "  a read meanwhile, median",
    of(({ delays }) => median(delays)),
    inMilliseconds,
  );
  print(
    "  a read meanwhile, p99",
    of(({ delays }) => slowest(delays)),
    inMilliseconds,
  );
}

/** How many milliseconds reads took that were sent one after the other, until it is over. */
async function delaysOf(baseUrl: string, reads: Request[], over: AbortSignal): Promise<number[]> {
  const delays: number[] = [];
  for (let i = 0; !over.aborted; i++) {
    const { path, headers = {} } = reads[i % reads.length] ?? { path: "/" };
    const start = performance.now();
    const response = await fetch(baseUrl + path, { headers });
    await response.text();
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    delays.push(performance.now() - start);
    await pause(BETWEEN_READS);
  }
  return delays;
}

/** The value that one of a hundred exceeds. */
function slowest(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(0.99 * sorted.length)] ?? Number.NaN;
}

function print(name: string, [then = 0, today = 0]: number[], text: (figure: number) => string): void {
  const figures = [then, today].map((figure) => text(figure).padStart(12)).join("");
  console.log(`${name.padEnd(34)}${figures}  ratio ${(today / then).toFixed(2)}`);
}

/** A checkout's service on the posts of the other one. */
async function open(checkout: string) {
  const world: World = await (await moduleOf(other, "world.ts")).openWorld(engine, SMALL);
  const people: People = await (await moduleOf(checkout, "people.ts")).addPeople(world);
  const service = await startService(world, {}, join(checkout, "server/dist/main.js"));
  return {
    ...{ people, service },
    rows: commonRows(people),
    async close() {
      await service[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}
