import { addBulkUsers } from "@tandem/testing/bulk-users";
import type { Caller, Person } from "@tandem/testing/callers";
import { until } from "@tandem/testing/ports";
import { queryPostgres } from "@tandem/testing/postgres-query";
import { type PostgresServer, startPostgres } from "@tandem/testing/postgres-server";
import { startReplica } from "@tandem/testing/replica";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "../../config.ts";
import { openStorage } from "../open.ts";

/** A replica with paused replay shows an older state, so a response shows which server it came from. */
describe("feeds and searches with a streaming replica", () => {
  let primary: PostgresServer;
  let replica: PostgresServer;
  let here: Tandem;
  let there: Tandem;
  let ada: Person;
  let reader: Caller;

  beforeAll(async () => {
    primary = await startPostgres();
    replica = await startReplica(primary);
    const [DATABASE_URL, DATABASE_REPLICA_URL] = [primary, replica].map(({ url }) => `${url}/postgres`);
    const env = { DATABASE_URL, DATABASE_REPLICA_URL };
    here = await startTandem("postgres", { env });
    there = await startTandem("postgres", { env });
    ada = await here.as.human("ada");
    const [member] = await addBulkUsers(here.storage, 1);
    reader = there.as.with({ cookie: member?.cookie ?? "" });
  });
  afterAll(async () => {
    for (const tandem of [there, here]) await tandem.stop();
    for (const server of [replica, primary]) await server[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await replay("resume");
    await inUse(true);
  });

  const inUse = (yes: boolean) =>
    until(async () => [here, there].every(({ storage }) => storage.replicas()[0]?.inUse === yes));
  const replay = async (how: "pause" | "resume") => {
    await on(replica, `select pg_wal_replay_${how}()`);
    if (how === "pause")
      await until(
        async () => (await on(replica, "select pg_get_wal_replay_pause_state() as s")) === "paused",
      );
  };
  const sees = async (caller: Caller, title: string, query = {}) =>
    (await caller.listPosts({ ...query })).posts.some((post) => post.title === title);
  /** The same person as a client of the other service. */
  const elsewhere = (person: Caller) => there.as.with(person.options.headers ?? {});

  test("are read from the replica, and a single post is not", async () => {
    // So nothing that was read there is kept as current.
    expect(await here.storage.askVersion()).toBe(null);
    await replay("pause");
    const { post } = await ada.createPost({ title: "Behind" });
    for (const caller of [reader, here.as.anonymous()]) {
      expect(await sees(caller, "Behind")).toBe(false);
      expect(await sees(caller, "Behind", { q: "behind" })).toBe(false);
      expect((await caller.readPost({ id: post.id })).post.title).toBe("Behind");
    }
    await replay("resume");
    await until(() => sees(reader, "Behind", { q: "behind" }));
  });

  test("show their caller's own writes immediately on every service", async () => {
    await replay("pause");
    const title = "Mine";
    const { post } = await ada.createPost({ title });
    for (const caller of [ada, elsewhere(ada)]) {
      expect(await sees(caller, title)).toBe(true);
      expect(await sees(caller, title, { q: "mine" })).toBe(true);
    }
    expect(await sees(reader, title)).toBe(false);
    await elsewhere(reader).likePost({ id: post.id });
    const [shown] = (await reader.listPosts({ limit: 1 })).posts;
    expect(shown).toMatchObject({ title, liked: true, likeCount: 1 });
    // Once the replica has caught up, it serves them too.
    await replay("resume");
    await until(async () => {
      await replay("pause");
      await here.storage.write((tx) => tx.updateTable("posts").set({ view_count: 7 }).execute());
      const stale = (await ada.listPosts({ limit: 1 })).posts[0]?.viewCount !== 7;
      await here.storage.write((tx) => tx.updateTable("posts").set({ view_count: 0 }).execute());
      await replay("resume");
      return stale;
    });
  });

  test("include all of the caller's own writes while the replica lags intermittently", async () => {
    const crowd = (await addBulkUsers(here.storage, 8)).map(({ cookie }) => ({ cookie }));
    let over = false;
    const fits = (async () => {
      while (!over) for (const how of ["pause", "resume"] as const) await replay(how);
    })();
    const missed = await Promise.all(
      crowd.map(async (headers, who) => {
        const lost: string[] = [];
        for (let i = 0; i < 20; i++) {
          const [writing, reading] = i % 2 ? [here, there] : [there, here];
          const title = `${who} writes ${i}`;
          await writing.as.with(headers).createPost({ title });
          if (!(await sees(reading.as.with(headers), title, { limit: 50 }))) lost.push(title);
        }
        return lost;
      }),
    );
    over = true;
    await fits;
    expect(missed.flat()).toEqual([]);
  });

  test("skip a replica that lags, and use it again once it has caught up", async () => {
    await replay("pause");
    await ada.createPost({ title: "Long behind" });
    expect(await sees(reader, "Long behind")).toBe(false);
    await inUse(false);
    expect(await sees(reader, "Long behind")).toBe(true);
    expect(await (await fetch(`${here.baseUrl}/metrics`)).text()).toMatch(/^tandem_replica_in_use\{.+\} 0$/m);
    await replay("resume");
    await inUse(true);
    expect(await (await fetch(`${here.baseUrl}/metrics`)).text()).toMatch(/^tandem_replica_in_use\{.+\} 1$/m);
  });

  test("continue without errors when the replica dies, and use it again once it is back", async () => {
    const statuses = new Set<number>();
    let over = false;
    const readers = Array.from({ length: 8 }, async () => {
      while (!over) statuses.add((await reader.call("listPosts", { q: "mine" })).status);
    });
    await replica.kill();
    await inUse(false);
    await replica.start();
    await inUse(true);
    over = true;
    await Promise.all(readers);
    expect(statuses).toEqual(new Set([200]));
  });

  test("continue for anonymous callers while the primary is down", async () => {
    await until(() => sees(reader, "Mine", { q: "mine" }));
    await primary.kill();
    expect(await sees(here.as.anonymous(), "Mine", { q: "mine" })).toBe(true);
    expect((await ada.call("createPost", { title: "No" })).status).toBe(503);
    await primary.start();
    await until(async () => (await fetch(`${here.baseUrl}/readyz`)).ok);
    expect((await ada.call("createPost", { title: "Yes" })).status).toBe(200);
  });

  test("show people what their keys wrote, and new accounts themselves in search", async () => {
    const key = await here.as.key(["posts:write"], ada);
    await inUse(true);
    await replay("pause");
    await key.createPost({ title: "By my key" });
    expect(await sees(elsewhere(ada), "By my key")).toBe(true);
    const newcomer = await here.as.human("newcomer");
    const { creators } = await elsewhere(newcomer).searchCreators({ q: "newcomer" });
    expect(creators.map(({ author }) => author)).toEqual(["newcomer"]);
  });

  test("never come from a standby of another cluster, even one that is far ahead", async () => {
    await using foreign = await startPostgres();
    await using standby = await startReplica(foreign);
    await on(foreign, "create table more as select repeat('x', 1000) from generate_series(1, 50000)");
    const sentences: string[] = [];
    const database = { url: `${primary.url}/postgres`, replicas: [`${standby.url}/postgres`] };
    const place = { database: { ...database, connections: 1, prepares: true }, dataDir: "/nowhere" };
    const storage = await openStorage(place, (sentence) => sentences.push(sentence));
    await until(async () => sentences.length > 0);
    expect(sentences[0]).toMatch(/^Replica .+ is not in use: it belongs to another cluster\.$/);
    expect(storage.replicas()[0]?.inUse).toBe(false);
    await storage.close();
  });

  test("stop the start if a replica refuses the login, without showing the password", async () => {
    const wrong = Object.assign(new URL(`${replica.url}/postgres`), { password: "secret" });
    const env = { DATABASE_URL: `${primary.url}/postgres`, DATABASE_REPLICA_URL: wrong.href };
    const opening = openStorage(readConfig(env));
    await expect(opening).rejects.toThrow(
      /^DATABASE_REPLICA_URL can't be used: password authentication failed/,
    );
    await expect(opening).rejects.not.toThrow(/secret/);
  });

  test("skip a replica that becomes a primary itself", async () => {
    await on(replica, "select pg_promote()");
    await inUse(false);
    await ada.createPost({ title: "After" });
    expect(await sees(reader, "After")).toBe(true);
  });
});

/** Runs a statement on a server and returns its single value. */
async function on(server: PostgresServer, statement: string): Promise<unknown> {
  const [row = {}] = await queryPostgres(`${server.url}/postgres`, statement);
  return Object.values(row)[0];
}
