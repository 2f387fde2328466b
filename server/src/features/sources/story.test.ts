import { DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { type ImportSetup, rssFeed, startImports } from "@tandem/testing/import-setup";
import { insertPosts, insertSource } from "@tandem/testing/imported-posts";
import { engines, runsOnceTests } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

describe.each(engines)("stories on %s", (engine) => {
  const once = testOnce(engine);
  let world: ImportSetup;
  beforeEach(async () => {
    world = await startImports(engine);
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const add = async (url: string) => (await world.admin.addSource({ url })).source;
  const feed = async (input = {}) => (await world.tandem.as.anonymous().listPosts(input)).posts;
  const nextDay = async () => {
    world.clock.now += DAY;
    await world.poll();
  };

  once("list the other posts of the same link on a post's page", async () => {
    const link = "https://example.org/looms";
    for (const name of ["first", "second"]) {
      await add(
        world.origin.show(`/${name}.xml`, { body: rssFeed([{ id: name, title: `By ${name}`, link }]) }),
      );
      await world.poll();
    }
    const page = async (path: string) => (await fetch(`${world.tandem.baseUrl}${path}.md`)).text();
    const [first] = await feed();
    expect(first).toMatchObject({ title: "By first", storyCount: 2 });
    expect(await page("/index")).toContain("posts of this link: 2");
    const text = await page(`/posts/${first?.id}`);
    expect(text).toMatch(/Others on this link.*By second/s);
    const second = /posts\/(\d+)\.md\): `By second/.exec(text)?.[1];
    expect(await page(`/posts/${second}`)).toMatch(/By second.*Others on this link.*By first/s);
  });

  test("show one post in the feed for several sources of a link, and list the others with it", async () => {
    const showLinks = (name: string, links: string[]) =>
      world.origin.show(`/${name}.xml`, {
        body: rssFeed(
          links.map((link, i) => ({ id: `${name}${i}`, title: `${name} ${i}`, author: name, link })),
        ),
      });
    const first = await add(showLinks("first", ["https://www.example.org/looms/?utm_source=x&b=2&a=1#top"]));
    await world.poll();
    const second = await add(
      showLinks("second", ["http://example.org/looms?a=1&b=2", "https://example.org/other"]),
    );
    const third = await add(showLinks("third", ["https://example.org/looms?b=2&a=1&fbclid=y"]));
    await world.poll();
    const titles = async (input = {}) => (await feed(input)).map(({ title }) => title).sort();
    expect(await titles()).toEqual(["first 0", "second 1"]);
    expect(await titles({ sort: "hot" })).toEqual(["first 0", "second 1"]);
    expect(await titles({ q: "first" })).toEqual(["first 0"]);
    // Search finds duplicates, which the feed leaves out.
    expect(await titles({ q: "second" })).toEqual(["second 0", "second 1"]);
    expect(await titles({ sourceId: second.id })).toEqual(["second 0", "second 1"]);
    expect(await titles({ author: "third@127.0.0.1" })).toEqual(["third 0"]);
    const shown = (await feed()).find(({ title }) => title === "first 0");
    expect(shown?.storyCount).toBe(3);
    const reader = world.tandem.as.anonymous();
    const story = (await reader.listStory({ id: Number(shown?.id) })).posts;
    expect(story.map(({ author }) => author).sort()).toEqual(
      ["first", "second", "third"].map((name) => `${name}@127.0.0.1`),
    );
    expect((await reader.listStory({ id: Number(story.at(-1)?.id) })).posts).toEqual(story);
    const muter = await world.tandem.as.human();
    await muter.mute({ platform: "rss", author: "third@127.0.0.1" });
    const unmuted = (await muter.listStory({ id: Number(shown?.id) })).posts;
    expect(unmuted.map(({ author }) => author).sort()).toEqual(["first@127.0.0.1", "second@127.0.0.1"]);
    await world.admin.removeSource({ id: first.id });
    await world.poll();
    const left = (await feed()).find(({ title }) => title !== "second 1");
    expect(left?.storyCount).toBe(2);
    expect(await feed()).toHaveLength(2);
    await world.admin.removeSource({ id: second.id });
    await world.admin.removeSource({ id: third.id });
    await world.poll();
    expect(await feed()).toEqual([]);
    expect((await reader.call("listStory", { id: 999 })).status).toBe(404);
  });

  if (runsOnceTests(engine))
    test("show every item of a source whose items share one link, but not another source's copies", async () => {
      const link = "https://example.org/show";
      const episodes = (name: string, count: number) =>
        world.origin.show(`/${name}.xml`, {
          body: rssFeed(
            Array.from({ length: count }, (_, i) => ({ id: `${name}${i}`, title: `${name} ${i}`, link })),
          ),
        });
      const titles = async () => (await feed()).map(({ title }) => title).sort();
      const counts = async () => (await feed()).map(({ storyCount }) => storyCount).sort();
      const series = await add(episodes("one", 2));
      await world.poll();
      await add(episodes("two", 2));
      await world.poll();
      episodes("one", 3);
      await nextDay();
      expect(await titles()).toEqual(["one 0", "one 1", "one 2"]);
      expect(await counts()).toEqual([1, 1, 5]);
      await world.admin.removeSource({ id: series.id });
      await world.poll();
      expect(await titles()).toEqual(["two 0", "two 1"]);
      expect(await counts()).toEqual([1, 2]);
    });

  test("list the first posts of a long story, and the requested one", async () => {
    const id = await insertSource(world.tandem.storage, "rss", "a series");
    const { storage } = world.tandem;
    const posts = Array.from({ length: limits.page.max + 10 }, () => ({
      platform: "rss" as const,
      sourceId: id,
    }));
    const ids = await storage.write((tx) => insertPosts(tx, posts));
    await storage.write((tx) => tx.updateTable("posts").set({ story: "long" }).execute());
    const listed = async (id: number) => {
      const { posts } = await world.tandem.as.anonymous().listStory({ id });
      return posts.map((post) => post.id);
    };
    expect(await listed(ids[0] ?? 0)).toEqual(ids.slice(0, limits.page.max));
    const last = ids.at(-1) ?? 0;
    expect(await listed(last)).toEqual([...ids.slice(0, limits.page.max - 1), last]);
  });

  test("regroup posts whose links change, and show each story once", async () => {
    const link = (name: string) => `https://example.org/${name}`;
    const showLinks = (name: string, links: string[]) =>
      world.origin.show(`/${name}.xml`, {
        body: rssFeed(links.map((to, i) => ({ id: `${name}${i}`, title: `${name} ${i}`, link: link(to) }))),
      });
    await add(showLinks("one", ["looms", "engines"]));
    await world.poll();
    await add(showLinks("two", ["looms", "cards"]));
    await world.poll();
    const shown = async () => (await feed()).map(({ title, storyCount }) => [title, storyCount]).sort();
    expect(await shown()).toEqual([
      ["one 0", 2],
      ["one 1", 1],
      ["two 1", 1],
    ]);
    showLinks("two", ["mills", "cards"]);
    await nextDay();
    expect(await shown()).toEqual([
      ["one 0", 1],
      ["one 1", 1],
      ["two 0", 1],
      ["two 1", 1],
    ]);
    showLinks("one", ["cards", "mills"]);
    await nextDay();
    expect(await shown()).toEqual([
      ["one 0", 2],
      ["one 1", 2],
    ]);
  });
});
