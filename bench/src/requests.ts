import { once } from "node:events";
import autocannon from "autocannon";

export interface Request {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  headers?: Record<string, string>;
  body?: object;
}

/** Totals over all requests. */
export interface Totals {
  seconds: number;
  /** Bytes of all responses together. */
  bytes: number;
}

/** Sends `amount` different requests over several connections. Throws unless every response is a 200. */
export async function sendRequests(
  baseUrl: string,
  { amount, connections }: { amount: number; connections: number },
  request: (i: number) => Request,
): Promise<Totals> {
  let [next, good, last, bytes] = [0, 0, 0, 0];
  const setupRequest = (base: object) => {
    const { body, headers, ...rest } = request(next % amount);
    next += 1;
    if (!body) return { ...base, ...rest, headers: headers ?? {} };
    const typed = { "content-type": "application/json", ...headers };
    return { ...base, ...rest, headers: typed, body: JSON.stringify(body) };
  };
  const began = performance.now();
  const run = autocannon({ url: baseUrl, connections, amount, requests: [{ setupRequest }] }, () => {});
  run.on("response", (_client, status, size) => {
    if (status === 200) good += 1;
    last = performance.now();
    bytes += size;
  });
  await once(run, "done");
  if (good !== amount) throw new Error(`only ${good} of ${amount} requests returned 200`);
  return { seconds: (last - began) / 1000, bytes };
}
