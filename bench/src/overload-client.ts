import { once } from "node:events";
import { text } from "node:stream/consumers";
import autocannon from "autocannon";

/*
 * A load generator in a process of its own. Each connection sends its next request as soon as it has a response, ignores
 * `Retry-After`, and has its own address and its own requests. Reads its task from standard input and prints what it saw.
 */

export interface Task {
  url: string;
  connections: number;
  seconds: number;
  /** Requests per second of all connections together; as many as possible by default. */
  rate?: number;
  /** Of each kind; taken in turn by the connections, each of which repeats its own. */
  requests: autocannon.Request[][];
}

export interface Seen {
  /** Milliseconds of each accepted request. */
  accepted: number[];
  /** When each was accepted, in milliseconds from the first response. */
  at: number[];
  /** 503. */
  shed: number;
  /** Neither 2xx nor 503. */
  other: number;
}

const { url, connections, seconds, rate, requests }: Task = JSON.parse(await text(process.stdin));
const seen: Seen[] = requests.map(() => ({ accepted: [], at: [], shed: 0, other: 0 }));
const kindOf = new WeakMap<object, Seen>();
let next = 0;
let began = 0;
const run = autocannon(
  {
    url,
    connections,
    duration: seconds,
    timeout: 120,
    ...(rate && { overallRate: rate }),
    setupClient(client) {
      const kind = next % requests.length;
      const own = requests[kind] ?? [];
      const request = own[Math.floor(next / requests.length) % own.length] ?? {};
      kindOf.set(client, seen[kind] as Seen);
      const address = `10.${(next >> 16) & 255}.${(next >> 8) & 255}.${next & 255}`;
      client.setRequests([{ ...request, headers: { ...request.headers, "x-forwarded-for": address } }]);
      next += 1;
    },
  },
  () => {},
);
run.on("response", (client, status, _size, milliseconds) => {
  const kind = kindOf.get(client);
  if (!kind) return;
  began ||= performance.now();
  if (status >= 200 && status < 300) {
    kind.accepted.push(Number(milliseconds.toFixed(2)));
    kind.at.push(Math.round(performance.now() - began));
  } else if (status === 503) kind.shed += 1;
  else kind.other += 1;
});
await once(run, "done");
process.stdout.write(JSON.stringify(seen), () => process.exit());
