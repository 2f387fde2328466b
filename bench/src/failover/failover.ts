import { setTimeout as pause } from "node:timers/promises";
import { queryPostgres } from "@tandem/testing/postgres-query";
import { startProcess } from "@tandem/testing/process";
import { type Cluster, startCluster, waitFor } from "./cluster.ts";
import { openSandbox } from "./sandbox.ts";
import { type Verdict, verify } from "./verify.ts";
import { POSTS_A_DAY, startWriteLoad, type WriteLoad } from "./write-load.ts";

/*
 * Measures a database failover: two services on a PostgreSQL cluster of three nodes, under a load of writes, while the
 * primary fails. Afterwards every acknowledged write must exist exactly once.
 *
 *   npm run failover [-- SCENARIO …]
 *
 * Exits with 1 if a write was lost or duplicated, or the service was down for longer than its limit.
 */

interface Scenario {
  title: string;
  /** Maximum downtime in seconds. */
  bound: number;
  /** Causes the failure. Returns a function that recovers the node if it doesn't recover by itself. */
  trigger(cluster: Cluster): Promise<() => void>;
}

/** Seconds: Patroni's TTL and two of its loops, HAProxy's health check, and a writer's next retry. */
const DEAD = 20 + 2 * 5 + 3 + 2;

const scenarios: Record<string, Scenario> = {
  machine: {
    title: "the primary's machine dies (SIGKILL)",
    bound: DEAD,
    async trigger(cluster) {
      const machine = await cluster.primary();
      machine.die();
      return machine.start;
    },
  },
  postgres: {
    title: "PostgreSQL alone dies (SIGKILL)",
    bound: DEAD,
    async trigger(cluster) {
      (await cluster.primary()).crash();
      return () => {};
    },
  },
  frozen: {
    title: "the primary's machine hangs (SIGSTOP)",
    bound: DEAD,
    async trigger(cluster) {
      const machine = await cluster.primary();
      machine.freeze();
      return machine.thaw;
    },
  },
  switchover: {
    title: "the primary is changed on purpose",
    bound: 15,
    async trigger(cluster) {
      await cluster.switchOver();
      return () => {};
    },
  },
};

const sandbox = await openSandbox();
const ended: AsyncDisposable[] = [sandbox];
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void cleanUp().then(() => process.exit(130)));
try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  for (const name of ["etcd", "haproxy", "one", "two", "three"])
    console.error(`--- ${name}\n${await sandbox.logOf(name).catch(() => "")}`);
  throw error;
} finally {
  await cleanUp();
}

async function cleanUp(): Promise<void> {
  for (const one of ended.splice(0).reverse()) await one[Symbol.asyncDispose]();
}

async function run(): Promise<boolean> {
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !(name in scenarios));
  if (unknown)
    throw new Error(`unknown scenario ${unknown}; choose from ${Object.keys(scenarios).join(", ")}`);
  const cluster = await startCluster(sandbox);
  const services: string[] = [];
  for (const _ of ["one", "other"]) {
    const service = await startProcess(sandbox.path, {
      DATABASE_URL: cluster.url,
      LIMIT_TIERS_PROBATION_POSTS: String(POSTS_A_DAY),
      LIMIT_TIERS_PROBATION_COMMENTS: "1000000",
      LIMIT_TIERS_PROBATION_ENGAGEMENT: "1000000",
      LIMIT_TIERS_PROBATION_WRITES: "1000000",
      LIMIT_THROTTLES_SIGNUP_PER_ADDRESS_LIMIT: "1000000",
    });
    ended.push(service);
    services.push(service.address);
  }
  console.log(row(["", "acknowledged", "lost", "duplicated", "unknown", "no writes", "no reads", "slowest"]));
  let good = true;
  for (const name of names.length > 0 ? names : Object.keys(scenarios)) {
    good = (await play(scenarios[name] as Scenario, cluster, services)) && good;
  }
  return good;
}

async function play(scenario: Scenario, cluster: Cluster, services: string[]): Promise<boolean> {
  const load = await startWriteLoad(services);
  await waitForWrites(load, 500);
  await pause(Math.random() * 3000);
  const before = await identity(cluster);
  const recover = await scenario.trigger(cluster);
  await waitFor("another primary", async () => (await identity(cluster)) !== before || null);
  await waitForWrites(load, 500);
  recover();
  // The old primary rejoins as a replica while writes continue.
  await waitForWrites(load, 500);
  await load.stop();
  await cluster.healthy();
  const verdict = await verify(load, String(services[0]), cluster);
  return report(scenario, load, verdict);
}

/** Identifies the primary by its port and start time. */
async function identity({ url }: Cluster): Promise<string> {
  const [row] = await queryPostgres<{ is: string }>(
    url,
    `select inet_server_port() || ' since ' || pg_postmaster_start_time() as is where not pg_is_in_recovery()`,
  );
  if (!row) throw new Error("not a primary yet");
  return row.is;
}

async function waitForWrites({ writes }: WriteLoad, more: number): Promise<void> {
  const goal = writes.served + more;
  await waitFor(`${more} writes`, async () => writes.served >= goal || null);
}

function report(scenario: Scenario, load: WriteLoad, verdict: Verdict): boolean {
  const { lost, duplicated } = verdict;
  const { writes, reads } = load;
  const written = [...load.authors.flatMap(({ posts }) => posts), ...load.comments];
  const unknown = written.filter(({ end }) => end === "unknown").length;
  const seconds = [writes.longestGap, reads.longestGap, Math.max(writes.slowest, reads.slowest)];
  console.log(
    row([
      scenario.title,
      ...[writes.served, lost, duplicated, unknown].map(String),
      ...seconds.map((s) => `${s.toFixed(1)} s`),
    ]),
  );
  const problems = [...verdict.problems];
  for (const [status, times] of [...writes.faults, ...reads.faults])
    problems.push(`${times} times ${status === 0 ? "no response" : `the response ${status}`}`);
  if (writes.longestGap > scenario.bound) problems.push(`no writes for longer than ${scenario.bound} s`);
  for (const problem of problems) console.log(`  ${problem}`);
  return lost === 0 && duplicated === 0 && problems.length === 0;
}

function row([what = "", ...figures]: string[]): string {
  return [what.padEnd(38), ...figures.map((figure) => figure.padStart(12))].join("  ");
}
