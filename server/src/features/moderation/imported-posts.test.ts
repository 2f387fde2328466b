import { DAY } from "@tandem/contract/durations";
import { dump } from "@tandem/testing/dump";
import { type ImportSetup, rssFeed, startImports } from "@tandem/testing/import-setup";
import { engines } from "@tandem/testing/tandem";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const reason = "Advertising";

describe.each(engines)("removed imported posts on %s", (engine) => {
  let world: ImportSetup;
  beforeEach(async () => {
    world = await startImports(engine);
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const show = (name: string, title: string) =>
    world.origin.show(`/${name}.xml`, {
      body: rssFeed([{ id: name, title, author: name, link: "https://example.org/one" }]),
    });
  const feed = async (input = {}) => (await world.tandem.as.anonymous().listPosts(input)).posts;
  const nextDay = async () => {
    world.clock.now += DAY;
    await world.poll();
  };

  test("stay removed on the next import, hand over their story, and take it back when restored", async () => {
    await world.admin.addSource({ url: show("first", "Told first") });
    await world.poll();
    const second = (await world.admin.addSource({ url: show("second", "Told second") })).source;
    await world.poll();
    const [shown] = await feed();
    expect(shown).toMatchObject({ title: "Told first", storyCount: 2 });
    const id = Number(shown?.id);
    const { decision } = await world.admin.removePost({ id, reason });
    expect(decision).toMatchObject({ username: null, strike: false });
    expect(await feed()).toMatchObject([{ title: "Told second", storyCount: 1 }]);
    show("first", "Told first, and better");
    await nextDay();
    expect((await feed({ platform: "rss" })).map(({ title }) => title)).toEqual(["Told second"]);
    await world.admin.restorePost({ id });
    expect(await feed()).toMatchObject([{ id, storyCount: 2 }]);
    show("first", "Told first, and best");
    await nextDay();
    expect(await feed()).toMatchObject([{ id, title: "Told first, and best" }]);
    expect((await feed({ sourceId: second.id })).map(({ title }) => title)).toEqual(["Told second"]);
  });

  test("are deleted with their source", async () => {
    const { source } = await world.admin.addSource({ url: show("only", "Told once") });
    await world.poll();
    const [shown] = await feed();
    await world.admin.removePost({ id: Number(shown?.id), reason });
    await world.admin.removeSource({ id: source.id });
    await world.poll();
    const { posts, removed_posts, gathered } = await dump(world.tandem.storage);
    expect([posts, removed_posts, gathered]).toEqual([[], [], []]);
    expect((await world.admin.call("restorePost", { id: Number(shown?.id) })).status).toBe(404);
  });
});
