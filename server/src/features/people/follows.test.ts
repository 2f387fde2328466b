import { limits } from "@tandem/contract/limits";
import type { Person } from "@tandem/testing/callers";
import { insertCreators, insertImportedPost } from "@tandem/testing/imported-posts";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { insertRows } from "../../storage/bulk.ts";

describe.each(engines)("follows on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;

  beforeAll(async () => {
    tandem = await startTandem(engine);
    [ada, bob] = await Promise.all([tandem.as.human("Ada"), tandem.as.human("Bob")]);
  });
  beforeEach(() => tandem.storage.write((tx) => tx.deleteFrom("follows").execute()));
  afterAll(() => tandem.stop());

  const followed = async () => (await bob.listFollows()).follows;

  test("lists followed creators under their own spelling", async () => {
    for (const author of ["ada", "ADA"]) {
      expect(await bob.follow({ platform: "native", author })).toEqual({ following: true });
    }
    await tandem.storage.write((tx) => insertImportedPost(tx, { platform: "lemmy", author: "Zed" }));
    await bob.follow({ platform: "lemmy", author: "zed" });
    expect(await followed()).toEqual([
      { platform: "lemmy", author: "Zed", operator: null },
      { platform: "native", author: "Ada", operator: null },
    ]);
    expect((await ada.listFollows()).follows).toEqual([]);
  });

  once("makes a repeated unfollow a no-op", async () => {
    await bob.follow({ platform: "native", author: "Ada" });
    for (const author of ["aDA", "Ada"]) {
      expect(await bob.unfollow({ platform: "native", author })).toEqual({ following: false });
    }
    expect(await followed()).toEqual([]);
  });

  test("follows an author before any post is imported, and then marks their posts", async () => {
    await bob.follow({ platform: "mastodon", author: "New@example.social" });
    expect(await followed()).toMatchObject([{ platform: "mastodon", author: "New@example.social" }]);
    const author = "new@Example.social";
    const id = await tandem.storage.write((tx) =>
      insertImportedPost(tx, { platform: "mastodon", author, title: "First" }),
    );
    const [post] = (await bob.listPosts({ followed: 1 })).posts;
    expect(post).toMatchObject({ id, followedCreator: true });
    expect((await ada.readPost({ id })).post.followedCreator).toBe(false);
    expect(await bob.unfollow({ platform: "mastodon", author: "nobody.known" })).toEqual({
      following: false,
    });
  });

  test("takes the platform's spelling of an author once it is known", async () => {
    const platform = "mastodon" as const;
    await bob.follow({ platform, author: "LOUD@EXAMPLE.SOCIAL" });
    for (const author of ["Loud@example.social", "loud@example.social"]) {
      await tandem.storage.write((tx) => insertImportedPost(tx, { platform, author }));
      expect(await followed()).toMatchObject([{ platform, author: "Loud@example.social" }]);
      const { creators } = await ada.searchCreators({ q: "loud@example" });
      expect(creators).toMatchObject([{ platform, author: "Loud@example.social" }]);
    }
  });

  test("deletes creators without followers and posts", async () => {
    const names = async () => {
      const query = tandem.storage.read.selectFrom("creators").select("author").where("platform", "=", "rss");
      return (await query.orderBy("id").execute()).map((row) => row.author);
    };
    const before = await names();
    await tandem.storage.write((tx) => insertImportedPost(tx, { platform: "rss", author: "The Daily" }));
    const agent = await tandem.as.agent(ada);
    for (const author of ["Nobody's Weekly", "The Daily"]) {
      for (const caller of [ada, bob, agent]) await caller.follow({ platform: "rss", author });
      await ada.unfollow({ platform: "rss", author });
      await bob.unfollow({ platform: "rss", author });
    }
    expect(await names()).toEqual([...before, "The Daily", "Nobody's Weekly"]);
    await ada.deleteAgent({ id: agent.agent.id });
    expect(await names()).toEqual([...before, "The Daily"]);
    await bob.unfollow({ platform: "rss", author: "The Daily" });
    expect(await names()).toEqual([...before, "The Daily"]);
  });

  once("returns 404 for an unknown creator and 400 for the caller's own", async () => {
    for (const name of ["follow", "unfollow"] as const) {
      expect(await bob.call(name, { platform: "native", author: "nobody" })).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
    }
    for (const name of ["follow", "unfollow"] as const) {
      expect(await bob.call(name, { platform: "native", author: "bOB" })).toMatchObject({
        status: 400,
        body: { code: "invalid_input", field: "author" },
      });
    }
    expect(await followed()).toEqual([]);
  });

  if (runsOnceTests(engine))
    test.each([
      ["platform", { author: "Ada" }],
      ["platform", { platform: "myspace", author: "Ada" }],
      ["author", { platform: "native" }],
      ["author", { platform: "native", author: " " }],
      ["author", { platform: "rss", author: " Ada" }],
      ["author", { platform: "rss", author: "Ada\u00a0" }],
      ["author", { platform: "rss", author: "Ada\nBob" }],
      ["author", { platform: "rss", author: "x".repeat(201) }],
    ])("rejects a bad %s: %j", async (field, input) => {
      const { status, body } = await bob.call("follow", input);
      expect({ status, field: body.field }).toEqual({ status: 400, field });
    });

  once("treats an agent and its operator as two accounts", async () => {
    const agent = await tandem.as.agent(ada, "robot");
    expect(await ada.follow({ platform: "native", author: "robot" })).toEqual({ following: true });
    expect(await agent.follow({ platform: "native", author: "Ada" })).toEqual({ following: true });
    expect((await agent.listFollows()).follows).toMatchObject([{ author: "Ada", operator: null }]);
    const operator = { username: "Ada", displayName: null };
    expect((await ada.listFollows()).follows).toEqual([{ platform: "native", author: "robot", operator }]);
  });

  /** Makes Bob follow this many authors that no one else follows. */
  const followMany = (count: number) =>
    tandem.storage.write(async (tx) => {
      const authors = Array.from({ length: count }, (_, i) => `paper${i}`);
      const ids = await insertCreators(tx, "rss", authors);
      const rows = ids.map((creator_id) => ({ user_id: bob.user.id, creator_id }));
      await insertRows(tx, "follows", rows);
    });

  test("paginates a very long list", async () => {
    await followMany(limits.longList + 1);
    const first = await bob.listFollows();
    const second = await bob.listFollows({ cursor: Number(first.nextCursor) });
    expect([first.follows.length, second.follows.length, second.nextCursor]).toEqual([
      limits.longList,
      1,
      null,
    ]);
    const names = [...first.follows, ...second.follows].map((one) => one.author);
    expect(new Set(names).size).toBe(limits.longList + 1);
  });

  once("limits follows per account", async () => {
    await followMany(limits.followsPerAccount);
    const refused = { status: 400, body: { code: "invalid_input", field: "author" } };
    expect(await bob.call("follow", { platform: "native", author: "Ada" })).toMatchObject(refused);
    expect(await bob.call("follow", { platform: "rss", author: "one more" })).toMatchObject(refused);
    expect(await bob.follow({ platform: "rss", author: "paper7" })).toEqual({ following: true });
    await bob.unfollow({ platform: "rss", author: "paper7" });
    expect(await bob.follow({ platform: "native", author: "Ada" })).toEqual({ following: true });
  });
});
