import { Callers, type CallResponse, type Person } from "@tandem/testing/callers";
import { type Cluster, startCluster } from "@tandem/testing/cluster";
import { eventually } from "@tandem/testing/eventually";
import { createDatabase, type TestDatabase } from "@tandem/testing/postgres";
import { startProcess } from "@tandem/testing/process";
import { temporaryDirectory } from "@tandem/testing/storage";
import { recordWalkthrough, walkthroughSettings } from "@tandem/testing/walkthrough";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const POSTS = 20;
const SESSION_WRITES = 60;
const GUESSES = 2;
const env = {
  ...walkthroughSettings,
  LIMIT_TIERS_PROBATION_POSTS: String(POSTS),
  LIMIT_SESSION_WRITES_PER_MINUTE: String(SESSION_WRITES),
  LIMIT_THROTTLES_LOGIN_PER_ACCOUNT_AND_ADDRESS_LIMIT: String(GUESSES),
};

const times = <T>(count: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)));
/** Retries on 503, which a machine that runs other tests too may cause. */
async function retried(call: () => Promise<CallResponse>): Promise<CallResponse> {
  for (;;) {
    const response = await call();
    if (response.status !== 503) return response;
  }
}
const statusesOf = (responses: CallResponse[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe("three processes behind the docs' HAProxy, on one PostgreSQL", () => {
  let database: TestDatabase;
  let many: Cluster;
  beforeAll(async () => {
    database = await createDatabase();
    many = await startCluster({ ...env, DATABASE_URL: database.url });
  });
  afterAll(async () => {
    await many[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  test("give the same responses as a single process", async () => {
    await using directory = await temporaryDirectory();
    await using own = await createDatabase();
    await using alone = await startProcess(directory.path, { ...env, DATABASE_URL: own.url });
    expect(await recordWalkthrough(many.address)).toEqual(await recordWalkthrough(alone.address));
    for (const { address } of many.processes) {
      const metrics = await (await fetch(`${address}/metrics`)).text();
      expect(metrics).toMatch(/_count\{operation="createPost",status="200"\} [1-9]/);
    }
  });

  test("share sessions, keys and writes immediately", async () => {
    const [one, two, three] = many.processes.map(({ address }) => new Callers(address));
    if (!one || !two || !three) throw new Error("there are three");
    const person = await one.human();
    const there = [one, two, three].map((as) => as.with(person.options.headers ?? {}));
    for (const [i, writer] of there.entries()) {
      const { post } = await writer.createPost({ title: `Written at ${i}` });
      for (const reader of there) {
        expect((await reader.readPost({ id: post.id })).post).toEqual(post);
        expect((await reader.listPosts({ author: person.user.username, limit: 1 })).posts).toEqual([post]);
      }
    }
    const { key, secret } = await person.mintKey({ scopes: "posts:write" });
    const keyed = [two, three].map((as) => as.bearer(String(secret)));
    for (const caller of keyed) expect((await caller.call("me")).status).toBe(200);
    await person.revokeKey({ id: key.id });
    for (const caller of keyed) expect((await caller.call("me")).status).toBe(401);
    await there[2]?.logOut();
    for (const caller of there) expect((await caller.call("me")).status).toBe(401);
  });

  test("enforce a key's quota exactly", async () => {
    const agent = await many.as.agent();
    const responses = await times(200, (i) => retried(() => agent.call("createPost", { title: `${i}` })));
    expect(statusesOf(responses)).toEqual({ 200: POSTS, 429: 200 - POSTS });
    expect((await agent.readOwnKey()).remaining.posts).toBe(0);
    const { posts } = await agent.listPosts({ author: agent.agent.username, limit: 50 });
    expect(posts).toHaveLength(POSTS);
  });

  test("enforce a session's limit exactly", async () => {
    const person = await many.as.human();
    const responses = await times(100, (i) => retried(() => person.call("editProfile", { bio: `${i}` })));
    expect(statusesOf(responses)).toEqual({ 200: SESSION_WRITES, 429: 100 - SESSION_WRITES });
  });

  test("throttle password guesses exactly, whatever X-Forwarded-For the client sends", async () => {
    const { user } = await many.as.human();
    const responses = await times(30, (i) =>
      many.as
        .with({ "x-forwarded-for": `203.0.113.${i}` })
        .call("logIn", { username: user.username, password: `${i}` }),
    );
    expect(statusesOf(responses)).toEqual({ 401: GUESSES, 429: 30 - GUESSES });
  });

  test("create one post per Idempotency-Key", async () => {
    const agent = await many.as.agent();
    const responses = await times(30, () =>
      agent.call("createPost", { title: "Once" }, { idempotencyKey: "once" }),
    );
    const first = responses.filter(
      ({ status, headers }) => status === 200 && !headers.has("idempotency-replayed"),
    );
    expect(first).toHaveLength(1);
    expect(responses.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect((await agent.listPosts({ author: agent.agent.username })).posts).toHaveLength(1);
  });

  test("don't serve metrics to the public", async () => {
    const response = await fetch(`${many.address}/metrics`);
    expect([response.status, await response.json()]).toEqual([
      404,
      expect.objectContaining({ code: "not_found" }),
    ]);
  });

  test("lose no acknowledged write if one process is killed", async () => {
    const writers = await times(20, () => many.as.human());
    let acknowledged = 0;
    const writing = writers.map(async (writer) => {
      const titles: string[] = [];
      for (let i = 0; i < 15; i++) {
        titles.push(await createUntilAcknowledged(writer, `By ${writer.user.username}, ${i}`));
        acknowledged += 1;
        if (acknowledged === 100) await many.processes[1]?.stop("SIGKILL");
      }
      return titles;
    });
    let written = false;
    const reading = (async () => {
      const responses: CallResponse[] = [];
      while (!written) responses.push(await many.as.anonymous().call("listPosts"));
      return statusesOf(responses);
    })();
    const all = await Promise.all(writing);
    written = true;
    expect(Object.keys(await reading)).toEqual(["200"]);
    for (const [i, writer] of writers.entries()) {
      const { posts } = await writer.listPosts({ author: writer.user.username, limit: 50 });
      expect(posts.map(({ title }) => title)).toEqual(all[i]?.toReversed());
    }
    expect((await fetch(`${many.address}/readyz`)).status).toBe(200);
  });

  test("return a 503 in the service's format if no process is left", async () => {
    for (const served of many.processes) await served.stop("SIGKILL");
    // The proxy may close this connection just now; the next attempt uses another.
    const response = await eventually(() => many.as.anonymous().call("listPosts"));
    expect(response.body).toEqual({ error: expect.any(String), code: "overloaded" });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
  });
});

/** Retries until the post is acknowledged, with one Idempotency-Key, because an attempt without a response may have succeeded. */
async function createUntilAcknowledged(writer: Person, title: string): Promise<string> {
  for (;;) {
    const response = await writer.call("createPost", { title }, { idempotencyKey: title }).catch(() => null);
    if (response?.status === 200) return title;
    if (response && ![409, 502, 503].includes(response.status))
      throw new Error(JSON.stringify(response.body));
  }
}
