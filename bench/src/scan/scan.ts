import { temporaryDirectory } from "@tandem/testing/storage";
import { environments } from "../environments.ts";
import { option } from "../options.ts";
import { favor } from "../priority.ts";
import { fuzzPaths, fuzzValues } from "./ffuf.ts";
import { explanationOf, type Finding } from "./finding.ts";
import { quantile, runSlowhttptest } from "./slowhttptest.ts";
import { runSqlmap } from "./sqlmap.ts";
import { startTarget, type Target } from "./target.ts";
import { runWapiti } from "./wapiti.ts";

/*
 * Runs scanners that no one here wrote against a seeded service: sqlmap, ffuf, Wapiti and slowhttptest. Each looks at it signed out
 * and signed in. As root on Debian, the missing ones are installed first.
 *
 *   npm run scan [-- --minutes 14 --posts 300 --connections 1000 --database 2 --only sqlmap]
 *
 * `--database 2` uses PostgreSQL instead of SQLite. Exits with 1 if a tool reports anything that `finding.ts` doesn't explain, or the
 * service answers 5xx.
 */

const minutes = option("minutes", 14);
const posts = option("posts", 300);
const connections = option("connections", 1000);
const database = option("database", 1);
const only = process.argv[process.argv.indexOf("--only") + 1];
const isChosen = (tool: string) => !process.argv.includes("--only") || tool.startsWith(String(only));
const tools = ["sqlmap", "ffuf values", "ffuf paths", "wapiti", "slowhttptest"] as const;
if (!tools.some(isChosen)) throw new Error(`--only must be the beginning of ${tools.join(", ")}`);

/** Parts of the time that the tools get at most. */
const share = (part: number) => minutes * 60 * part;

const begin = environments[database - 1];
if (!begin) throw new Error("--database must be 1 (SQLite) or 2 (PostgreSQL)");
// The service inherits it. Otherwise other load on this machine looks like a slow service.
favor(process.pid, -20);
await using environment = await begin();
await using scratch = await temporaryDirectory();
const target = await startTarget(environment, posts);
await using _ = target.service;
// The probes run after the service, and so do the tools, which inherit it.
favor(process.pid, -10);
const dbms = database === 2 ? "PostgreSQL" : "SQLite";
console.log(`${environment.name}, ${posts} posts, at most ${minutes} minutes`);

interface Row {
  tool: string;
  requests: number;
  "5xx": number;
  seconds: number;
  findings: number;
  explained: number;
}
const rows: Row[] = [];
const unexplained: Finding[] = [];
const reasons = new Map<string, number>();

await scan("sqlmap", () => runSqlmap(target, scratch.path, dbms, share(0.42)));
await scan("ffuf values", () => fuzzValues(target, scratch.path, share(0.2)));
await scan("ffuf paths", () => fuzzPaths(target, scratch.path, share(0.08)));
await scan("wapiti", () => runWapiti(target, scratch.path, share(0.2)));
await scan("slowhttptest", async () => {
  const { findings, seen } = await runSlowhttptest(target, connections, Math.floor(share(0.1) / 6));
  for (const { name, health, others } of seen)
    console.log(
      `  ${name}: ${health.length} health checks, slowest ${quantile(health, 1).toFixed(0)} ms; ` +
        `${others.length} requests of others, p50 ${quantile(others, 0.5).toFixed(0)} ms, p99 ${quantile(others, 0.99).toFixed(0)} ms`,
    );
  return findings;
});

console.table(rows);
for (const [reason, count] of reasons) console.log(`explained, ${count} times: ${reason}`);
for (const { tool, text } of unexplained) console.log(`FINDING ${tool}: ${text}`);
const faults = target.service.lines.filter((line) => line.includes('"level":50'));
for (const line of faults.slice(0, 20)) console.log(`FAULT ${line}`);
if (unexplained.length > 0 || faults.length > 0 || rows.some((row) => row["5xx"] > 0)) process.exitCode = 1;

async function scan(tool: string, run: () => Promise<Finding[]>): Promise<void> {
  if (!isChosen(tool)) return;
  const [before, began] = [await responses(target), performance.now()];
  const findings = await run();
  const after = await responses(target);
  for (const finding of findings) {
    const reason = explanationOf(finding);
    if (reason === null) unexplained.push(finding);
    else reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  rows.push({
    tool,
    requests: after.all - before.all,
    "5xx": after.failed - before.failed,
    seconds: Math.round((performance.now() - began) / 1000),
    findings: findings.length,
    explained: findings.filter((finding) => explanationOf(finding) !== null).length,
  });
  console.log(JSON.stringify(rows.at(-1)));
}

/** Responses so far, by the service's own count. */
async function responses({ baseUrl }: Target): Promise<{ all: number; failed: number }> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  let [all, failed] = [0, 0];
  for (const [, labels = "", count] of text.matchAll(
    /^tandem_request_duration_seconds_count\{(.*)\} (\d+)$/gm,
  )) {
    all += Number(count);
    if (/status="5/.test(labels)) failed += Number(count);
  }
  return { all, failed };
}
