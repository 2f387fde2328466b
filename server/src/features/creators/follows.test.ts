import { limits } from "@tandem/contract/limits";
import type { Person } from "@tandem/testing/callers";
import { gather } from "@tandem/testing/gathered";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

describe.each(engines)("follows on %s", (engine) => {
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

  test("whom one follows stands on one's list, under the name that they have themselves", async () => {
    for (const author of ["ada", "ADA"]) {
      expect(await bob.follow({ platform: "native", author })).toEqual({ following: true });
    }
    await tandem.storage.write((tx) => gather(tx, { platform: "lemmy", author: "Zed" }));
    await bob.follow({ platform: "lemmy", author: "zed" });
    expect(await followed()).toEqual([
      { platform: "lemmy", author: "Zed" },
      { platform: "native", author: "Ada" },
    ]);
    expect((await ada.listFollows()).follows).toEqual([]);
  });

  test("unfollowing again changes nothing", async () => {
    await bob.follow({ platform: "native", author: "Ada" });
    for (const author of ["aDA", "Ada"]) {
      expect(await bob.unfollow({ platform: "native", author })).toEqual({ following: false });
    }
    expect(await followed()).toEqual([]);
  });

  test("an author elsewhere is followed before anything of theirs was gathered, and their posts are marked", async () => {
    await bob.follow({ platform: "mastodon", author: "New@example.social" });
    expect(await followed()).toEqual([{ platform: "mastodon", author: "New@example.social" }]);
    const author = "new@Example.social";
    const id = await tandem.storage.write((tx) =>
      gather(tx, { platform: "mastodon", author, title: "First" }),
    );
    const [post] = (await bob.listPosts({ followed: 1 })).posts;
    expect(post).toMatchObject({ id, followedCreator: true });
    expect((await ada.readPost({ id })).post.followedCreator).toBe(false);
    expect(await bob.unfollow({ platform: "mastodon", author: "nobody.known" })).toEqual({
      following: false,
    });
  });

  test("nobody here by that name: 404; oneself: 400", async () => {
    for (const name of ["follow", "unfollow"] as const) {
      expect(await bob.call(name, { platform: "native", author: "nobody" })).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
    }
    expect(await bob.call("follow", { platform: "native", author: "bOB" })).toMatchObject({
      status: 400,
      body: { code: "invalid_input", field: "author" },
    });
    expect(await followed()).toEqual([]);
  });

  test.each([
    ["platform", { author: "Ada" }],
    ["platform", { platform: "myspace", author: "Ada" }],
    ["author", { platform: "native" }],
    ["author", { platform: "native", author: " " }],
    ["author", { platform: "rss", author: "x".repeat(201) }],
  ])("a bad %s is refused: %j", async (field, input) => {
    const { status, body } = await bob.call("follow", input);
    expect({ status, field: body.field }).toEqual({ status: 400, field });
  });

  test("an agent and its operator are two", async () => {
    const agent = await tandem.as.agent(ada, "robot");
    expect(await ada.follow({ platform: "native", author: "robot" })).toEqual({ following: true });
    expect(await agent.follow({ platform: "native", author: "Ada" })).toEqual({ following: true });
    expect((await agent.listFollows()).follows).toEqual([{ platform: "native", author: "Ada" }]);
  });

  test("a very long list goes on at a cursor", async () => {
    await tandem.storage.write(async (tx) => {
      for (let i = 0; i <= limits.longList; i++) {
        const creator = { platform: "rss" as const, author: `paper${i}`, author_key: `paper${i}` };
        const { id } = await tx
          .insertInto("creators")
          .values({
            ...creator,
            user_id: null,
            post_count: 0,
            view_count: 0,
            like_count: 0,
            comment_count: 0,
            click_count: 0,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        await tx.insertInto("follows").values({ user_id: bob.user.id, creator_id: id }).execute();
      }
    });
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
});
