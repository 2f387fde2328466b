import { setTimeout as pause } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import type { Finding } from "./finding.ts";
import { runTool } from "./run-tool.ts";
import type { Target } from "./target.ts";

/** Milliseconds that a health check, or another client's request, may take meanwhile. */
const LONGEST = 1000;

/** What others see while the service is attacked. */
export interface Attack {
  name: string;
  health: number[];
  others: number[];
  failed: string[];
  accessible: boolean;
}

/** slowhttptest: slow headers, slow bodies, slow readers and overlapping ranges, each with so many connections. */
export async function runSlowhttptest(target: Target, connections: number, seconds: number) {
  const { baseUrl, person } = target;
  const { post } = await person.createPost({ title: "Read while others are slow" });
  const common = ["-c", String(connections), "-r", "200", "-l", String(seconds), "-p", "10"];
  const cookie = ["-j", person.options.headers?.cookie ?? ""];
  const attacks: [string, string[]][] = [
    ["slow headers", ["-H", "-i", "5", "-u", `${baseUrl}/`]],
    ["slow headers, signed in", ["-H", "-i", "5", ...cookie, "-u", `${baseUrl}/api/posts`]],
    [
      "slow body",
      ["-B", "-i", "5", "-s", "8192", "-f", "application/json", "-u", `${baseUrl}/api/auth/login`],
    ],
    [
      "slow body, signed in",
      ["-B", "-i", "5", "-s", "8192", "-f", "application/json", ...cookie, "-u", `${baseUrl}/api/posts`],
    ],
    [
      "slow read",
      [
        "-X",
        "-w",
        "512",
        "-y",
        "1024",
        "-n",
        "5",
        "-z",
        "32",
        "-k",
        "3",
        "-u",
        `${baseUrl}/api/openapi.json`,
      ],
    ],
    ["ranges", ["-R", "-a", "10", "-b", "3000", "-t", "HEAD", "-u", `${baseUrl}/`]],
  ];
  const seen: Attack[] = [];
  for (const [name, args] of attacks) {
    const probes = watch(baseUrl, person.options.headers ?? {}, post.id);
    const output = await runTool("slowhttptest", [...common, ...args], seconds + 30);
    const closed = output.includes("Connection refused");
    const accessible = !closed && !/service available:\s+NO/i.test(stripVTControlCharacters(output));
    seen.push({ name, accessible, ...(await probes.stop()) });
  }
  const findings: Finding[] = [];
  for (const { name, health, others, failed, accessible } of seen) {
    const add = (text: string) => findings.push({ tool: "slowhttptest", text: `${name}: ${text}` });
    if (!accessible) add("the tool found the service unavailable");
    if (failed.length > 0) add(`${failed.length} requests of others failed, such as ${failed[0]}`);
    if (quantile(health, 1) > LONGEST) add(`a health check took ${quantile(health, 1).toFixed(0)} ms`);
    if (quantile(others, 0.99) > LONGEST)
      add(`99% of others took up to ${quantile(others, 0.99).toFixed(0)} ms`);
  }
  return { findings, seen };
}

/** Sends health checks, reads and writes, each on a new connection, until it is stopped. */
function watch(baseUrl: string, headers: Record<string, string>, postId: number) {
  const [health, others]: [number[], number[]] = [[], []];
  const failed: string[] = [];
  let running = true;
  const repeat = async (into: number[], path: string, method = "GET") => {
    while (running) {
      const began = performance.now();
      const signal = AbortSignal.timeout(30_000);
      const fresh = { ...headers, connection: "close" };
      try {
        const response = await fetch(baseUrl + path, { method, signal, headers: fresh });
        await response.arrayBuffer();
        if (response.status !== 200) failed.push(`${path}: ${response.status}`);
      } catch (error) {
        failed.push(`${path}: ${error}`);
      }
      into.push(performance.now() - began);
      await pause(100);
    }
  };
  const work = Promise.all([
    repeat(health, "/healthz"),
    repeat(others, "/api/posts?limit=20"),
    repeat(others, "/"),
    repeat(others, `/api/posts/${postId}/view`, "POST"),
  ]);
  return {
    async stop() {
      running = false;
      await work;
      return { health, others, failed };
    },
  };
}

export function quantile(values: number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}
