import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "./finding.ts";
import { inParallel, runTool } from "./run-tool.ts";
import type { Target, WireRequest } from "./target.ts";

/** Seconds for one operation; slow ones are stopped. */
const EACH = 60;

/**
 * sqlmap on every id in a path, query parameter and body field of every operation: errors, booleans, unions and stacked
 * queries. Time-based payloads are left to Wapiti, as sqlmap needs a quiet machine for them.
 */
export async function runSqlmap(target: Target, scratch: string, dbms: string, seconds: number) {
  const findings: Finding[] = [];
  const requests = [
    ...(await target.requests("session")),
    ...(await target.requests("key")).filter(({ url }) => !url.pathname.startsWith("/api/admin")),
    ...(await target.requests("signed out")).filter(({ method }) => method === "GET"),
  ].flatMap((request) => rawRequests(request).map((raw) => ({ raw, request })));
  let run = 0;
  const deadline = performance.now() + seconds * 1000;
  const left = await inParallel(requests, 3, deadline, async ({ raw, request: { method, url } }) => {
    run += 1;
    const options = optionsFor(scratch, dbms, run);
    const file = join(scratch, `sqlmap-${run}.txt`);
    await writeFile(file, raw);
    const output = await runTool("sqlmap", [...options, "-r", file], EACH);
    const where = `${method} ${url.pathname.replace(/\/\d+/g, "/{id}")}`;
    if (/injection point\(s\)|is vulnerable/.test(output))
      findings.push({
        tool: "sqlmap",
        text: `${where}: ${output.match(/Parameter: .*/)?.[0] ?? "injectable"}`,
      });
    // A tool that didn't look isn't a tool that found nothing.
    else if (!/do(es)? not (appear|seem) to be injectable/.test(output)) {
      const [why = output.slice(-200)] = output.match(/\[(CRITICAL|ERROR)\].*/) ?? [];
      findings.push({ tool: "sqlmap", text: `${where}: not tested: ${why}` });
    }
  });
  if (left.length > 0)
    findings.push({
      tool: "sqlmap",
      text: `${left.length} of ${requests.length} requests weren't reached in time`,
    });
  return findings;
}

function optionsFor(scratch: string, dbms: string, run: number): string[] {
  return [
    ...["--batch", "--ignore-stdin", "--disable-coloring", "--flush-session", "--skip-waf"],
    ...["--skip", "dryRun", "--ignore-code", "400,401,403,404,409,422"],
    ...[
      "--level",
      "1",
      "--risk",
      "1",
      "--technique",
      "BEUS",
      "--dbms",
      dbms,
      "--retries",
      "0",
      "--timeout",
      "10",
    ],
    ...["--output-dir", join(scratch, `sqlmap-${run}`)],
  ];
}

/** As in a proxy's log. */
function rawRequest({ method, url, headers, body }: WireRequest, path: string): string {
  const lines = [`${method} ${path}${url.search} HTTP/1.1`, `Host: ${url.host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** The raw requests of an operation. `*` marks ids in the path; without it, sqlmap takes query parameters and fields of JSON. */
function rawRequests(request: WireRequest): string[] {
  const { url, body } = request;
  const marked = url.pathname.replace(/\/(\d+)(?=\/|$)/g, "/$1*");
  const hasInput = body !== null || [...url.searchParams.keys()].some((name) => name !== "dryRun");
  return [
    ...(hasInput ? [rawRequest(request, url.pathname)] : []),
    ...(marked === url.pathname ? [] : [rawRequest(request, marked)]),
  ];
}
