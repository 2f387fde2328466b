import { readFileSync } from "node:fs";
import autocannon from "autocannon";
import { CONNECTIONS, type Measured } from "./load.ts";

/*
 * What wrk.lua does, for machines without wrk, in a process of its own: node autocannon.ts URL SECONDS FILE POSITION
 */

const [url = "", seconds = "", file = "", position = ""] = process.argv.slice(2);
const requests = readFileSync(file, "utf8").split("\0").map(parsed);
let at = Number(position);

const result = await autocannon({
  url,
  connections: CONNECTIONS,
  duration: Number(seconds),
  requests: [{ setupRequest: (base) => ({ ...base, ...requests[at++ % requests.length] }) }],
});
const measured: Measured = {
  count: result["2xx"],
  rate: result["2xx"] / result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
  failed: result.non2xx + result.errors + result.timeouts,
};
console.log(JSON.stringify(measured));

function parsed(request: string): autocannon.Request {
  // `load.ts` wrote it from such a request.
  const [head = "", body = ""] = request.split("\r\n\r\n");
  const [start = "", ...lines] = head.split("\r\n");
  const [method, path = ""] = start.split(" ") as [autocannon.Request["method"], string];
  // autocannon adds these itself.
  const others = lines.filter((line) => !/^(host|content-length):/.test(line));
  const headers = Object.fromEntries(others.map((line) => line.split(": ") as [string, string]));
  return { ...(method && { method }), path, headers, body };
}
