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
  /** The first connection's number, so that no two processes share an address. */
  first: number;
  /** Taken in turn by the connections; each repeats its own. */
  requests: autocannon.Request[];
}

export interface Seen {
  /** Milliseconds of each accepted request. */
  accepted: number[];
  /** 503. */
  shed: number;
  /** Neither 2xx nor 503, and lost connections. */
  other: number;
}

const { url, connections, seconds, rate, first, requests }: Task = JSON.parse(await text(process.stdin));
const seen: Seen = { accepted: [], shed: 0, other: 0 };
let next = first;
const run = autocannon(
  {
    url,
    connections,
    duration: seconds,
    timeout: 120,
    ...(rate && { overallRate: rate }),
    setupClient(client) {
      const request = requests[next % requests.length] ?? {};
      const address = `10.${(next >> 16) & 255}.${(next >> 8) & 255}.${next & 255}`;
      client.setRequest({ ...request, headers: { ...request.headers, "x-forwarded-for": address } });
      next += 1;
    },
  },
  () => {},
);
run.on("response", (_client, status, _size, milliseconds) => {
  if (status >= 200 && status < 300) seen.accepted.push(Number(milliseconds.toFixed(2)));
  else if (status === 503) seen.shed += 1;
  else seen.other += 1;
});
const [{ errors }] = await once(run, "done");
seen.other += errors;
console.log(JSON.stringify(seen));
process.exit();
