import { fileURLToPath } from "node:url";
import { Callers, type Person } from "@tandem/testing/callers";
import { cpuSeconds } from "./cpu.ts";
import { type Environment, environments } from "./environments.ts";
import { median } from "./load.ts";
import { option } from "./options.ts";
import { startServer } from "./server-process.ts";

/*
 * Measures what the transparency log costs a post: two services, one with it and one without, take turns within one run, so
 * the ratio means the same on any machine. The job that adds entries to the tree runs as usual, and its time counts.
 *
 *   npm run bench:log [-- --posts 200 --rounds 15]
 */

const posts = option("posts", 200);
const rounds = option("rounds", 15);

const withoutLog = fileURLToPath(new URL("./without-log.mjs", import.meta.url));
const body = "word ".repeat(40);

console.log(`${posts} posts a round, one after the other; medians of ${rounds} rounds in turn`);
for (const start of environments.slice(0, 2)) await measure(start);

async function measure(start: () => Promise<Environment>): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const services = { with: await service(stack, start), without: await service(stack, start, withoutLog) };
  for (const each of Object.values(services)) await each.round();
  const ratios: { wall: number[]; cpu: number[] } = { wall: [], cpu: [] };
  const wall: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // The first of a pair changes, because the second finds warmer caches.
    const order = round % 2 === 0 ? (["with", "without"] as const) : (["without", "with"] as const);
    const found = { with: { wall: 0, cpu: 0 }, without: { wall: 0, cpu: 0 } };
    for (const which of order) found[which] = await services[which].round();
    ratios.wall.push(found.with.wall / found.without.wall);
    ratios.cpu.push(found.with.cpu / found.without.cpu);
    wall.push(found.without.wall);
  }
  const percent = (values: number[]) => `${((median(values) - 1) * 100).toFixed(1)} %`;
  console.log(
    `${services.with.name.padEnd(11)} a post takes ${median(wall).toFixed(2)} ms; the log adds ${percent(ratios.wall)} of its time, ${percent(ratios.cpu)} of its CPU time`,
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
  const cpu = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  return {
    name: environment.name,
    /** Milliseconds per post: by the clock, and of processors in the service and its database. */
    async round() {
      const [began, used] = [performance.now(), cpu()];
      for (let i = 0; i < posts; i += 1) await person.createPost({ title: `Post ${i}`, body });
      return { wall: (performance.now() - began) / posts, cpu: ((cpu() - used) * 1000) / posts };
    },
  };
}
