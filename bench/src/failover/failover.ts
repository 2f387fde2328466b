import { setTimeout as pause } from "node:timers/promises";
import { queryPostgres } from "@tandem/testing/postgres-query";
import { startProcess } from "@tandem/testing/process";
import { type Cluster, met, startCluster } from "./cluster.ts";
import { openGround } from "./machines.ts";
import { POSTS_A_DAY, type Storm, startStorm } from "./storm.ts";
import { type Verdict, verify } from "./verify.ts";

/*
 * What a dying database costs: two services on a PostgreSQL of three machines, a storm of writes, and in the middle of
 * it something happens to the primary. Afterwards every write that was acknowledged must be there exactly once.
 *
 *   npm run failover [-- SCENE …]
 *
 * It ends with 1 if a write was lost or doubled, or the service was away for longer than it may be.
 */

interface Scene {
  says: string;
  /** Seconds that the service may be away. */
  bound: number;
  /** What happens; gives back what brings the machine to life again, if that takes somebody. */
  happen(cluster: Cluster): Promise<() => void>;
}

/** Patroni's ttl and two of its rounds, until HAProxy has seen it, and until the next try of a writer. */
const DEAD = 20 + 2 * 5 + 3 + 2;

const scenes: Record<string, Scene> = {
  machine: {
    says: "the primary's machine dies (SIGKILL)",
    bound: DEAD,
    async happen(cluster) {
      const machine = await cluster.primary();
      machine.die();
      return machine.start;
    },
  },
  postgres: {
    says: "PostgreSQL alone dies (SIGKILL)",
    bound: DEAD,
    async happen(cluster) {
      (await cluster.primary()).crash();
      return () => {};
    },
  },
  frozen: {
    says: "the primary's machine hangs (SIGSTOP)",
    bound: DEAD,
    async happen(cluster) {
      const machine = await cluster.primary();
      machine.freeze();
      return machine.thaw;
    },
  },
  switchover: {
    says: "the primary is changed on purpose",
    bound: 15,
    async happen(cluster) {
      await cluster.switchOver();
      return () => {};
    },
  },
};

const ground = await openGround();
const ended: AsyncDisposable[] = [ground];
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void tidy().then(() => process.exit(130)));
try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  for (const name of ["etcd", "haproxy", "one", "two", "three"])
    console.error(`--- ${name}\n${await ground.said(name).catch(() => "")}`);
  throw error;
} finally {
  await tidy();
}

async function tidy(): Promise<void> {
  for (const one of ended.splice(0).reverse()) await one[Symbol.asyncDispose]();
}

async function run(): Promise<boolean> {
  const asked = process.argv.slice(2);
  const unknown = asked.find((name) => !(name in scenes));
  if (unknown) throw new Error(`no such scene as ${unknown}: there are ${Object.keys(scenes).join(", ")}`);
  const cluster = await startCluster(ground);
  const services: string[] = [];
  for (const _ of ["one", "other"]) {
    const service = await startProcess(ground.path, {
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
  console.log(row(["", "acknowledged", "lost", "doubled", "unknown", "no writes", "no reads", "slowest"]));
  let good = true;
  for (const name of asked.length > 0 ? asked : Object.keys(scenes)) {
    good = (await play(scenes[name] as Scene, cluster, services)) && good;
  }
  return good;
}

async function play(scene: Scene, cluster: Cluster, services: string[]): Promise<boolean> {
  const storm = await startStorm(services);
  await served(storm, 500);
  await pause(Math.random() * 3000);
  const before = await identity(cluster);
  const revive = await scene.happen(cluster);
  await met("another primary", async () => (await identity(cluster)) !== before || null);
  await served(storm, 500);
  revive();
  // The old primary comes back while others write, and follows.
  await served(storm, 500);
  await storm.stop();
  await cluster.whole();
  const verdict = await verify(storm, String(services[0]), cluster);
  return tell(scene, storm, verdict);
}

/** Which PostgreSQL is primary, and since when it runs. */
async function identity({ url }: Cluster): Promise<string> {
  const [row] = await queryPostgres<{ is: string }>(
    url,
    `select inet_server_port() || ' since ' || pg_postmaster_start_time() as is where not pg_is_in_recovery()`,
  );
  if (!row) throw new Error("not a primary yet");
  return row.is;
}

async function served({ writes }: Storm, more: number): Promise<void> {
  const goal = writes.served + more;
  await met(`${more} writes`, async () => writes.served >= goal || null);
}

function tell(scene: Scene, storm: Storm, { lost, doubled, wrong }: Verdict): boolean {
  const { writes, reads } = storm;
  const written = [...storm.authors.flatMap(({ posts }) => posts), ...storm.comments];
  const unknown = written.filter(({ end }) => end === "unknown").length;
  const seconds = [writes.longestGap, reads.longestGap, Math.max(writes.slowest, reads.slowest)];
  console.log(
    row([
      scene.says,
      ...[writes.served, lost, doubled, unknown].map(String),
      ...seconds.map((s) => `${s.toFixed(1)} s`),
    ]),
  );
  const complaints = [...wrong];
  for (const [status, times] of [...writes.faults, ...reads.faults])
    complaints.push(`${times} times ${status === 0 ? "no answer" : `the answer ${status}`}`);
  if (writes.longestGap > scene.bound) complaints.push(`no writes for longer than ${scene.bound} s`);
  for (const complaint of complaints) console.log(`  ${complaint}`);
  return lost === 0 && doubled === 0 && complaints.length === 0;
}

function row([what = "", ...figures]: string[]): string {
  return [what.padEnd(38), ...figures.map((figure) => figure.padStart(12))].join("  ");
}
