import { DAY, MINUTE } from "@tandem/contract/durations";
import { type Article, type ImportSetup, rssFeed, startImports } from "@tandem/testing/import-setup";
import { Origin } from "@tandem/testing/origin";
import { engines } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

describe.each(engines)("sources that redirect to another host on %s", (engine) => {
  const once = testOnce(engine);
  let world: ImportSetup;
  let other: Origin;
  beforeEach(async () => {
    world = await startImports(engine);
    other = await Origin.start();
  });
  afterEach(async () => {
    await world[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  const articles: Article[] = [{ id: "a" }, { id: "b" }];
  const feed = (path = "/feed.xml", shown = articles) => other.show(path, { body: rssFeed(shown) });
  const redirect = (path: string, location: string, status = 301) =>
    world.origin.show(path, { status, headers: { location } });
  /** Adds a source whose feed doesn't redirect yet. */
  const add = async (path = "/feed.xml") => {
    const url = world.origin.show(path, { body: rssFeed(articles) });
    return (await world.admin.addSource({ url })).source;
  };
  const listed = async () => (await world.admin.listSources()).sources;
  const posts = async () => (await world.tandem.as.anonymous().listPosts({})).posts;
  const nextDay = async () => {
    world.clock.now += DAY;
    await world.poll();
  };
  const otherPaths = () => other.requests.map(({ path }) => path).filter((path) => path !== "/robots.txt");

  once("aren't fetched from that host if its robots.txt disallows it", async () => {
    await add();
    redirect("/feed.xml", feed("/private/feed.xml"), 302);
    other.show("/robots.txt", { body: "User-agent: *\nDisallow: /private/\n" });
    await world.poll();
    expect(await listed()).toMatchObject([
      {
        state: "failing",
        lastError: expect.stringMatching(new RegExp(`robots.txt of 127.0.0.1:${other.port}`)),
      },
    ]);
    expect(otherPaths()).toEqual([]);
  });

  test("are throttled on that host, and respect its crawl delay", async () => {
    other.show("/robots.txt", { body: "User-agent: *\nCrawl-delay: 50\n" });
    for (const n of [1, 2, 3]) {
      await add(`/${n}.xml`);
      redirect(`/${n}.xml`, feed(`/${n}.xml`), 302);
    }
    await world.poll();
    expect(otherPaths()).toHaveLength(1);
    const waiting = (await listed()).filter(({ polledAt }) => polledAt === null);
    expect(waiting).toHaveLength(2);
    for (const { failures, nextAt } of waiting) {
      expect(failures).toBe(0);
      expect(Date.parse(String(nextAt))).toBeGreaterThan(world.clock.now + 30_000);
    }
  });

  once("pause requests to that host as it asks, but not to the redirecting host", async () => {
    await add("/1.xml");
    other.show("/busy", { status: 429, headers: { "retry-after": "1800" } });
    redirect("/1.xml", `${other.url}/busy`, 302);
    await world.poll();
    expect(await listed()).toMatchObject([
      { state: "failing", lastError: expect.stringContaining(`${other.port}`) },
    ]);
    await add("/2.xml");
    redirect("/2.xml", feed("/2.xml"), 302);
    await add("/3.xml");
    await world.poll();
    expect(otherPaths()).toEqual(["/busy"]);
    const [third, second] = await listed();
    expect(third).toMatchObject({ state: "working" });
    expect(second).toMatchObject({ state: "new", failures: 0 });
    const { visits } = await world.admin.readSource({ id: Number(second?.id) });
    expect(visits).toMatchObject([
      { outcome: "postponed", error: expect.stringContaining("for at least 30 minutes.") },
    ]);
    expect(Date.parse(String(second?.nextAt)) - world.clock.now).toBeGreaterThan(20 * MINUTE);
  });

  once("don't follow redirects to forbidden addresses or endless redirects", async () => {
    await add("/1.xml");
    await add("/2.xml");
    redirect("/1.xml", "http://10.0.0.1/feed.xml");
    redirect("/2.xml", `${other.url}/2.xml`);
    other.show("/2.xml", { status: 301, headers: { location: `${world.origin.url}/2.xml` } });
    for (let i = 0; i < 5; i++) await nextDay();
    const [circle, inner] = await listed();
    expect(inner).toMatchObject({
      lastError: expect.stringContaining("public internet"),
      url: `${world.origin.url}/1.xml`,
    });
    expect(circle).toMatchObject({
      lastError: expect.stringContaining("redirect"),
      url: `${world.origin.url}/2.xml`,
    });
    expect(otherPaths().length).toBeLessThan(5 * 4);
  });

  once("adopt a permanent redirect after some days, and import nothing twice", async () => {
    const { id } = await add();
    await world.poll();
    const before = await posts();
    const moved = feed();
    redirect("/feed.xml", moved);
    for (let i = 0; i < 3; i++) await nextDay();
    expect(await listed()).toMatchObject([{ id, url: `${world.origin.url}/feed.xml`, state: "working" }]);
    await nextDay();
    expect(await listed()).toMatchObject([{ id, url: moved, state: "working", failures: 0 }]);
    const visits = world.origin.requests.length;
    await nextDay();
    expect(world.origin.requests).toHaveLength(visits);
    expect(await posts()).toEqual(before);
    feed("/feed.xml", [{ id: "c" }, ...articles]);
    await nextDay();
    expect(await posts()).toHaveLength(3);
  });

  once("keep their address if redirects are temporary or keep changing", async () => {
    const { url } = await add("/1.xml");
    await add("/2.xml");
    feed();
    for (let i = 0; i < 8; i++) {
      redirect("/1.xml", `${other.url}/feed.xml`, i % 3 === 2 ? 302 : 301);
      redirect("/2.xml", feed(`/${i % 2}.xml`));
      await nextDay();
    }
    expect((await listed()).map(({ url }) => url)).toEqual([`${world.origin.url}/2.xml`, url]);
  });

  test("are set aside with an error if they move to another source's address", async () => {
    const there = (await world.admin.addSource({ url: feed() })).source;
    const { id } = await add();
    redirect("/feed.xml", `${other.url}/feed.xml`);
    for (let i = 0; i < 5; i++) await nextDay();
    expect(await listed()).toMatchObject([
      { id, state: "set_aside", nextAt: null, lastError: expect.stringContaining("a source already") },
      { id: there.id, state: "working", url: there.url },
    ]);
  });

  test("rename item keys that contain the old address", async () => {
    const named = (host: string) => `http://${host}:${other.port}/feed.xml`;
    feed();
    const { id } = await add();
    await world.poll();
    const before = await posts();
    await using there = await Origin.start("127.0.0.2");
    there.show("/feed.xml", { body: rssFeed(articles) });
    redirect("/feed.xml", named("127.0.0.2").replace(String(other.port), String(there.port)));
    for (let i = 0; i < 6; i++) await nextDay();
    expect(await listed()).toMatchObject([{ id, url: `http://127.0.0.2:${there.port}/feed.xml` }]);
    expect((await posts()).map(({ id: post }) => post)).toEqual(before.map(({ id: post }) => post));
    there.show("/feed.xml", { body: rssFeed([{ id: "a", title: "Updated" }, { id: "b" }]) });
    await nextDay();
    expect((await posts()).map(({ title }) => title).sort()).toEqual(["On b", "Updated"]);
  });
});
