import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Callers, type Person } from "@tandem/testing/callers";
import autocannon from "autocannon";
import { startServer } from "./server-process.ts";

/*
 * Load-tests writes with several worker processes: posts, likes and unlikes. Prints throughput, latency and failures; there
 * should be none.
 *
 *   npm run bench:writes [-- WORKERS SECONDS]
 */

const [workers = "1", seconds = "10"] = process.argv.slice(2);
const CONNECTIONS = 64;
const PEOPLE = 8;

const dataDir = await mkdtemp(join(tmpdir(), "tandem-writes-"));
try {
  await measure();
} finally {
  await rm(dataDir, { recursive: true });
}

async function measure(): Promise<void> {
  await using tandem = await startServer("../../server/src/main.ts", {
    DATA_DIR: dataDir,
    PORT: "0",
    WORKERS: workers,
    LOG_LEVEL: "warn",
    LIMIT_SESSION_WRITES_PER_MINUTE: "1000000000",
    LIMIT_THROTTLES_SAME_TEXT_PER_ACCOUNT_LIMIT: "1000000000",
  });
  const url = tandem.baseUrl;
  const callers = new Callers(url);
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => callers.human()));
  const requests = (await Promise.all(people.map(writesOf))).flat();
  const load = (duration: number) => autocannon({ url, connections: CONNECTIONS, duration, requests });
  await load(4);
  const { latency, duration, errors, timeouts, ...result } = await load(Number(seconds));
  const failed = result.non2xx + errors + timeouts;
  const rate = (result["2xx"] / duration).toFixed(0);
  console.log(
    `${workers} workers: ${rate} writes/s, p50 ${latency.p50} p99 ${latency.p99} max ${latency.max} ms, ${failed} failed`,
  );
}

async function writesOf(person: Person): Promise<autocannon.Request[]> {
  const { post } = await person.createPost({ title: "To be liked" });
  const headers = { ...person.options.headers, "content-type": "application/json" };
  const body = JSON.stringify({ title: "One of very many", body: "word ".repeat(40) });
  return [
    { method: "POST", path: "/api/posts", headers, body },
    { method: "POST", path: `/api/posts/${post.id}/like`, headers, body: "{}" },
    { method: "DELETE", path: `/api/posts/${post.id}/like`, headers },
  ];
}
