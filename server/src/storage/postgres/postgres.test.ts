import { addBulkUsers } from "@tandem/testing/bulk-users";
import { startPgBouncer } from "@tandem/testing/pgbouncer";
import { createDatabase } from "@tandem/testing/postgres";
import { queryPostgres } from "@tandem/testing/postgres-query";
import { manyConnections, startTandem } from "@tandem/testing/tandem";
import { startTcpProxy } from "@tandem/testing/tcp-proxy";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "./postgres.ts";
import { MAX_NAMES } from "./statement-names.ts";

/** Fewer connections than the services would use, so that many requests share each. */
const POOL = 5;

describe.each([
  ["directly", false],
  ["through PgBouncer in transaction mode", true],
])("two services on one PostgreSQL, %s", (_, pooled) => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>> | null;
  let one: Awaited<ReturnType<typeof startTandem>>;
  let other: Awaited<ReturnType<typeof startTandem>>;
  beforeAll(async () => {
    database = await createDatabase();
    bouncer = pooled ? await startPgBouncer(database.url, POOL) : null;
    const env = {
      ...manyConnections,
      DATABASE_URL: bouncer?.url ?? database.url,
      DATABASE_PREPARES: pooled ? "0" : "1",
      LIMIT_TIERS_PROBATION_POSTS: "20",
    };
    one = await startTandem("postgres", { env });
    other = await startTandem("postgres", { env });
  });
  afterAll(async () => {
    await Promise.all([one.stop(), other.stop()]);
    await bouncer?.[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  test("count a quota exactly across services", async () => {
    const agent = await one.as.agent();
    const there = other.as.bearer(String(agent.options.key));
    const calls = Array.from({ length: 100 }, (_, i) =>
      (i % 2 ? agent : there).call("createPost", { title: `${i}` }),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(20).fill(200), ...Array(80).fill(429)]);
    expect((await agent.readOwnKey()).remaining.posts).toBe(0);
  });

  test("count every concurrent like of a post", async () => {
    const author = await one.as.human();
    const { post } = await author.createPost({ title: "Liked by many" });
    const people = await Promise.all(Array.from({ length: 20 }, () => one.as.human()));
    const responses = await Promise.all(
      people.map((person, i) =>
        (i % 2 ? person : other.as.with(person.options.headers ?? {})).call("likePost", { id: post.id }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(people.map(() => 200));
    expect((await author.readPost({ id: post.id })).post.likeCount).toBe(20);
    expect((await author.countNotifications()).unread).toBe(20);
    expect((await author.analytics()).totals.likes).toBe(20);
  });

  test("create one post per Idempotency-Key across services", async () => {
    const agent = await one.as.agent();
    const there = other.as.bearer(String(agent.options.key));
    const call = { idempotencyKey: "once" };
    const calls = Array.from({ length: 10 }, (_, i) =>
      (i % 2 ? agent : there).call("createPost", { title: "Once" }, call),
    );
    const codes = (await Promise.all(calls)).map(({ status, headers }) =>
      status === 200 && headers.has("idempotency-replayed") ? "replayed" : status,
    );
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect(new Set(codes)).toEqual(
      new Set([...new Set(codes)].filter((code) => [200, "replayed", 409].includes(code))),
    );
    const { posts } = await agent.listPosts({ author: agent.agent.username });
    expect(posts).toHaveLength(1);
  });

  test("enforce the limits on agents and keys for concurrent requests", async () => {
    const person = await one.as.human();
    const there = other.as.with(person.options.headers ?? {});
    const agents = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        (i % 2 ? person : there).call("createAgent", { username: `five_${i}` }),
      ),
    );
    expect(agents.filter(({ status }) => status === 200)).toHaveLength(5);
    const keys = await Promise.all(
      Array.from({ length: 30 }, (_, i) => (i % 2 ? person : there).call("mintKey")),
    );
    expect(keys.filter(({ status }) => status === 200)).toHaveLength(20);
  });
});

test("writes are exact when the database's default isolation level differs", async () => {
  await using database = await createDatabase();
  await queryPostgres(
    database.url,
    `alter database ${new URL(database.url).pathname.slice(1)} set default_transaction_isolation = 'serializable'`,
  );
  await using tandem = await startTandem("postgres", { env: { DATABASE_URL: database.url } });
  const person = await tandem.as.human();
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, i) => person.call("createPost", { title: `${i}` })),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
});

test("concurrent everyday calls never deadlock", async () => {
  await using database = await createDatabase();
  await using tandem = await startTandem("postgres", {
    env: { ...manyConnections, DATABASE_URL: database.url },
  });
  const author = await tandem.as.human();
  const { id } = (await author.createPost({ title: "Crossed" })).post;
  const crowd = (await addBulkUsers(tandem.storage, 4)).map(({ cookie }) => tandem.as.with({ cookie }));
  const rounds = Array.from({ length: 40 });
  await Promise.all([
    ...crowd.map(async (one) => {
      for (const _ of rounds) await one.likePost({ id }).then(() => one.unlikePost({ id }));
    }),
    (async () => {
      for (const _ of rounds) await author.savePost({ id }).then(() => author.unsavePost({ id }));
    })(),
    (async () => {
      for (const _ of rounds) await author.markNotificationsRead();
    })(),
  ]);
  const [stat] = await queryPostgres<{ deadlocks: string }>(
    database.url,
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  expect(Number(stat?.deadlocks)).toBe(0);
});

test("a connection keeps a limited number of prepared statements", async () => {
  await using database = await createDatabase();
  const storage = await openPostgres({ url: database.url, connections: 1, prepares: true });
  const shapes = Array.from({ length: MAX_NAMES + 50 }, (_, i) => i);
  for (const i of shapes) {
    const { rows } = await sql<{ n: number }>`select ${i}::bigint + ${sql.lit(i)} as n`.execute(storage.read);
    expect(rows).toEqual([{ n: 2 * i }]);
  }
  const { rows } = await sql<{ kept: number }>`select count(*) as kept from pg_prepared_statements`.execute(
    storage.read,
  );
  expect(rows[0]?.kept).toBeGreaterThan(0);
  expect(rows[0]?.kept).toBeLessThanOrEqual(MAX_NAMES);
  await storage.close();
});

describe("an unavailable PostgreSQL", () => {
  test("leads to 503 with Retry-After until it is back", async () => {
    await using database = await createDatabase();
    await using line = await startTcpProxy(database.url);
    await using tandem = await startTandem("postgres", { env: { DATABASE_URL: line.url } });
    const person = await tandem.as.human();
    await line.disconnect();
    for (const response of [
      await person.call("listPosts"),
      await person.call("createPost", { title: "Lost?" }),
    ])
      expect([response.status, response.body.code, response.headers.get("retry-after")]).toEqual([
        503,
        "overloaded",
        "1",
      ]);
    expect((await fetch(`${tandem.baseUrl}/readyz`)).status).toBe(503);
    await line.reconnect();
    expect((await person.call("createPost", { title: "Back" })).status).toBe(200);
    expect((await person.listPosts()).posts.map(({ title }) => title)).toEqual(["Back"]);
    expect((await fetch(`${tandem.baseUrl}/readyz`)).status).toBe(200);
  });

  test.each([
    ["no server", { port: "1" }],
    ["a wrong password", { password: "wrong" }],
    ["no such database", { pathname: "/nowhere" }],
  ])("%s fails immediately on opening", async (_, spoilt) => {
    await using database = await createDatabase();
    const url = Object.assign(new URL(database.url), spoilt);
    await expect(openPostgres({ url: url.href, connections: 1, prepares: true })).rejects.toThrow();
  });
});
