import { connect, createServer, type Socket } from "node:net";
import type { CallResponse, Person } from "@tandem/testing/callers";
import { startPgBouncer } from "@tandem/testing/pgbouncer";
import { createDatabase } from "@tandem/testing/postgres";
import { startPostgres } from "@tandem/testing/postgres-server";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";

const PEOPLE = 8;
const ROUNDS = 12;

/** Retries with the same Idempotency-Key until it succeeds, so that an attempt without a response counts. Only 503 may come before. */
async function insist(call: (options: { idempotencyKey: string }) => Promise<CallResponse>, key: string) {
  for (;;) {
    const { status, body, headers } = await call({ idempotencyKey: key });
    if (status === 200) return;
    expect([status, body.code, headers.get("retry-after")]).toEqual([503, "overloaded", "1"]);
  }
}

test.each(["directly", "through PgBouncer"])(
  "a PostgreSQL that is killed during many writes, %s, has every acknowledged write once",
  async (way) => {
    await using server = await startPostgres();
    const url = `${server.url}/postgres`;
    await using bouncer = way === "directly" ? null : await startPgBouncer(url, 5);
    const env = { DATABASE_URL: bouncer?.url ?? url, DATABASE_PREPARES: bouncer ? "0" : "1" };
    await using tandem = await startTandem("postgres", { env });
    const author = await tandem.as.human();
    const { post } = await author.createPost({ title: "In the eye of it" });
    const people = await Promise.all(Array.from({ length: PEOPLE }, () => tandem.as.human()));
    let acknowledged = 0;
    const storm = people.map(async (person) => {
      await insist((key) => person.call("likePost", { id: post.id }, key), "like");
      for (let i = 0; i < ROUNDS; i++) {
        await insist((key) => person.call("createPost", { title: `${i}` }, key), `post ${i}`);
        await insist(
          (key) => person.call("createComment", { id: post.id, body: `${i}` }, key),
          `comment ${i}`,
        );
        acknowledged += 2;
        if (acknowledged === PEOPLE * ROUNDS) await restart();
      }
    });
    const restart = async () => {
      await server.kill();
      expect((await fetch(`${tandem.baseUrl}/readyz`)).status).toBe(503);
      await server.start();
    };
    await Promise.all(storm);
    for (const person of people) expect(await titlesOf(person)).toEqual(rounds().toReversed());
    const counters = await author.readPost({ id: post.id });
    expect(counters.post).toMatchObject({ likeCount: PEOPLE, commentCount: PEOPLE * ROUNDS });
    expect((await author.countNotifications()).unread).toBe(PEOPLE * (ROUNDS + 1));
    expect(await countRows(tandem)).toEqual({
      likes: PEOPLE,
      comments: PEOPLE * ROUNDS,
      notifications: PEOPLE * (ROUNDS + 1),
      // The author's first post, and one of each round; each write was counted in its quota and left an idempotency record.
      posts: 1 + PEOPLE * ROUNDS,
      charged: 1 + PEOPLE * (2 * ROUNDS + 1),
      records: PEOPLE * (2 * ROUNDS + 1),
    });
    expect((await fetch(`${tandem.baseUrl}/readyz`)).status).toBe(200);
  },
);

const rounds = () => Array.from({ length: ROUNDS }, (_, i) => `${i}`);

async function titlesOf(person: Person) {
  const { posts } = await person.listPosts({ author: person.user.username, limit: 50 });
  return posts.map(({ title }) => title);
}

async function countRows({ storage }: Tandem) {
  const { rows } = await sql`
    select (select count(*) from posts) as posts, (select count(*) from post_likes) as likes,
      (select count(*) from comments) as comments, (select count(*) from notifications) as notifications,
      (select sum(used) from quota_windows where quota = 'writes') as charged,
      (select count(*) from idempotency) as records`.execute(storage.read);
  return rows[0];
}

describe("a connection that breaks during the commit", () => {
  test.each([
    ["before it came", "asked", null],
    ["after it was done, but before that was heard", "answered", "true"],
  ] as const)("%s, returns 503, and a retry with the same key writes once", async (_, when, replayed) => {
    await using database = await createDatabase();
    await using line = await fragileLine(database.url);
    await using tandem = await startTandem("postgres", { env: { DATABASE_URL: line.url } });
    const person = await tandem.as.human();
    const post = () => person.call("createPost", { title: "Done?" }, { idempotencyKey: "once" });
    line.breakWhen(when);
    const broken = await post();
    expect([broken.status, broken.body.code]).toEqual([503, "overloaded"]);
    const again = await post();
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, replayed]);
    expect(await titlesOf(person)).toEqual(["Done?"]);
  });
});

/** A proxy to a server that breaks the connection once, at the next commit: before or after the server processes it. */
async function fragileLine(target: string) {
  const { hostname, port } = new URL(target);
  let breaks: "asked" | "answered" | null = null;
  const sockets = new Set<Socket>();
  const server = createServer((inward) => {
    const outward = connect(Number(port), hostname);
    const cut = () => {
      breaks = null;
      for (const socket of [inward, outward]) socket.destroy();
    };
    for (const socket of [inward, outward]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", cutOther);
    }
    function cutOther() {
      for (const socket of [inward, outward]) socket.destroy();
    }
    let committing = false;
    inward.on("data", (bytes) => {
      committing = breaks !== null && bytes.includes("commit\0");
      if (committing && breaks === "asked") cut();
      else outward.write(bytes);
    });
    outward.on("data", (bytes) => {
      if (committing) cut();
      else inward.write(bytes);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = new URL(target);
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    breakWhen(moment: "asked" | "answered") {
      breaks = moment;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
