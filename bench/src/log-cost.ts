import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Callers, type Person } from "@tandem/testing/callers";
import { cpuSeconds } from "./cpu.ts";
import { type Environment, environments } from "./environments.ts";
import { median } from "./median.ts";
import { option } from "./options.ts";
import { startServer } from "./server-process.ts";

/*
 * Measures what the transparency log costs a post: two services, one with it and one without, take turns within one run, so
 * the ratio means the same on any machine. CPU time is that of the whole run, so it includes the job that adds entries to the
 * tree, whenever it ran.
 *
 *   npm run bench:log [-- --posts 100 --rounds 60]
 */

const posts = option("posts", 100);
const rounds = option("rounds", 60);

const withoutLog = fileURLToPath(new URL("./without-log.mjs", import.meta.url));
const body = "word ".repeat(40);

console.log(`${posts} posts a round, one after the other; ${rounds} rounds in turn`);
for (const start of environments.slice(0, 2)) await measure(start);

async function measure(start: () => Promise<Environment>): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const services = { with: await service(stack, start), without: await service(stack, start, withoutLog) };
  for (const each of Object.values(services)) for (let i = 0; i < 3; i += 1) await each.round();
  await services.with.treeIsComplete();
  const used = { with: services.with.cpu(), without: services.without.cpu() };
  const wall = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    // The first of a pair changes, because the second finds warmer caches.
    const order = round % 2 === 0 ? (["with", "without"] as const) : (["without", "with"] as const);
    for (const which of order) wall[which].push(await services[which].round());
  }
  await services.with.treeIsComplete();
  const cpu = (which: keyof typeof services) =>
    ((services[which].cpu() - used[which]) * 1000) / (posts * rounds);
  const ratio = median(wall.with.map((time, i) => time / (wall.without[i] ?? Number.NaN)));
  const percent = (value: number) => `${((value - 1) * 100).toFixed(1)} %`;
  console.log(
    `${services.with.name.padEnd(11)} a post takes ${median(wall.without).toFixed(2)} ms and ${cpu("without").toFixed(2)} ms of CPU time; ` +
      `the log adds ${percent(ratio)} of its time, ${percent(cpu("with") / cpu("without"))} of its CPU time`,
  );
}

async function service(stack: AsyncDisposableStack, start: () => Promise<Environment>, preload?: string) {
  const environment = stack.use(await start());
  const tandem = stack.use(
    await startServer("../../server/src/main.ts", {
      ...environment.env,
      PORT: "0",
      LOG_LEVEL: "warn",
      LIMIT_SESSION_WRITES_PER_MINUTE: "1000000000",
      LIMIT_THROTTLES_SAME_TEXT_PER_ACCOUNT_LIMIT: "1000000000",
      ...(preload && { NODE_OPTIONS: `--import=${preload}` }),
    }),
  );
  const person: Person = await new Callers(tandem.baseUrl).human();
  const pids = [tandem.pid, ...Object.values(environment.processes)];
  let published = 0;
  return {
    name: environment.name,
    /** Seconds of processors so far, in the service and its database. */
    cpu: () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0),
    split: () => pids.map((pid) => cpuSeconds(pid)),
    /** Milliseconds per post. */
    async round() {
      const began = performance.now();
      for (let i = 0; i < posts; i += 1) await person.createPost({ title: `Post ${i}`, body });
      published += posts;
      return (performance.now() - began) / posts;
    },
    /** Resolves once the job has added all entries to the tree. */
    async treeIsComplete() {
      for (let size = 0; size < published; await pause(100)) {
        const checkpoint = await (await fetch(`${tandem.baseUrl}/log/checkpoint`)).text();
        size = Number(checkpoint.split("\n")[1]);
      }
    },
  };
}
