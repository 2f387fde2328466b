import { loadavg } from "node:os";
import { exactCpuSeconds } from "./cpu.ts";
import { Connection } from "./load/connection.ts";
import { bytesOf } from "./load/load.ts";
import { option, textOption } from "./options.ts";
import type { Request } from "./requests.ts";
import { addPeople } from "./table/people.ts";
import { newPosts } from "./table/rows.ts";
import { startService } from "./table/service.ts";
import { type Engine, openWorld } from "./table/world.ts";
import { buildWithoutLog } from "./without-log.ts";

/*
 * Measures what the transparency log costs a post. Two services as `npm start` runs them, one of them built without the log, take
 * short turns, so the ratio means the same on any machine. Their databases have the demo data and are on the disk, so a post waits
 * for its flush. While one works, the other is stopped: the time and CPU time of each include its background jobs, among them the
 * one that adds entries to the tree, which runs every ten seconds and makes the turns longer in which it does. So no turn is left out.
 *
 *   npm run bench:log [-- --seconds 150 --database sqlite]
 */

/** How long each kind of post is measured. */
const seconds = option("seconds", 150);
const database = textOption("database");
/** Posts per turn: few, because the load of a machine changes. */
const POSTS = 32;
/** Seconds that don't count, while code is compiled: also the job's, which runs every ten. */
const WARM_UP = 30;
/** Parts of the run whose results are compared, to tell chance from cost: long enough for the job to run in each. */
const PARTS = 10;
/** Student's t for a 95 % interval from so many parts. */
const T = 2.262;

const kinds = {
  "200 words, one after the other": { connections: 1, request: (post: Request) => post },
  "200 words, 16 at a time": { connections: 16, request: (post: Request) => post },
  "a title, one after the other": { connections: 1, request: titleOnly },
};

function titleOnly(post: Request): Request {
  return { ...post, body: { title: (post.body as { title: string }).title } };
}

const figures = { time: ({ time }: Use) => time, "CPU time": ({ cpu }: Use) => cpu };

const withoutLog = await buildWithoutLog();
for (const engine of ["sqlite", "postgres"] as const)
  if (database === null || database === engine) await measure(engine);

async function measure(engine: Engine): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const [withLog, without] = [await open(stack, engine), await open(stack, engine, withoutLog)];
  for (const [name, { connections, request }] of Object.entries(kinds)) {
    const pairs: Pair[] = [];
    await withLog.connect(connections);
    await without.connect(connections);
    const begin = performance.now() + WARM_UP * 1000;
    let added: number | null = null;
    for (let turn = 0; performance.now() < begin + seconds * 1000; turn += 1) {
      const counts = performance.now() >= begin;
      if (counts) added ??= await withLog.entries();
      // The first of a pair changes, because the second finds warmer caches.
      const order = turn % 2 === 0 ? [withLog, without] : [without, withLog];
      const used = new Map<Measurable, Use>();
      for (const each of order) used.set(each, await each.turn(request));
      const [a, b] = [used.get(withLog), used.get(without)];
      if (a && b && counts) pairs.push({ with: a, without: b });
    }
    report(`${engine}, ${name}`, pairs, (await withLog.entries()) - (added ?? 0));
  }
}

/** What a turn took, in seconds. */
interface Use {
  time: number;
  cpu: number;
}

type Pair = Record<"with" | "without", Use>;

interface Measurable {
  /** Sends from now on over so many connections. */
  connect(connections: number): Promise<void>;
  turn(request: (post: Request) => Request): Promise<Use>;
  /** How many entries are in the log's tree. */
  entries(): Promise<number>;
}

async function open(stack: AsyncDisposableStack, engine: Engine, script?: string): Promise<Measurable> {
  const world = stack.use(await openWorld(engine, 10_000));
  const posts = newPosts(await addPeople(world), 8000);
  const service = stack.use(await startService(world, {}, script));
  // Continues before it is asked to end.
  stack.defer(() => void process.kill(service.pid, "SIGCONT"));
  const opened: Connection[] = [];
  stack.defer(() => {
    for (const each of opened) each[Symbol.dispose]();
  });
  const cpu = () => exactCpuSeconds(service.pid) + (service.database ? exactCpuSeconds(service.database) : 0);
  let [next, counted] = [0, cpu()];
  let inUse: Connection[] = [];
  process.kill(service.pid, "SIGSTOP");
  return {
    async connect(connections) {
      inUse = await Promise.all(Array.from({ length: connections }, () => Connection.open(service.baseUrl)));
      opened.push(...inUse);
    },
    async turn(request) {
      const requests = Array.from({ length: POSTS }, (_, i) => {
        const post = posts[(next + i) % posts.length];
        return post ? bytesOf(service.baseUrl, request(post)) : "";
      });
      next += POSTS;
      const began = performance.now();
      process.kill(service.pid, "SIGCONT");
      const send = async (connection: Connection) => {
        for (let one = requests.pop(); one !== undefined; one = requests.pop()) await connection.send(one);
      };
      await Promise.all(inUse.map(send));
      const time = (performance.now() - began) / 1000;
      process.kill(service.pid, "SIGSTOP");
      // What a database does by itself meanwhile counts in the next turn.
      const before = counted;
      counted = cpu();
      return { time, cpu: counted - before };
    },
    async entries() {
      process.kill(service.pid, "SIGCONT");
      const note = await (await fetch(`${service.baseUrl}/log/checkpoint`)).text();
      process.kill(service.pid, "SIGSTOP");
      return Number(note.split("\n")[1]);
    },
  };
}

function report(name: string, pairs: readonly Pair[], added: number): void {
  const posts = pairs.length * POSTS;
  console.log(`${name} (load ${loadavg()[0]?.toFixed(1)}; ${posts} posts each, ${added} entries added)`);
  for (const [what, of] of Object.entries(figures)) {
    const parts = Array.from({ length: PARTS }, (_, i) =>
      pairs.filter((_, at) => Math.floor((at * PARTS) / pairs.length) === i),
    );
    const ratios = parts.map((part) => ratioOf(part, of)).toSorted((a, b) => a - b);
    const base = (sumOf(pairs, of, "without") * 1000) / posts;
    console.log(
      `  ${what.padEnd(8)} ${base.toFixed(3)} ms without the log, which adds ${percent(ratioOf(pairs, of))}` +
        ` (± ${(uncertainty(ratios) * 100).toFixed(1)}; parts of the run: ${ratios.map(percent).join(", ")})`,
    );
  }
}

/** Half of the 95 % interval of the parts' mean. */
function uncertainty(ratios: readonly number[]): number {
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  const squares = ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0);
  return T * Math.sqrt(squares / (ratios.length - 1) / ratios.length);
}

function ratioOf(pairs: readonly Pair[], of: (use: Use) => number): number {
  return sumOf(pairs, of, "with") / sumOf(pairs, of, "without");
}

function sumOf(pairs: readonly Pair[], of: (use: Use) => number, which: keyof Pair): number {
  return pairs.reduce((total, pair) => total + of(pair[which]), 0);
}

function percent(ratio: number): string {
  return `${((ratio - 1) * 100).toFixed(1)} %`;
}
