import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { choice, option, required, textOption } from "./options.ts";
import { inTurn, served } from "./table/measure.ts";
import type { People } from "./table/people.ts";
import { commits, commonRows } from "./table/rows.ts";
import { startService } from "./table/service.ts";
import { SMALL } from "./table/table.ts";
import type { World } from "./table/world.ts";

/*
 * Compares what reads cost here with what they cost in an older checkout, in turn within one run. Both have the same posts: the older
 * checkout creates them, and this one migrates its copy. Build the other checkout first.
 *
 *   npm run bench:against -- --other /path/to/checkout [--database postgres --only comments --rounds 5 --seconds 2]
 */

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
  for (const [i, { name }] of now.reads.entries()) if (name.includes(only)) await measure(name, i);
} finally {
  for (const side of [before, now]) await side.close();
}

async function measure(name: string, read: number): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const subjects = [];
  for (const { service, people, reads } of [before, now]) {
    const { requests = [], quiet } = reads[read] ?? {};
    subjects.push(stack.use(await served(service, requests, quiet ? [] : commits(people))));
  }
  const [then = 0, today = 0] = (await inTurn(subjects, timing)).map(
    ({ cpu, database: more = 0 }) => cpu + more,
  );
  const times = [then, today].map((cpu) => `${cpu.toFixed(3)} ms`.padStart(10)).join("");
  console.log(`${name.padEnd(34)}${times}  ratio ${(today / then).toFixed(2)}`);
}

/** A checkout's service on the posts of the other one. */
async function open(checkout: string) {
  const world: World = await (await moduleOf(other, "world.ts")).openWorld(engine, SMALL);
  const people: People = await (await moduleOf(checkout, "people.ts")).addPeople(world);
  const service = await startService(world, {}, join(checkout, "server/dist/main.js"));
  return {
    ...{ people, service },
    reads: commonRows(people).filter(({ baseline }) => baseline === "bare"),
    async close() {
      await service[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}
