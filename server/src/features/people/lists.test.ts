import { limits } from "@tandem/contract/limits";
import type { Person } from "@tandem/testing/callers";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

describe.each(engines)("lists on %s", (engine) => {
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
  const native = (who: Person) => ({ platform: "native", author: who.user.username }) as const;
  const elsewhere = { platform: "mastodon", author: "Weaver@example.social" } as const;
  const create = async (name = "Weavers") => (await ada.createList({ name })).list;

  test("are created, renamed and deleted, and sorted by name", async () => {
    const list = await create("  Weavers   and spinners ");
    expect(list).toEqual({
      id: list.id,
      name: "Weavers and spinners",
      includes: null,
      createdAt: list.createdAt,
    });
    await create("artists");
    const names = async () => (await ada.listLists()).lists.map(({ name }) => name);
    expect(await names()).toEqual(["artists", "Weavers and spinners"]);
    expect((await ada.renameList({ id: list.id, name: "Wool" })).list).toEqual({ ...list, name: "Wool" });
    expect(await ada.deleteList({ id: list.id })).toEqual({ deleted: true });
    expect(await names()).toEqual(["artists"]);
    const blank = await ada.call("createList", { name: " " });
    expect([blank.status, blank.body.code, blank.body.field]).toEqual([400, "invalid_input", "name"]);
  });

  test("have creators of any platform, who needn't be followed", async () => {
    const { id } = await create();
    for (const who of [native(bob), elsewhere, elsewhere, native(ada)])
      expect(await ada.addToList({ id, ...who })).toEqual({ included: true });
    const page = await ada.readList({ id });
    const members = page.members.map(({ platform, author, isAgent }) => [platform, author, isAgent]);
    expect(members.toSorted()).toEqual(
      [elsewhere, native(bob), native(ada)]
        .map(({ platform, author }) => [platform, author, false])
        .toSorted(),
    );
    expect((await ada.listLists(native(bob))).lists).toMatchObject([{ id, includes: true }]);
    expect(await ada.removeFromList({ id, ...native(bob) })).toEqual({ included: false });
    expect((await ada.listLists(native(bob))).lists).toMatchObject([{ id, includes: false }]);
    expect((await ada.listLists({ platform: "lemmy", author: "unknown" })).lists).toMatchObject([
      { id, includes: false },
    ]);
    const nobody = await ada.call("addToList", { id, platform: "native", author: "missing_account" });
    expect([nobody.status, nobody.body.code]).toEqual([404, "not_found"]);
    expect((await ada.listLists({ author: ada.user.username })).lists).toMatchObject([
      { id, includes: true },
    ]);
  });

  test("select the posts of a feed, without those that are muted, blocked or hidden", async () => {
    const { id } = await create();
    const cleo = await tandem.as.human();
    const agent = await tandem.as.agent(cleo);
    const titles = async (more = {}) =>
      (await ada.listPosts({ listId: id, ...more })).posts.map(({ title }) => title);
    expect(await titles()).toEqual([]);
    for (const who of [bob, cleo]) await who.createPost({ title: `By ${who.user.username}` });
    await agent.createPost({ title: "By an agent" });
    await tandem.storage.write((tx) => insertImportedPost(tx, { ...elsewhere, title: "From elsewhere" }));
    await ada.addToList({ id, ...native(bob) });
    await ada.addToList({ id, ...elsewhere });
    await ada.addToList({ id, platform: "native", author: agent.agent.username });
    const byBob = `By ${bob.user.username}`;
    expect(await titles()).toEqual(["From elsewhere", "By an agent", byBob]);
    expect((await titles({ sort: "hot" })).toSorted()).toEqual(
      ["By an agent", byBob, "From elsewhere"].toSorted(),
    );
    expect(await titles({ q: "agent" })).toEqual(["By an agent"]);
    expect(await titles({ followed: 1 })).toEqual([]);
    await ada.editPreferences({ aiPosts: "hide" });
    expect(await titles()).toEqual(["From elsewhere", byBob]);
    await ada.mute(elsewhere);
    expect(await titles()).toEqual([byBob]);
    await bob.block({ username: ada.user.username });
    expect(await titles()).toEqual([]);
  });

  test("belong to their account alone", async () => {
    const { id } = await create();
    const theirs = await bob.call("listPosts", { listId: id });
    expect([theirs.status, theirs.body.code]).toEqual([404, "not_found"]);
    for (const [name, input] of [
      ["readList", { id }],
      ["renameList", { id, name: "Mine" }],
      ["deleteList", { id }],
      ["addToList", { id, ...elsewhere }],
      ["removeFromList", { id, ...elsewhere }],
    ] as const)
      expect((await bob.call(name, input)).status, name).toBe(404);
    expect((await tandem.as.anonymous().call("listPosts", { listId: id })).status).toBe(401);
    const refused = await (await tandem.as.key([], ada)).call("listPosts", { listId: id });
    expect([refused.status, refused.body.code]).toEqual([403, "insufficient_scope"]);
    const key = await tandem.as.key(["engagement:write"], ada);
    expect((await key.call("listPosts", { listId: id })).status).toBe(200);
    const agent = await tandem.as.agent(ada);
    expect((await agent.listLists()).lists).toEqual([]);
    expect((await bob.listNotifications()).notifications).toEqual([]);
  });

  test("have room for a limited number of creators, and accounts for a limited number of lists", async () => {
    const { id } = await create();
    const rest = Array.from({ length: limits.listsPerAccount - 1 }, (_, i) => create(`List ${i}`));
    await Promise.all(rest);
    const more = await ada.call("createList", { name: "One more" });
    expect([more.status, more.body.field]).toEqual([400, "name"]);
    await ada.addToList({ id, ...elsewhere });
    await tandem.storage.write(async (tx) => {
      const creators = await tx
        .insertInto("creators")
        .values(
          Array.from({ length: limits.listMembers - 1 }, (_, i) => {
            const author = `${bob.user.username}-${i}`;
            const counts = { click_count: 0, comment_count: 0, like_count: 0, post_count: 0, view_count: 0 };
            return { platform: "rss" as const, author, author_key: author, ...counts };
          }),
        )
        .returning("id")
        .execute();
      await tx
        .insertInto("list_members")
        .values(creators.map((creator) => ({ list_id: id, creator_id: creator.id, user_id: ada.user.id })))
        .execute();
    });
    const full = await ada.call("addToList", { id, ...native(bob) });
    expect([full.status, full.body.field]).toEqual([400, "author"]);
    expect(await ada.addToList({ id, ...elsewhere })).toEqual({ included: true });
    expect((await ada.readList({ id })).members).toHaveLength(limits.listMembers);
  });

  test("keep an author whom nobody else knows, and forget them with the list or the account", async () => {
    const unknown = async () =>
      tandem.storage.read
        .selectFrom("creators")
        .select("author")
        .where("author", "like", `${ada.user.username}-%`)
        .execute();
    const author = (n: number) => ({ platform: "rss", author: `${ada.user.username}-${n}` }) as const;
    const [first, second] = [await create(), await create()];
    for (const { id } of [first, second]) await ada.addToList({ id, ...author(1) });
    await ada.addToList({ id: first.id, ...author(2) });
    expect((await bob.call("readCreator", author(1))).status).toBe(404);
    expect((await ada.readCreator(author(1))).creator).toMatchObject({ ...author(1), postCount: 0 });
    await ada.removeFromList({ id: first.id, ...author(2) });
    await ada.deleteList({ id: first.id });
    expect(await unknown()).toHaveLength(1);
    const bobs = (await bob.createList({ name: "Theirs" })).list;
    await bob.addToList({ id: bobs.id, ...native(ada) });
    await ada.deleteAccount({ password: ada.password });
    expect(await unknown()).toEqual([]);
    expect((await bob.readList({ id: bobs.id })).members).toEqual([]);
  });
});
