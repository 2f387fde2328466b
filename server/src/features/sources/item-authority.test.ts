import { DAY } from "@tandem/contract/durations";
import { type ImportSetup, startImports } from "@tandem/testing/import-setup";
import { Origin } from "@tandem/testing/origin";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const LIST = "/api/v3/post/list?sort=New&limit=50&type_=Local";

interface ShownPost {
  id: string;
  name?: string;
  votes?: number;
  removed?: boolean;
  avatar?: string;
  bot?: boolean;
}

describe("an update from a federated server,", () => {
  let world: ImportSetup;
  let home: Origin;
  let other: Origin;
  beforeEach(async () => {
    world = await startImports("sqlite");
    home = await lemmyServer();
    other = await lemmyServer();
  });
  afterEach(async () => {
    for (const resource of [world, home, other]) await resource[Symbol.asyncDispose]();
  });

  async function lemmyServer(): Promise<Origin> {
    const server = await Origin.start();
    server.show("/.well-known/nodeinfo", {
      body: JSON.stringify({ links: [{ href: `${server.url}/nodeinfo/2.0` }] }),
    });
    server.show("/nodeinfo/2.0", { body: JSON.stringify({ software: { name: "lemmy" } }) });
    return server;
  }

  /** Makes a server show posts whose home server is `home`, the latest first. */
  const show = (server: Origin, shown: ShownPost[]) =>
    server.show(LIST, {
      body: JSON.stringify({
        posts: shown.map(({ id, name = `On ${id}`, votes = 1, removed = false, avatar, bot = false }) => ({
          post: {
            ap_id: `${home.url}/post/${id}`,
            name,
            removed,
            published: new Date(Date.UTC(2026, 4, 30) + id.charCodeAt(0)).toISOString(),
          },
          creator: { name: "ada", actor_id: `${home.url}/u/ada`, avatar, bot_account: bot },
          community: { name: "looms" },
          counts: { score: votes },
        })),
      }),
    });
  const add = async (server: Origin) => (await world.admin.addSource({ url: `${server.url}/` })).source;
  const posts = async (input = {}) => (await world.tandem.as.anonymous().listPosts(input)).posts;
  const nextDay = async () => {
    world.clock.now += DAY;
    await world.poll();
  };
  const three: ShownPost[] = [{ id: "c" }, { id: "b" }, { id: "a" }];
  const forged: ShownPost[] = [
    { id: "c", name: "Forged", votes: -900, avatar: "https://evil.example/a.png" },
    { id: "b", removed: true },
    { id: "a" },
  ];

  test("is ignored for known items of another server", async () => {
    show(home, three);
    await add(home);
    await world.poll();
    const before = await posts();
    show(other, forged);
    await add(other);
    await nextDay();
    await nextDay();
    expect(before).toHaveLength(3);
    expect(await posts()).toEqual(before);
  });

  test("is accepted from the importing source while the home server isn't a source", async () => {
    show(other, three);
    await add(other);
    await world.poll();
    show(other, forged);
    await nextDay();
    const found = await posts();
    expect(found.map(({ title }) => title)).toEqual(["Forged", "On a"]);
    expect(found[0]).toMatchObject({ score: -900, authorAvatarUrl: "https://evil.example/a.png" });
  });

  test("can add an AI mark but not remove one, except by the home server that takes the item over", async () => {
    const labels = async () =>
      (await posts()).map(({ title, provenance, provenanceBasis }) => [title, provenance, provenanceBasis]);
    const [ai, unknown] = [
      ["ai_generated", "origin"],
      ["human", "assumed"],
    ];
    show(other, [{ id: "b" }, { id: "a", bot: true }]);
    await add(other);
    await world.poll();
    expect(await labels()).toEqual([
      ["On b", ...unknown],
      ["On a", ...ai],
    ]);
    show(other, [{ id: "b", bot: true }, { id: "a" }]);
    await nextDay();
    expect(await labels()).toEqual([
      ["On b", ...ai],
      ["On a", ...ai],
    ]);
    show(home, [{ id: "b" }, { id: "a", bot: true }]);
    await add(home);
    await nextDay();
    expect(await labels()).toEqual([
      ["On b", ...unknown],
      ["On a", ...ai],
    ]);
    show(home, [{ id: "b" }, { id: "a" }]);
    await nextDay();
    expect((await labels())[1]).toEqual(["On a", ...ai]);
  });

  test("is permanently ignored once the item's home server has taken it over", async () => {
    show(other, forged);
    const first = await add(other);
    await world.poll();
    show(home, three);
    const own = await add(home);
    await nextDay();
    const updated = await posts({ q: "on" });
    expect(updated.map(({ title, score }) => [title, score]).sort()).toEqual([
      ["On a", 1],
      ["On b", 1],
      ["On c", 1],
    ]);
    await nextDay();
    show(other, [
      { id: "c", removed: true },
      { id: "a", name: "Forged again" },
    ]);
    for (let i = 0; i < 3; i++) await nextDay();
    expect(await posts({ q: "on" })).toEqual(updated);
    // The posts stay with the importing source and are removed with it. Then the home server imports them again.
    expect(await posts({ sourceId: first.id })).toHaveLength(2);
    await world.admin.removeSource({ id: first.id });
    await world.poll();
    await nextDay();
    expect(await posts({ sourceId: own.id })).toHaveLength(3);
  });

  test("is accepted from the importing source again once the home server is removed", async () => {
    show(other, three);
    await add(other);
    await world.poll();
    show(home, three);
    const { id } = await add(home);
    await nextDay();
    await world.admin.removeSource({ id });
    await nextDay();
    show(other, [{ id: "c", name: "Updated" }, { id: "b" }, { id: "a" }]);
    await nextDay();
    expect((await posts()).map(({ title }) => title)).toEqual(["Updated", "On b", "On a"]);
  });

  test("withdraws an item only if its home server leaves it out", async () => {
    show(other, three);
    await add(other);
    show(home, three);
    await add(home);
    await world.poll();
    await nextDay();
    show(other, [{ id: "c" }, { id: "a" }]);
    for (let i = 0; i < 3; i++) await nextDay();
    expect(await posts()).toHaveLength(3);
    show(home, [{ id: "c" }, { id: "a" }]);
    for (let i = 0; i < 3; i++) await nextDay();
    expect((await posts()).map(({ title }) => title)).toEqual(["On c", "On a"]);
  });
});
