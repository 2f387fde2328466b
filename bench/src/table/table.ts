import { watchMemory } from "../memory.ts";
import type { Request } from "../requests.ts";
import { bare, inTurn, served, type Timing } from "./measure.ts";
import { addPeople, type People } from "./people.ts";
import { pgbench } from "./pgbench.ts";
import { type Line, lineOf } from "./print.ts";
import { commits, likes, mixture, type Row } from "./rows.ts";
import { type Service, startService } from "./service.ts";
import { type Engine, openWorld, type World } from "./world.ts";
import { writeBaseline } from "./write-baseline.ts";

/** Posts of the world that most rows are measured on. */
export const SMALL = 10_000;

export interface Setup {
  engine: Engine;
  workers: number;
  timing: Timing;
}

/** A running service on a world. */
export interface Bench extends AsyncDisposable {
  setup: Setup;
  world: World;
  people: People;
  service: Service;
}

export async function open(setup: Setup, posts: number): Promise<Bench> {
  const world = await openWorld(setup.engine, posts);
  const people = await addPeople(world);
  const service = await startService(world, { WORKERS: String(setup.workers) });
  return {
    ...{ setup, world, people, service },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

export async function measureRow({ setup, world, people, service }: Bench, row: Row): Promise<Line> {
  const { name, requests, goal, baseline, quiet } = row;
  const isRead = baseline === "bare";
  await using stack = new AsyncDisposableStack();
  const ours = stack.use(await served(service, requests, isRead && !quiet ? commits(people) : []));
  const subjects = [ours];
  const [first] = requests;
  if (isRead && first) subjects.push(stack.use(await bare(service.baseUrl, first)));
  else if (!isRead && setup.engine === "sqlite")
    subjects.push(stack.use(await writeBaseline(baseline, world.posts)));
  const [measured, limit = null] = await inTurn(subjects, setup.timing);
  if (!measured) throw new Error(`${name} was not measured`);
  return lineOf(nameOn(world, name), { ours: measured, baseline: limit, goal, by: isRead ? "cpu" : "rate" });
}

/** What a like costs with many posts, in multiples of what it costs with few. */
export async function likeGrowth(small: Bench, large: Bench): Promise<Line> {
  await using stack = new AsyncDisposableStack();
  const subjects = [];
  for (const { service, people } of [large, small])
    subjects.push(stack.use(await served(service, likes(people, 24))));
  const [many, few] = await inTurn(subjects, small.setup.timing);
  if (!many || !few) throw new Error("Likes were not measured");
  const value = { figure: many.cpu / few.cpu, unit: "×" } as const;
  return {
    name: "like, against 10,000 posts",
    ours: many,
    baseline: few,
    value,
    goal: { figure: 1.15, least: false },
  };
}

/** A page of PostgreSQL, beside pgbench running its statement. */
export async function againstPgbench({ setup, world, people, service }: Bench): Promise<Line> {
  await using stack = new AsyncDisposableStack();
  const requests = pages(people);
  const ours = stack.use(await served(service, requests));
  const { workers } = setup;
  const statement = stack.use(
    await pgbench(world, { baseUrl: service.baseUrl, workers }, requests[0] ?? { path: "/" }),
  );
  const [page, alone] = await inTurn([ours, statement], setup.timing);
  if (!page || !alone) throw new Error("Pages were not measured");
  return lineOf("page, against pgbench", { ours: page, baseline: alone, goal: { ratio: 0.5 }, by: "rate" });
}

/** Memory and event loop while everything happens at once. The goal for memory is for a million posts. */
export async function use({ setup, world, people, service }: Bench): Promise<Line[]> {
  await using load = await served(service, mixture(people));
  await load.run(2);
  const memory = watchMemory(service.pid);
  const delay = await service.eventLoopDelay(() => load.run(setup.timing.rounds * setup.timing.seconds));
  const { anonymous, service: resident } = memory.stop();
  const none = { ours: null, baseline: null };
  const most = (figure: number) => ({ figure, least: false });
  const MIB = 2 ** 20;
  return [
    {
      ...{ name: nameOn(world, "memory, anonymous"), ...none },
      value: { figure: anonymous / MIB, unit: "MiB" },
      goal: world.posts >= 1e6 ? most(200) : null,
    },
    {
      ...{ name: nameOn(world, "memory, resident"), ...none, goal: null },
      value: { figure: resident / MIB, unit: "MiB" },
    },
    {
      ...{ name: nameOn(world, "event loop delay, p99.9"), ...none },
      value: { figure: delay, unit: "ms" },
      goal: most(15),
    },
  ];
}

/** Seconds after which a service has compiled its code. */
const STARTED = 8;

/**
 * How many times the pages of one process several processes serve. The load generator takes part of the cores, so this follows from
 * the CPU time per page: with a core for each process, the rates are in that proportion.
 */
export async function workersAgainstOne({ setup, world, people, service }: Bench): Promise<Line> {
  await using one = await startService(world, { WORKERS: "1" });
  await using stack = new AsyncDisposableStack();
  const subjects = [];
  for (const each of [service, one]) subjects.push(stack.use(await served(each, pages(people))));
  // The one has just started, while the others have compiled their code already.
  await subjects.at(-1)?.run(STARTED);
  const [several, single] = await inTurn(subjects, setup.timing);
  if (!several || !single) throw new Error("Pages were not measured");
  const value = { figure: (setup.workers * single.cpu) / several.cpu, unit: "×" } as const;
  const goal = { figure: 0.85 * setup.workers, least: true };
  return {
    name: `pages, ${setup.workers} processes against one`,
    ours: several,
    baseline: single,
    value,
    goal,
  };
}

/** Says how many posts there are, if they aren't as few as in most rows. */
function nameOn({ posts }: World, name: string): string {
  return posts <= SMALL
    ? name
    : `${name}, ${new Intl.NumberFormat("en", { notation: "compact" }).format(posts)} posts`;
}

function pages({ readers }: People): Request[] {
  return readers.map((cookie) => ({ path: "/api/posts?limit=50", headers: { cookie } }));
}
