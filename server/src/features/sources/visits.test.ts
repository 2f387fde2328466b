import { limits } from "@tandem/contract/limits";
import { type Article, type ImportSetup, rssFeed, startImports } from "@tandem/testing/import-setup";
import { engines } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe.each(engines)("a source's visits on %s", (engine) => {
  let world: ImportSetup;
  beforeAll(async () => {
    world = await startImports(engine);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const show = (path: string, articles: readonly Article[], headers: Record<string, string> = {}) =>
    world.origin.show(path, { headers, body: rssFeed(articles) });
  const add = async (url: string) => (await world.admin.addSource({ url })).source.id;
  const visitsOf = async (id: number) => (await world.admin.readSource({ id })).visits;
  const visit = async (id: number) => {
    world.clock.now += 1000;
    await world.admin.pollSource({ id });
    await world.poll();
  };

  test("tell what came, and that nothing came", async () => {
    const id = await add(show("/a.xml", [{ id: "a1" }, { id: "a2" }], { etag: '"one"' }));
    expect(await visitsOf(id)).toEqual([]);
    await visit(id);
    await visit(id);
    show("/a.xml", [{ id: "a1", title: "Another title" }, { id: "a2" }, { id: "a3" }]);
    await visit(id);
    world.origin.show("/a.xml", { status: 500, body: "" });
    await visit(id);
    const none = { seen: 0, added: 0, changed: 0, withdrawn: 0, skipped: [], examples: [], bytes: 0 };
    const visits = await visitsOf(id);
    expect(visits).toMatchObject([
      { ...none, number: 4, outcome: "failed", error: expect.stringContaining("status 500"), requests: 1 },
      { number: 3, outcome: "imported", seen: 3, added: 1, changed: 1, withdrawn: 0, error: null },
      { ...none, number: 2, outcome: "unchanged", error: null, requests: 1 },
      { number: 1, outcome: "imported", seen: 2, added: 2, changed: 0, requests: 1 },
    ]);
    expect(visits[0]?.startedAt).toBe(new Date(world.clock.now).toISOString());
    expect(visits[3]?.bytes).toBe(Buffer.byteLength(rssFeed([{ id: "a1" }, { id: "a2" }])));
  });

  test("name the items that another source has imported, or that were removed here", async () => {
    const [shared, own] = [
      { id: "b1", title: "Shared" },
      { id: "b2", title: "Removed" },
    ];
    await add(show("/b.xml", [shared]));
    await world.poll();
    const elsewhere = { ...shared, author: "Bea" };
    const id = await add(show("/c.xml", [elsewhere, own]));
    await world.poll();
    // What only differs between the feeds, here the author, isn't a change.
    expect((await visitsOf(id))[0]).toMatchObject({ outcome: "imported", added: 1, changed: 0 });
    const [post] = (await world.tandem.as.anonymous().listPosts({ sourceId: id })).posts;
    await world.admin.removePost({ id: Number(post?.id), reason: "Advertising." });
    show("/c.xml", [elsewhere, own], { etag: '"two"' });
    await visit(id);
    expect((await visitsOf(id))[0]).toMatchObject({
      outcome: "unchanged",
      skipped: [
        { reason: "other_source", count: 1 },
        { reason: "removed_here", count: 1 },
      ],
      examples: [
        { reason: "other_source", title: "Shared", url: "https://example.org/b1" },
        { reason: "removed_here", title: null, url: "https://example.org/b2" },
      ],
    });
  });

  test("are kept up to a limit, and deleted with the source", async () => {
    const id = await add(show("/d.xml", [{ id: "d1" }]));
    for (let i = 0; i < limits.visitsKept + 2; i++) await visit(id);
    const numbers = (await visitsOf(id)).map(({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: limits.visitsKept }, (_, i) => limits.visitsKept + 2 - i));
    const stored = () =>
      world.tandem.storage.read.selectFrom("source_visits").selectAll().where("source_id", "=", id).execute();
    expect(await stored()).toHaveLength(limits.visitsKept);
    await world.admin.removeSource({ id });
    await world.poll();
    expect(await stored()).toEqual([]);
    expect((await world.admin.call("readSource", { id })).status).toBe(404);
  });
});
