import { DAY, HOUR, MINUTE, SECOND } from "@tandem/contract/durations";
import { type ImportSetup, rssFeed, startImports } from "@tandem/testing/import-setup";
import { Origin } from "@tandem/testing/origin";
import { engines, runsOnceTests } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { WebSubHub } from "@tandem/testing/websub-hub";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { askHubs } from "./ask-hub.ts";

const BASE_URL = "https://tandem.example";

describe.each(engines)("WebSub on %s", (engine) => {
  const once = testOnce(engine);
  let world: ImportSetup;
  let hub: WebSubHub;
  let site: Origin;
  beforeAll(async () => {
    world = await startImports(engine, { BASE_URL });
  });
  afterAll(() => world[Symbol.asyncDispose]());
  beforeEach(async () => {
    hub = await WebSubHub.start({ serviceUrl: world.tandem.baseUrl, now: () => world.clock.now });
    site = await Origin.start();
  });
  afterEach(async () => {
    for (const { id } of await sources()) await world.admin.removeSource({ id });
    await world.poll();
    await world.tandem.storage.write((tx) => tx.deleteFrom("hub_subscriptions").execute());
    await hub[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  const sources = async () => (await world.admin.listSources()).sources;
  const state = async () => (await sources())[0];
  const posts = async () => (await world.tandem.as.anonymous().listPosts()).posts.map(({ title }) => title);
  const links = (hubUrl = hub.url, self = `${site.url}/feed.xml`) =>
    ["hub", "self"].map(
      (rel) =>
        `<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="${rel}" href="${rel === "hub" ? hubUrl : self}"/>`,
    );
  const show = (ids: string[], more = links().join("")) =>
    site.show("/feed.xml", {
      body: rssFeed(
        ids.map((id) => ({ id })),
        more,
      ),
    });
  const visits = () => site.requests.filter(({ path }) => path === "/feed.xml").length;
  const ask = async () => {
    await askHubs(world.tandem.services);
    await hub.settled();
  };
  /** A source that is subscribed at the hub. */
  const subscribed = async () => {
    const url = show(["a"]);
    const { source } = await world.admin.addSource({ url });
    await world.poll();
    await ask();
    const [subscriber] = hub.subscribers.values();
    if (!subscriber) throw new Error("the hub verified nothing");
    return { ...source, ...subscriber, topic: url };
  };
  const idle = () => world.tandem.services.afterResponse.idle();

  if (runsOnceTests(engine))
    test("a new post is readable as soon as the hub announces it, and the hub never needs another reason to be asked", async () => {
      const { topic } = await subscribed();
      expect(hub.verified).toEqual([200]);
      expect(hub.asked.map((sent) => sent.get("hub.mode"))).toEqual(["subscribe"]);
      expect(await state()).toMatchObject({
        push: "active",
        pushUntil: new Date(world.clock.now + 864_000 * SECOND).toISOString(),
      });
      world.clock.now += 2 * MINUTE;
      show(["a", "b"]);
      expect(await hub.distribute(topic, "anything")).toEqual([202]);
      await idle();
      expect(await posts()).toContain("On b");
      world.clock.now += DAY;
      await ask();
      expect(hub.asked).toHaveLength(1);
    });

  test("is renewed before it ends, at its own callback, and ends if the feed names no hub or another", async () => {
    const { callback } = await subscribed();
    world.clock.now += 8.1 * DAY;
    await ask();
    expect(hub.asked.map((sent) => sent.get("hub.callback"))).toEqual([callback, callback]);
    expect(await state()).toMatchObject({ pushUntil: new Date(world.clock.now + 10 * DAY).toISOString() });
    await using other = await WebSubHub.start({
      serviceUrl: world.tandem.baseUrl,
      now: () => world.clock.now,
    });
    show(["a"], links(other.url).join(""));
    await world.poll();
    await ask();
    await other.settled();
    expect([hub.subscribers.size, other.subscribers.size]).toEqual([0, 1]);
    expect(hub.verified).toEqual([200, 200, 200]);
    expect((await hub.post(callback, "late")).status).toBe(404);
    show(["a"], "");
    world.clock.now += DAY;
    await world.poll();
    expect(await state()).toMatchObject({ push: "none", pushUntil: null });
    await ask();
    await other.settled();
    expect(other.subscribers.size).toBe(0);
  });

  test.each(["disabled", "removed"])("ends at the hub when its source is %s", async (how) => {
    const { id } = await subscribed();
    if (how === "removed") await world.admin.removeSource({ id });
    else
      expect(await world.admin.editSource({ id, enabled: false })).toMatchObject({
        source: { push: "none" },
      });
    await world.poll();
    await ask();
    expect(hub.subscribers.size).toBe(0);
    expect(await world.tandem.storage.read.selectFrom("hub_subscriptions").selectAll().execute()).toEqual([]);
  });

  test("a hub that announces all the time has a source visited once per minute, and a failing one no sooner", async () => {
    const { topic } = await subscribed();
    const before = visits();
    world.clock.now += 2 * MINUTE;
    for (let i = 0; i < 5; i++) {
      await hub.distribute(topic, "again");
      await idle();
      await world.poll();
    }
    expect(visits() - before).toBe(1);
    world.clock.now += MINUTE;
    await world.poll();
    expect(visits() - before).toBe(2);
    site.show("/feed.xml", { status: 429, headers: { "retry-after": "7200" } });
    world.clock.now += MINUTE;
    await hub.distribute(topic, "again");
    await idle();
    expect(visits() - before).toBe(3);
    world.clock.now += 1.5 * HOUR;
    await hub.distribute(topic, "again");
    await idle();
    await world.poll();
    expect(visits() - before).toBe(3);
  });

  test("what is announced during a visit leads to another", async () => {
    const { topic } = await subscribed();
    world.clock.now += DAY;
    let isFirst = true;
    const late = rssFeed([{ id: "a" }, { id: "late" }], links().join(""));
    site.show("/feed.xml", async (_request, response) => {
      const body = isFirst ? rssFeed([{ id: "a" }], links().join("")) : late;
      world.clock.now += 1;
      if (isFirst) await hub.distribute(topic, "late");
      isFirst = false;
      response.end(body);
    });
    await world.poll();
    await idle();
    expect(await posts()).not.toContain("On late");
    world.clock.now += MINUTE;
    await world.poll();
    expect(await posts()).toContain("On late");
  });

  once("is polled less often while everything new is announced, and more often if not", async () => {
    const { topic } = await subscribed();
    const seconds = async () => Number((await state())?.intervalSeconds);
    const begun = await seconds();
    for (let i = 0; i < 3; i++) {
      world.clock.now += 2 * MINUTE;
      show(["a", `new${i}`]);
      await hub.distribute(topic, "new");
      await idle();
    }
    const announced = await seconds();
    expect(announced).toBeGreaterThan(3 * begun);
    show(["a", "silent"]);
    world.clock.now += DAY;
    await world.poll();
    expect(await seconds()).toBeLessThan(announced);
  });

  once("ends once the service no longer takes announcements, also of an unchanged feed", async () => {
    await subscribed();
    const config: { webSub: boolean } = world.tandem.services.config;
    config.webSub = false;
    try {
      site.show("/feed.xml", { status: 304 });
      world.clock.now += DAY;
      await world.poll();
      expect(await state()).toMatchObject({ push: "none", state: "working" });
      await ask();
      expect(hub.asked.at(-1)?.get("hub.mode")).toBe("unsubscribe");
      expect(hub.subscribers.size).toBe(0);
    } finally {
      config.webSub = true;
    }
  });
});
