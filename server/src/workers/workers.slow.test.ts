import { statfs } from "node:fs/promises";
import { Callers } from "@tandem/testing/callers";
import { eventually } from "@tandem/testing/eventually";
import { createDatabase } from "@tandem/testing/postgres";
import { type ServiceProcess, startProcess } from "@tandem/testing/process";
import { temporaryDirectory } from "@tandem/testing/storage";
import { engines } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const POSTS = 25;

/** All tests of an engine share one service, because its processes take seconds to start. */
describe.each(engines)("several workers on %s", (engine) => {
  const used: AsyncDisposable[] = [];
  let service: ServiceProcess;
  let as: Callers;
  let dataDir: string;

  beforeAll(async () => {
    const directory = await temporaryDirectory();
    dataDir = directory.path;
    const database = engine === "postgres" ? await createDatabase() : null;
    service = await startProcess(directory.path, {
      WORKERS: "2",
      LOG_LEVEL: "info",
      LIMIT_TIERS_PROBATION_POSTS: String(POSTS),
      LIMIT_TIERS_PROBATION_WRITES: "1000",
      ...(database && { DATABASE_URL: database.url }),
    });
    used.push(service, directory, ...(database ? [database] : []));
    as = new Callers(service.address);
  });
  afterAll(async () => {
    for (const one of used) await one[Symbol.asyncDispose]();
  });

  test("share one address, and sum their metrics", async () => {
    const stranger = as.with({ connection: "close" });
    let requests = 0;
    const both = async () => {
      requests += 8;
      await Promise.all(times(8, () => stranger.listPosts()));
      expect(pidsIn(service).size).toBe(2);
    };
    await eventually(both);
    await eventually(async () => expect(await counted(service, "listPosts")).toBe(requests));
    expect(service.lines.filter((line) => line.includes("Tandem serves"))).toHaveLength(1);
    // Whatever isn't each worker's own isn't summed.
    const metrics = await (await fetch(`${service.address}/metrics`)).text();
    expect(metrics).toMatch(/^tandem_build_info\{.*\} 1$/m);
    const [free, size] = ["free", "size"].map((name) =>
      Number(new RegExp(`^tandem_disk_${name}_bytes{directory="data"} (\\S+)$`, "m").exec(metrics)?.[1]),
    );
    const { blocks, bsize } = await statfs(dataDir);
    expect([size, Number(free) < Number(size)]).toEqual([blocks * bsize, true]);
  });

  test("enforce a quota exactly", async () => {
    const key = await as.key();
    const responses = await Promise.all(times(60, () => key.call("createPost", { title: "One of many" })));
    const statuses = responses.map((response) => response.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(POSTS);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60 - POSTS);
    expect((await as.anonymous().listPosts({ limit: 50 })).posts).toHaveLength(POSTS);
  });

  test("create one post per Idempotency-Key", async () => {
    const ada = await as.human("ada");
    const call = { idempotencyKey: "only once" };
    const responses = await Promise.all(times(20, () => ada.call("createPost", { title: "Once" }, call)));
    const good = responses.filter((response) => response.status === 200);
    expect(responses.filter((response) => response.status !== 409)).toEqual(good);
    const { posts } = await ada.listPosts({ author: "ada" });
    expect(posts).toHaveLength(1);
    expect(good.length).toBeGreaterThan(0);
    for (const { body } of good) expect(body).toMatchObject({ post: { id: posts[0]?.id } });
  });

  test("share sessions, also their end", async () => {
    const bob = await as.human("bob");
    const me = () => Promise.all(times(10, () => bob.call("me")));
    expect((await me()).map((response) => response.status)).toEqual(times(10, () => 200));
    await bob.logOut();
    expect((await me()).map((response) => response.status)).toEqual(times(10, () => 401));
  });

  test("are replaced when they die, and their metrics still count", async () => {
    // A new connection for each call: a kept one leads to the same worker.
    const stranger = as.with({ connection: "close" });
    await Promise.all(times(10, () => stranger.call("me")));
    await eventually(async () => expect(await counted(service, "me")).toBeGreaterThanOrEqual(10));
    const before = await counted(service, "me");
    const [victim = 0, ...others] = pidsIn(service);
    process.kill(victim, "SIGKILL");
    await eventually(async () => {
      await Promise.all(times(4, () => stranger.listPosts()));
      const [replacement] = [...pidsIn(service)].filter((pid) => pid !== victim && !others.includes(pid));
      expect(replacement).toBeDefined();
    });
    expect(await counted(service, "me")).toBe(before);
  });

  test("exit with the primary, even if it is killed", async () => {
    // Resolves only when the last worker has exited.
    expect(await service.stop("SIGKILL")).toBe(null);
  });
});

test("workers log the signal that stopped them, as a single process does", async () => {
  await using directory = await temporaryDirectory();
  await using service = await startProcess(directory.path, { WORKERS: "2", LOG_LEVEL: "info" });
  expect(await service.stop("SIGINT")).toBe(0);
  const lines = service.lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
  const reasons = lines.filter(({ msg }) => msg === "the service stops").map(({ reason }) => reason);
  expect(reasons).toEqual(["SIGINT", "SIGINT"]);
  expect(lines.filter(({ msg }) => msg === "the service has stopped")).toHaveLength(2);
});

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

/** The processes that have handled requests. */
function pidsIn({ lines }: ServiceProcess): Set<number> {
  const responses = lines.filter((line) => line.includes('"operation":')).map((line) => JSON.parse(line));
  return new Set(responses.map(({ pid }) => pid as number));
}

/** The number of handled requests according to the metrics. */
async function counted({ address }: ServiceProcess, operation: string): Promise<number> {
  const metrics = await (await fetch(`${address}/metrics`)).text();
  const name = `tandem_request_duration_seconds_count{operation="${operation}"`;
  const rows = metrics.split("\n").filter((line) => line.startsWith(name));
  return rows.reduce((sum, row) => sum + Number(row.split(" ").at(-1)), 0);
}
