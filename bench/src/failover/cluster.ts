import type { ChildProcess } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@tandem/testing/ports";
import { queryPostgres } from "@tandem/testing/postgres-query";
import { programOf } from "@tandem/testing/programs";
import { type Ground, postgresIn, signal } from "./machines.ts";

/** PostgreSQL on three machines under Patroni, with one etcd, behind HAProxy: all of them on this one. */
export interface Cluster {
  /** The primary's database, whichever machine it is on. */
  readonly url: string;
  /** The database of each machine. */
  readonly copies: string[];
  /** The machine that Patroni says is primary. */
  primary(): Promise<Machine>;
  /** Waits until there is one primary, and all the others follow it. */
  whole(): Promise<void>;
  switchOver(): Promise<void>;
}

export interface Machine {
  readonly name: string;
  /** Its processes end, Patroni and all: as if somebody had pulled the plug. */
  die(): void;
  /** PostgreSQL alone ends. */
  crash(): void;
  /** Its processes stop where they are, with all connections open. */
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

export async function startCluster(ground: Ground): Promise<Cluster> {
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
  ground.run("etcd", [
    etcd,
    "--enable-v2=true",
    ...["--data-dir", join(ground.path, "etcd")],
    ...["--listen-client-urls", etcdUrl, "--advertise-client-urls", etcdUrl],
    ...["--listen-peer-urls", peerUrl, "--initial-advertise-peer-urls", peerUrl],
    ...["--initial-cluster", `default=${peerUrl}`],
  ]);
  const machines = new Map<string, Machine>();
  for (const [name, { postgres, rest }] of ports) {
    const file = await patroniFile(ground, {
      NAME: name,
      REST_ADDRESS: `127.0.0.1:${rest}`,
      ETCD_ADDRESSES: `127.0.0.1:${client}`,
      POSTGRES_ADDRESS: `127.0.0.1:${postgres}`,
      DATA_DIR: join(ground.path, name),
      POSTGRES_PASSWORD: password,
      REPLICATION_PASSWORD: password,
    });
    machines.set(name, machine(ground, name, [patroni, file]));
  }
  ground.run("haproxy", [haproxy, "-db", "-f", join(deploy, "haproxy-postgres.cfg")], {
    PRIMARY_ADDRESS: `127.0.0.1:${front}`,
    ...Object.fromEntries(
      [...ports].flatMap(([name, { postgres, rest }]) => [
        [`POSTGRES_${name.toUpperCase()}`, `127.0.0.1:${postgres}`],
        [`REST_PORT_${name.toUpperCase()}`, String(rest)],
      ]),
    ),
  });
  /** What each machine that answers says of all of them. */
  const views = async () => {
    const asked = [...ports.values()].map(({ rest }) => askPatroni(rest, "GET", "/cluster"));
    const answers = (await Promise.allSettled(asked)).filter((one) => one.status === "fulfilled");
    return answers.map(({ value }) => (JSON.parse(value) as { members: Member[] }).members);
  };
  const leader = async () => {
    const said = new Set((await views()).map(leaderIn));
    return said.size === 1 ? [...said][0] : null;
  };
  const cluster: Cluster = {
    url: urlOf(front),
    copies: [...ports.values()].map(({ postgres }) => urlOf(postgres)),
    async primary() {
      const name = await met("a primary", leader);
      return machines.get(name) as Machine;
    },
    whole: () => met("three machines in step", async () => isWhole(await views()) || null).then(() => {}),
    async switchOver() {
      const name = await met("a primary", leader);
      const { rest } = ports.get(name as (typeof names)[number]) as Ports;
      await askPatroni(rest, "POST", "/switchover", { leader: name });
    },
  };
  await cluster.whole();
  await met("HAProxy", () =>
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

async function patroniFile(ground: Ground, values: Record<string, string>): Promise<string> {
  const template = await readFile(join(deploy, "patroni.yml"), "utf8");
  const file = join(ground.path, `${values.NAME}.yml`);
  await writeFile(
    file,
    template.replace(/\$\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),
  );
  return file;
}

function machine(ground: Ground, name: string, command: string[]): Machine {
  const directory = join(ground.path, name);
  let patroni: ChildProcess;
  const start = () => {
    patroni = ground.run(name, command);
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
 * One leads, one standby has every commit, and all are on the same line of history; and all say so, for one that has
 * just woken up still believes what was true when it fell asleep.
 */
function isWhole(views: Member[][]): boolean {
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
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(body ? 60_000 : 2000),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Patroni says ${answer.status}: ${text}`);
  return text;
}

const LONGEST = 120_000;

/** What `look` finds, once it finds something without a fault. Throws the last fault when that takes too long. */
export async function met<T>(what: string, look: () => Promise<T | null | undefined>): Promise<T> {
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
