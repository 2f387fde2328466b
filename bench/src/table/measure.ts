import { setTimeout as pause } from "node:timers/promises";
import { cpuSeconds } from "../cpu.ts";
import { loadOf } from "../load/load.ts";
import { median } from "../median.ts";
import type { Request } from "../requests.ts";
import { startServer } from "../server-process.ts";
import type { Service } from "./service.ts";
import type { Subject } from "./write-baseline.ts";

export interface Timing {
  rounds: number;
  /** Of each round. */
  seconds: number;
}

/** Medians of the rounds. */
export interface Figures {
  /** CPU milliseconds per request, or per write, in all processes of the service. */
  cpu: number;
  /** The same in PostgreSQL. */
  database?: number;
  rate: number;
}

/** Measures subjects in turn, so that other load on the machine affects all alike, after a round that doesn't count. */
export async function inTurn(subjects: Subject[], { rounds, seconds }: Timing): Promise<Figures[]> {
  const all = subjects.map((): Figures[] => []);
  for (let round = -1; round < rounds; round++)
    for (const [i, subject] of subjects.entries()) {
      const measured = await once(subject, round < 0 ? Math.min(seconds, 2) : seconds);
      if (round >= 0) all[i]?.push(measured);
    }
  return all.map((of) => ({
    cpu: median(of.map(({ cpu }) => cpu)),
    rate: median(of.map(({ rate }) => rate)),
    ...(of[0]?.database !== undefined && { database: median(of.map(({ database = 0 }) => database)) }),
  }));
}

async function once({ pid, database, run }: Subject, seconds: number): Promise<Figures> {
  const used = () => [pid, database].map((one) => (one === undefined ? 0 : cpuSeconds(one)));
  const before = used();
  const { count, rate } = await run(seconds);
  const [service = 0, other = 0] = used().map((now, i) => ((now - (before[i] ?? 0)) * 1000) / count);
  return { cpu: service, rate, ...(database !== undefined && { database: other }) };
}

/** A service under these requests, while others are sent from time to time (`meanwhile`). */
export async function served(
  { baseUrl, pid, database }: Pick<Service, "baseUrl" | "pid" | "database">,
  requests: Request[],
  meanwhile: Request[] = [],
): Promise<Subject> {
  const load = await loadOf(baseUrl, requests);
  return {
    pid,
    ...(database !== undefined && { database }),
    async run(seconds) {
      await using _sending = send(baseUrl, meanwhile);
      return await load.run(seconds);
    },
    [Symbol.asyncDispose]: () => load[Symbol.asyncDispose](),
  };
}

/** `node:http` that sends the bytes with which the service answers this request. */
export async function bare(baseUrl: string, { path, headers = {} }: Request): Promise<Subject> {
  const response = await fetch(baseUrl + path, { headers });
  const server = await startServer(
    "./table/baseline-server.ts",
    {},
    Buffer.from(await response.arrayBuffer()),
  );
  const load = await loadOf(server.baseUrl, [{ path, headers }]);
  return {
    pid: server.pid,
    run: (seconds) => load.run(seconds),
    async [Symbol.asyncDispose]() {
      await load[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Milliseconds between two of the requests that are sent meanwhile. */
const EVERY = 50;

/** Sends requests from time to time until it is disposed of. */
function send(baseUrl: string, requests: Request[]): AsyncDisposable {
  let over = requests.length === 0;
  const sending = (async () => {
    for (let i = 0; !over; i++, await pause(EVERY)) {
      const { path, method = "GET", headers = {} } = requests[i % requests.length] ?? { path: "/" };
      const { ok } = await fetch(baseUrl + path, { method, headers });
      if (!ok) throw new Error(`${method} ${path} failed`);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      over = true;
      await sending;
    },
  };
}
