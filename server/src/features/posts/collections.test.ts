import { limits } from "@tandem/contract/limits";
import type { Person } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

describe.each(engines)("collections on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  beforeAll(async () => {
    tandem = await startTandem(engine);
  });
  beforeEach(async () => {
    [ada, bob] = await Promise.all([tandem.as.human(), tandem.as.human()]);
  });
  afterAll(() => tandem.stop());
  const create = async (name = "To weave") => (await ada.createCollection({ name })).collection;
  const publish = async (title: string, by = bob) => (await by.createPost({ title })).post.id;
  const count = async (id: number) => (await ada.readCollection({ id })).collection.postCount;
  const titles = async (collectionId: number, more = {}) =>
    (await ada.listPosts({ collectionId, ...more })).posts.map(({ title }) => title);

  test("are created, renamed and deleted, and sorted by name; their posts stay saved", async () => {
    const made = await create("  To   weave ");
    expect(made).toEqual({
      ...{ id: made.id, name: "To weave", postCount: 0, includes: null },
      createdAt: made.createdAt,
    });
    await create("recipes");
    const names = async () => (await ada.listCollections()).collections.map(({ name }) => name);
    expect(await names()).toEqual(["recipes", "To weave"]);
    const renamed = (await ada.renameCollection({ id: made.id, name: "Wool" })).collection;
    expect(renamed).toEqual({ ...made, name: "Wool" });
    const postId = await publish("Plain weave");
    await ada.addToCollection({ id: made.id, postId });
    expect(await ada.deleteCollection({ id: made.id })).toEqual({ deleted: true });
    expect(await names()).toEqual(["recipes"]);
    expect((await ada.readPost({ id: postId })).post.saved).toBe(true);
    const blank = await ada.call("createCollection", { name: " " });
    expect([blank.status, blank.body.code, blank.body.field]).toEqual([400, "invalid_input", "name"]);
  });

  test("have posts, which are saved, the last added first, page by page", async () => {
    const { id } = await create();
    const posts: number[] = [];
    for (const title of ["One", "Two", "Three", "Four"]) posts.push(await publish(title));
    const [one, two, three, four] = posts as [number, number, number, number];
    for (const postId of [three, one, four, two, one])
      expect(await ada.addToCollection({ id, postId })).toEqual({ included: true });
    expect(await count(id)).toBe(4);
    expect((await ada.readPost({ id: one })).post.saved).toBe(true);
    expect((await ada.listCollections({ postId: one })).collections).toMatchObject([{ id, includes: true }]);

    const first = await ada.listPosts({ collectionId: id, limit: 3 });
    expect(first.posts.map((post) => post.id)).toEqual([two, four, one]);
    await ada.removeFromCollection({ id, postId: one });
    const rest = await ada.listPosts({ collectionId: id, limit: 3, cursor: Number(first.nextCursor) });
    expect([rest.posts.map((post) => post.id), rest.nextCursor]).toEqual([[three], null]);
    expect(await ada.removeFromCollection({ id, postId: one })).toEqual({ included: false });
    expect((await ada.readPost({ id: one })).post.saved).toBe(true);
    expect((await ada.listCollections({ postId: one })).collections).toMatchObject([{ id, includes: false }]);
    expect(await titles(id, { q: "t" })).toEqual(["Three", "Two"]);
    expect(await titles(id, { sort: "hot" })).toEqual(["Four", "Three", "Two"]);
  });

  once("lose a post that is unsaved or deleted", async () => {
    const [both, other] = [await create("A"), await create("B")];
    const [unsaved, deleted, kept] = [
      await publish("Unsaved"),
      await publish("Deleted"),
      await publish("Kept"),
    ];
    for (const postId of [unsaved, deleted, kept]) await ada.addToCollection({ id: both.id, postId });
    for (const postId of [unsaved, deleted]) await ada.addToCollection({ id: other.id, postId });
    await ada.unsavePost({ id: unsaved });
    await bob.deletePost({ id: deleted });
    expect([await count(both.id), await count(other.id)]).toEqual([1, 0]);
    expect(await titles(both.id)).toEqual(["Kept"]);
    const gone = await ada.call("addToCollection", { id: both.id, postId: deleted });
    expect([gone.status, gone.body.code]).toEqual([404, "not_found"]);
  });

  test("show chosen posts like saved ones: whatever the preferences are, except for blocks", async () => {
    const { id } = await create();
    const agent = await tandem.as.agent(bob);
    const { post } = await agent.createPost({ title: "By an agent" });
    for (const postId of [post.id, await publish("By bob")]) await ada.addToCollection({ id, postId });
    await ada.editPreferences({ aiPosts: "hide" });
    await ada.mute({ platform: "native", author: bob.user.username });
    expect(await titles(id)).toEqual(["By bob", "By an agent"]);
    await bob.block({ username: ada.user.username });
    expect(await titles(id)).not.toContain("By bob");
  });

  once("belong to their account alone", async () => {
    const { id } = await create();
    const postId = await publish("Plain weave");
    for (const [name, input] of [
      ["listPosts", { collectionId: id }],
      ["readCollection", { id }],
      ["renameCollection", { id, name: "Mine" }],
      ["deleteCollection", { id }],
      ["addToCollection", { id, postId }],
      ["removeFromCollection", { id, postId }],
    ] as const) {
      const theirs = await bob.call(name, input);
      expect([theirs.status, theirs.body.code], name).toEqual([404, "not_found"]);
    }
    expect((await bob.readPost({ id: postId })).post.saved).toBe(false);
    expect((await tandem.as.anonymous().call("listPosts", { collectionId: id })).status).toBe(401);
    const refused = await (await tandem.as.key([], ada)).call("listPosts", { collectionId: id });
    expect([refused.status, refused.body.code]).toEqual([403, "insufficient_scope"]);
    const key = await tandem.as.key(["engagement:write"], ada);
    expect((await key.call("listPosts", { collectionId: id })).status).toBe(200);
    expect((await (await tandem.as.agent(ada)).listCollections()).collections).toEqual([]);
    expect((await bob.listNotifications()).notifications).toEqual([]);
  });

  test("have room for a limited number of posts, and accounts for a limited number of collections", async () => {
    const { id } = await create();
    await Promise.all(Array.from({ length: limits.collectionsPerAccount - 1 }, (_, i) => create(`No. ${i}`)));
    const more = await ada.call("createCollection", { name: "One more" });
    expect([more.status, more.body.code, more.body.field]).toEqual([400, "invalid_input", "name"]);
    const [there, postId] = [await publish("There"), await publish("Too many")];
    await ada.addToCollection({ id, postId: there });
    await tandem.storage.write((tx) =>
      tx
        .updateTable("collections")
        .set({ post_count: limits.collectionPosts })
        .where("id", "=", id)
        .execute(),
    );
    const full = await ada.call("addToCollection", { id, postId });
    expect([full.status, full.body.code, full.body.field]).toEqual([400, "invalid_input", "postId"]);
    expect((await ada.readPost({ id: postId })).post.saved).toBe(false);
    expect(await ada.addToCollection({ id, postId: there })).toEqual({ included: true });
  });

  test("are counted right, whatever happens at the same time", async () => {
    const [kept, doomed] = [await create("Kept"), await create("Doomed")];
    const posts = await Promise.all(Array.from({ length: 6 }, (_, i) => publish(`Post ${i}`, ada)));
    const call = async (...[name, input]: Parameters<Person["call"]>) => (await ada.call(name, input)).status;
    const statuses = await Promise.all(
      posts.flatMap((id, i) => [
        ...[kept, kept, doomed].map((into) => call("addToCollection", { id: into.id, postId: id })),
        i % 3 === 0 && call("unsavePost", { id }),
        i % 3 === 1 && call("deletePost", { id }),
        i === 4 && call("deleteCollection", { id: doomed.id }),
        i % 3 === 2 && call("removeFromCollection", { id: kept.id, postId: id }),
      ]),
    );
    expect(statuses.filter((status) => status && ![200, 404].includes(status))).toEqual([]);
    expect(await count(kept.id)).toBe((await titles(kept.id)).length);
    const saved = (await ada.listPosts({ saved: 1 })).posts.map(({ id }) => id);
    const { posts: there } = await ada.listPosts({ collectionId: kept.id });
    expect(saved).toEqual(expect.arrayContaining(there.map(({ id }) => id)));
    expect(await call("readCollection", { id: doomed.id })).toBe(404);
  });
});
