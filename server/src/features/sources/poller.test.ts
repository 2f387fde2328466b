import { eventually } from "@tandem/testing/eventually";
import { type ImportSetup, rssFeed, startImports } from "@tandem/testing/import-setup";
import { insertPosts, insertSource } from "@tandem/testing/imported-posts";
import { Origin } from "@tandem/testing/origin";
import { engines } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Services } from "../../http/services.ts";
import { isDue } from "../../jobs/queue.ts";
import type { Db } from "../../storage/storage.ts";
import { Poller } from "./poller.ts";
import { sourceQueue } from "./sources.queries.ts";

describe.each(engines)("pollers on %s", (engine) => {
  const once = testOnce(engine);
  let world: ImportSetup;
  beforeEach(async () => {
    world = await startImports(engine);
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const addMany = async (count: number) => {
    for (let i = 0; i < count; i++) {
      const url = world.origin.show(`/${i}.xml`, {
        body: rssFeed([{ id: `tag:${i}` }, { id: "tag:shared" }]),
      });
      await world.admin.addSource({ url });
    }
    world.origin.requests.length = 0;
  };
  const visits = () => world.origin.requests.map(({ path }) => path).filter((path) => path.endsWith(".xml"));
  const feed = async () => (await world.tandem.as.anonymous().listPosts({ limit: 50 })).posts;

  test("that run concurrently visit each source once, and create one post per shared item", async () => {
    await addMany(12);
    const pollers = [1, 2, 3].map(() => new Poller(world.tandem.services));
    await Promise.all(pollers.map((poller) => poller.run(new AbortController().signal)));
    expect(visits().sort()).toEqual(Array.from({ length: 12 }, (_, i) => `/${i}.xml`).sort());
    expect(await feed()).toHaveLength(13);
    const { sources } = await world.admin.listSources();
    expect(new Set(sources.map(({ state }) => state))).toEqual(new Set(["working"]));
  });

  test("that died lose their sources when their leases expire", async () => {
    await addMany(1);
    const lease = (lease_ends_at: number) =>
      world.tandem.storage.write((tx) =>
        tx.updateTable("sources").set({ holder: "dead", lease_ends_at }).execute(),
      );
    await lease(Number.MAX_SAFE_INTEGER);
    await world.poll();
    expect(visits()).toEqual([]);
    await lease(0);
    await world.poll();
    expect(visits()).toEqual(["/0.xml"]);
    expect(await feed()).toHaveLength(2);
  });

  test("discard a visit if they lost its lease", async () => {
    await addMany(1);
    let respond = () => {};
    const reached = new Promise<void>((resolve) => {
      world.origin.show("/0.xml", (_request, response) => {
        respond = () => response.end(rssFeed([{ id: "tag:late" }]));
        resolve();
      });
    });
    const polling = world.poll();
    await reached;
    const [{ id } = { id: 0 }] = (await world.admin.listSources()).sources;
    await world.admin.editSource({ id, enabled: false });
    respond();
    await polling;
    expect(await feed()).toEqual([]);
    expect((await world.admin.listSources()).sources).toMatchObject([
      { enabled: false, state: "new", polledAt: null },
    ]);
  });

  test("release their sources immediately when stopped", async () => {
    await addMany(1);
    const stop = new AbortController();
    world.origin.show("/0.xml", () => stop.abort(new Error("the service stops")));
    await new Poller(world.tandem.services).run(stop.signal);
    world.origin.show("/0.xml", { body: rssFeed([{ id: "tag:0" }]) });
    await world.poll();
    expect(await feed()).toHaveLength(1);
    expect((await world.admin.listSources()).sources).toMatchObject([{ state: "working", failures: 0 }]);
  });

  once("visit newly due sources while a slow one is in progress", async () => {
    await using slow = await Origin.start();
    await world.admin.addSource({ url: slow.show("/feed.xml", { body: rssFeed([{ id: "tag:slow" }]) }) });
    let respond = () => {};
    const reached = new Promise<void>((resolve) => {
      slow.show("/feed.xml", (_request, response) => {
        respond = () => response.end(rssFeed([{ id: "tag:slow" }]));
        resolve();
      });
    });
    const polling = world.poll();
    await reached;
    await addMany(1);
    await eventually(() => expect(visits()).toEqual(["/0.xml"]));
    respond();
    await polling;
    expect(await feed()).toHaveLength(3);
  });

  test("keep their lease while they remove a source", async () => {
    const { storage, services } = world.tandem;
    const id = await insertSource(storage, "rss", "example.org");
    const posts = Array.from({ length: 1100 }, () => ({ platform: "rss" as const, sourceId: id }));
    await storage.write((tx) => insertPosts(tx, posts));
    await world.admin.removeSource({ id });
    const lost: boolean[] = [];
    const slow: Services["storage"] = Object.assign(Object.create(storage), {
      async write<T>(work: (tx: Db) => Promise<T>) {
        const done = await storage.write(async (tx) => {
          await tx.updateTable("sources").set({ lease_ends_at: 0 }).execute();
          return work(tx);
        });
        lost.push(await isDue(storage.read, sourceQueue, { now: world.clock.now }));
        return done;
      },
    });
    await new Poller({ ...services, storage: slow }).run(new AbortController().signal);
    expect(lost.length).toBeGreaterThan(3);
    expect(lost).not.toContain(true);
    expect((await world.admin.listSources()).sources).toEqual([]);
  });

  once("postpone sources whose host is throttled for long", async () => {
    await addMany(2);
    world.origin.show("/robots.txt", { body: "User-agent: Tandem\nCrawl-delay: 50\n" });
    const poller = new Poller({
      ...world.tandem.services,
      config: { ...world.tandem.services.config, sourceConcurrency: 1 },
    });
    await poller.run(new AbortController().signal);
    expect(visits()).toHaveLength(1);
    const { sources } = await world.admin.listSources();
    const waiting = sources.find(({ polledAt }) => polledAt === null);
    expect(waiting).toMatchObject({ state: "new", failures: 0 });
    expect(Date.parse(String(waiting?.nextAt))).toBeGreaterThan(world.clock.now + 30_000);
  });
});
