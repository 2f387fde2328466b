import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "./finding.ts";
import { inParallel, runTool } from "./run-tool.ts";
import type { Target, WireRequest } from "./target.ts";
import { hiddenPaths, payloads } from "./word-lists.ts";

interface Result {
  url: string;
  status: number;
  input: { FUZZ: string };
}

/** ffuf on paths: nothing may answer but what is meant to. */
export async function fuzzPaths(target: Target, scratch: string, seconds: number): Promise<Finding[]> {
  const words = join(scratch, "paths.txt");
  await writeFile(words, (await hiddenPaths()).join("\n"));
  const found = new Set<string>();
  for (const [as, headers] of Object.entries(target.callers))
    for (const { url, status } of await ffuf(scratch, seconds / 3, [
      ...["-w", words, "-u", `${target.baseUrl}/FUZZ`, "-mc", "all", "-fc", "404"],
      ...headersOf(headers),
    ]))
      found.add(`${as}: ${url.slice(target.baseUrl.length)} answers ${status}`);
  return [...found].map((text) => ({ tool: "ffuf paths", text }));
}

/** ffuf on every value of every operation: none may cause a server error or show the server's inside. */
export async function fuzzValues(target: Target, scratch: string, seconds: number): Promise<Finding[]> {
  const deadline = performance.now() + seconds * 1000;
  const lists = await writeLists(scratch);
  const jobs = [
    ...(await target.requests("session")),
    ...(await target.requests("signed out")).filter(({ method }) => method === "GET"),
  ].flatMap((request) => positions(request, lists));
  const findings: Finding[] = [];
  const left = await inParallel(jobs, 2, deadline, async ({ request, args }) => {
    const results = await ffuf(scratch, 60, [
      ...[
        "-X",
        request.method,
        "-mc",
        "500-599",
        "-mr",
        "root:x:0:0|SQLITE_|SqliteError|at .{1,80}\\.ts:\\d",
      ],
      ...headersOf(request.headers),
      ...args,
    ]);
    for (const { status, input } of results)
      findings.push({
        tool: "ffuf values",
        text: `${request.method} ${request.url.pathname} answers ${status} to ${input.FUZZ.slice(0, 80)}`,
      });
  });
  if (left.length > 0)
    findings.push({
      tool: "ffuf values",
      text: `${left.length} of ${jobs.length} values weren't reached in time`,
    });
  return findings;
}

/** One list of payloads in the three ways in which values are written. */
async function writeLists(scratch: string) {
  const words = await payloads();
  const lists = {
    url: words.map((word) => encodeURIComponent(word)),
    json: words
      .map((word) => JSON.stringify(word))
      .concat("null", "true", "[]", "{}", "-1", "1e400", "[[[[]]]]"),
  };
  const files = { url: join(scratch, "url.txt"), json: join(scratch, "json.txt") };
  await writeFile(files.url, lists.url.join("\n"));
  await writeFile(files.json, lists.json.join("\n"));
  return files;
}

/** ffuf's arguments for each place in a request that takes a value. */
function positions(request: WireRequest, lists: { url: string; json: string }) {
  const { url, body } = request;
  const data = body === null ? [] : ["-d", body];
  const jobs: { request: WireRequest; args: string[] }[] = [];
  const inUrl = (address: string) => jobs.push({ request, args: ["-w", lists.url, "-u", address, ...data] });
  const segments = url.pathname.split("/");
  for (const [i, segment] of segments.entries())
    if (/^\d+$/.test(segment)) inUrl(`${url.origin}${segments.with(i, "FUZZ").join("/")}${url.search}`);
  for (const name of url.searchParams.keys()) {
    const query = [...url.searchParams].map(
      ([key, value]) => `${key}=${key === name ? "FUZZ" : encodeURIComponent(value)}`,
    );
    inUrl(`${url.origin}${url.pathname}?${query.join("&")}`);
  }
  const fields: Record<string, unknown> = body === null ? {} : JSON.parse(body);
  for (const name of Object.keys(fields)) {
    const text = JSON.stringify({ ...fields, [name]: "FUZZ" }).replace('"FUZZ"', "FUZZ");
    jobs.push({ request, args: ["-w", lists.json, "-u", url.href, "-d", text] });
  }
  return jobs;
}

const headersOf = (headers: Record<string, string>) =>
  Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);

let runs = 0;

async function ffuf(scratch: string, seconds: number, args: string[]): Promise<Result[]> {
  runs += 1;
  const report = join(scratch, `ffuf-${runs}.json`);
  const bounds = ["-s", "-t", "8", "-timeout", "10", "-maxtime", String(Math.ceil(seconds))];
  await runTool("ffuf", [...args, ...bounds, "-of", "json", "-o", report], seconds + 10);
  return JSON.parse(await readFile(report, "utf8")).results ?? [];
}
