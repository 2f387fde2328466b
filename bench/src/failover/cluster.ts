import type { ChildProcess } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@tandem/testing/ports";
import { queryPostgres } from "@tandem/testing/postgres-query";
import { programOf } from "@tandem/testing/programs";
import { postgresIn, type Sandbox, signal } from "./sandbox.ts";

/** Three PostgreSQL nodes managed by Patroni, with one etcd, behind HAProxy, all on this machine. */
export interface Cluster {
  /** URL of the primary's database, by way of HAProxy. */
  readonly url: string;
  /** URL of each node's database. */
  readonly copies: string[];
  /** The node that is primary according to Patroni. */
  primary(): Promise<Machine>;
  /** Resolves once there is one primary that all others follow. */
  healthy(): Promise<void>;
  switchOver(): Promise<void>;
}

export interface Machine {
  readonly name: string;
  /** Kills all its processes, Patroni included, like a power cut. */
  die(): void;
  /** Kills only PostgreSQL. */
  crash(): void;
  /** Suspends all its processes, with their connections open. */
  freeze(): void;
  thaw(): void;
  /** Starts Patroni again after {@link Machine.die}. */
  start(): void;
}

interface Member {
  name: string;
  role: string;
  state: string;
  timeline?: number;
}

const names = ["one", "two", "three"] as const;
const password = "tandem";
const deploy = fileURLToPath(new URL("../../../docs/deploy/", import.meta.url));

export async function startCluster(sandbox: Sandbox): Promise<Cluster> {
  const [etcd, patroni, haproxy] = [
    await programOf("etcd"),
    await programOf("patroni"),
    await programOf("haproxy"),
  ];
  await programOf("postgres15");
  const ports = new Map(await Promise.all(names.map(async (name) => [name, await portsOf()] as const)));
  const [client, peer, front] = [await freePort(), await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${client}`;
  const peerUrl = `http://127.0.0.1:${peer}`;
  sandbox.run("etcd", [
    etcd,
    "--enable-v2=true",
    ...["--data-dir", join(sandbox.path, "etcd")],
    ...["--listen-client-urls", etcdUrl, "--advertise-client-urls", etcdUrl],
    ...["--listen-peer-urls", peerUrl, "--initial-advertise-peer-urls", peerUrl],
    ...["--initial-cluster", `default=${peerUrl}`],
  ]);
  const machines = new Map<string, Machine>();
  for (const [name, { postgres, rest }] of ports) {
    const file = await patroniFile(sandbox, {
      NAME: name,
      REST_ADDRESS: `127.0.0.1:${rest}`,
      ETCD_ADDRESSES: `127.0.0.1:${client}`,
      POSTGRES_ADDRESS: `127.0.0.1:${postgres}`,
      DATA_DIR: join(sandbox.path, name),
      POSTGRES_PASSWORD: password,
      REPLICATION_PASSWORD: password,
    });
    machines.set(name, machine(sandbox, name, [patroni, file]));
  }
  sandbox.run("haproxy", [haproxy, "-db", "-f", join(deploy, "haproxy-postgres.cfg")], {
    PRIMARY_ADDRESS: `127.0.0.1:${front}`,
    ...Object.fromEntries(
      [...ports].flatMap(([name, { postgres, rest }]) => [
        [`POSTGRES_${name.toUpperCase()}`, `127.0.0.1:${postgres}`],
        [`REST_PORT_${name.toUpperCase()}`, String(rest)],
      ]),
    ),
  });
  /** The members as each responding node sees them. */
  const views = async () => {
    const requests = [...ports.values()].map(({ rest }) => askPatroni(rest, "GET", "/cluster"));
    const responses = (await Promise.allSettled(requests)).filter((one) => one.status === "fulfilled");
    return responses.map(({ value }) => (JSON.parse(value) as { members: Member[] }).members);
  };
  const leader = async () => {
    const leaders = new Set((await views()).map(leaderIn));
    return leaders.size === 1 ? [...leaders][0] : null;
  };
  const cluster: Cluster = {
    url: urlOf(front),
    copies: [...ports.values()].map(({ postgres }) => urlOf(postgres)),
    async primary() {
      const name = await waitFor("a primary", leader);
      return machines.get(name) as Machine;
    },
    healthy: () =>
      waitFor("three machines in step", async () => isHealthy(await views()) || null).then(() => {}),
    async switchOver() {
      const name = await waitFor("a primary", leader);
      const { rest } = ports.get(name as (typeof names)[number]) as Ports;
      await askPatroni(rest, "POST", "/switchover", { leader: name });
    },
  };
  await cluster.healthy();
  await waitFor("HAProxy", () =>
    queryPostgres(cluster.url.replace(/tandem$/, "postgres"), "create database tandem"),
  );
  return cluster;
}

function urlOf(port: number): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/tandem`;
}

interface Ports {
  postgres: number;
  rest: number;
}

async function portsOf(): Promise<Ports> {
  return { postgres: await freePort(), rest: await freePort() };
}

async function patroniFile(sandbox: Sandbox, values: Record<string, string>): Promise<string> {
  const template = await readFile(join(deploy, "patroni.yml"), "utf8");
  const file = join(sandbox.path, `${values.NAME}.yml`);
  await writeFile(
    file,
    template.replace(/\$\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),
  );
  return file;
}

function machine(sandbox: Sandbox, name: string, command: string[]): Machine {
  const directory = join(sandbox.path, name);
  let patroni: ChildProcess;
  const start = () => {
    patroni = sandbox.run(name, command);
  };
  const all = () => [...(patroni.pid === undefined ? [] : [patroni.pid]), ...postgresIn(directory)];
  start();
  return {
    name,
    start,
    die: () => signal(all(), "SIGKILL"),
    crash: () => signal(postgresIn(directory), "SIGKILL"),
    freeze: () => signal(all(), "SIGSTOP"),
    thaw: () => signal(all(), "SIGCONT"),
  };
}

/**
 * Whether there is one leader and one synchronous standby, and all run on the same timeline. All nodes must report so: one
 * that was just resumed still reports its old state.
 */
function isHealthy(views: Member[][]): boolean {
  return (
    views.length === names.length &&
    new Set(views.map(leaderIn)).size === 1 &&
    views.every((members) => {
      const roles = members.map(({ role }) => role).sort();
      return (
        roles.join() === "leader,replica,sync_standby" &&
        members.every(({ state }) => /running|streaming/.test(state)) &&
        new Set(members.map(({ timeline }) => timeline)).size === 1
      );
    })
  );
}

function leaderIn(members: Member[]): string | undefined {
  return members.find(({ role }) => role === "leader")?.name;
}

async function askPatroni(port: number, method: string, path: string, body?: object): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(body ? 60_000 : 2000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`Patroni returned ${response.status}: ${text}`);
  return text;
}

const LONGEST = 120_000;

/** Calls `look` until it returns something without an error. After two minutes, throws its last error. */
export async function waitFor<T>(what: string, look: () => Promise<T | null | undefined>): Promise<T> {
  const until = Date.now() + LONGEST;
  for (;;) {
    let cause: unknown;
    const found = await look().catch((error) => {
      cause = error;
      return null;
    });
    if (found !== null && found !== undefined) return found;
    if (Date.now() > until) throw new Error(`waited too long for ${what}`, { cause });
    await pause(100);
  }
}
