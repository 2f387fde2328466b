import { HOUR, MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { Caller, Person } from "@tandem/testing/callers";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { counterRules } from "../../cli/check/counters.ts";
import { checkRule } from "../../cli/check/run-rule.ts";
import { removeAccount } from "../account-deletion/remove-account.ts";
import { endMutes } from "./mutes.ts";

describe.each(engines)("mutes on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  let eve: Person;
  let elapsed = 0;
  beforeAll(async () => {
    tandem = await startTandem(engine, { now: () => Date.now() + elapsed });
    [ada, bob, eve] = await Promise.all([
      tandem.as.human("ada"),
      tandem.as.human("bob"),
      tandem.as.human("eve"),
    ]);
  });
  beforeEach(() =>
    tandem.storage.write(async (tx) => {
      await tx.deleteFrom("mutes").execute();
      await tx.updateTable("users").set({ mutes_change_at: null }).execute();
    }),
  );
  afterAll(() => tandem.stop());

  const native = (author: string) => ({ platform: "native" as const, author });
  const postBy = async (caller: Caller, title = "Mine", body?: string) =>
    (await caller.createPost({ title, ...(body !== undefined && { body }) })).post.id;
  const ids = async (caller: Caller, query: object = {}) => {
    const found = [];
    for await (const { id } of caller.pages.listPosts({ limit: 50, ...query })) found.push(id);
    return found;
  };
  const status = async (promise: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await promise;
    const { code, field } = body as { code?: string; field?: string };
    return [status, code, field].filter((part) => part !== undefined).join(" ");
  };

  test("a muted account's posts leave feeds and searches, but not its profile, its posts' pages or lists of chosen posts", async () => {
    const [his, theirs] = [await postBy(bob), await postBy(eve)];
    await ada.follow(native("bob"));
    await ada.savePost({ id: his });
    await ada.likePost({ id: his });
    await ada.mute(native("BOB"));
    for (const query of [
      {},
      { sort: "hot" },
      { q: "mine" },
      { q: "mine", sort: "hot" },
      { platform: "native" },
      { followed: 1 },
      { since: "2020-01-01" },
    ]) {
      const found = await ids(ada, query);
      expect([query, found.includes(his), found.includes(theirs)]).toEqual([
        query,
        false,
        !("followed" in query),
      ]);
    }
    for (const query of [{ author: "bob" }, { saved: 1 }, { liked: 1 }])
      expect([query, await ids(ada, query)]).toEqual([query, expect.arrayContaining([his])]);
    expect((await ada.readPost({ id: his })).post.id).toBe(his);
    expect((await ada.readCreator(native("bob"))).creator.muted).toBe(true);
    for (const reader of [bob, eve, tandem.as.anonymous()]) expect(await ids(reader)).toContain(his);
    expect((await bob.readCreator(native("ada"))).creator.muted).toBe(false);
    expect(await ada.unmute(native("bob"))).toEqual({ muted: false });
    expect(await ids(ada)).toContain(his);
  });

  once("covers a person's agents, also later ones; an agent's mute covers that agent alone", async () => {
    await ada.mute(native("bob"));
    const robot = await tandem.as.agent(bob, `robot_${engine}`);
    const [its, his] = [await postBy(robot), await postBy(bob)];
    expect(await ids(ada)).not.toContain(its);
    await ada.unmute(native("bob"));
    await ada.mute(native(`robot_${engine}`));
    const found = await ids(ada);
    expect([found.includes(its), found.includes(his)]).toEqual([false, true]);
  });

  once("agents mute by key, and a mute of their operator doesn't hide their own posts", async () => {
    const robot = await tandem.as.agent(eve);
    const [own, hers] = [await postBy(robot), await postBy(eve)];
    await robot.mute(native("eve"));
    const found = await ids(robot);
    expect([found.includes(own), found.includes(hers)]).toEqual([true, false]);
    expect(await ids(eve)).toContain(hers);
    expect((await robot.listMutes()).mutes.map(({ author }) => author)).toEqual(["eve"]);
  });

  test("an imported author can be muted, before their first post too", async () => {
    const target = { platform: "reddit", author: "Loud_One" } as const;
    await ada.mute(target);
    const id = await tandem.storage.write((tx) =>
      insertImportedPost(tx, { platform: "reddit", author: "loud_one", title: "Loud" }),
    );
    expect([(await ids(ada)).includes(id), (await ids(bob)).includes(id)]).toEqual([false, true]);
    expect((await ada.readCreator(target)).creator.muted).toBe(true);
  });

  test("a creator that is only muted is deleted with the mute, and one that is also followed isn't", async () => {
    const target = { platform: "lemmy", author: "quiet_one" } as const;
    const count = async () =>
      (
        await tandem.storage.read
          .selectFrom("creators")
          .select("id")
          .where("author", "=", "quiet_one")
          .execute()
      ).length;
    await ada.mute(target);
    await ada.follow(target);
    await ada.unfollow(target);
    expect((await ada.listMutes()).mutes).toHaveLength(1);
    await ada.follow(target);
    await ada.unmute(target);
    expect(await count()).toBe(1);
    await ada.unfollow(target);
    expect(await count()).toBe(0);
  });

  test("muted words and tags hide posts that contain them, whatever their case and accents, but never the reader's own", async () => {
    const texts: [string, string?][] = [
      ["Spoilers: the CAFÉ burns"],
      ["Quiet", "In the **cafe**, nothing"],
      ["Cafeteria"],
      ["On #Looms"],
      ["On looms"],
      ["Steam\u00a0 Engine"],
      ["Engine of steam"],
    ];
    const made: number[] = [];
    for (const [title, body] of texts) made.push(await postBy(bob, title, body));
    const own = await postBy(ada, "My café");
    await ada.mute({ word: "Cafe" });
    await ada.mute({ tag: "#looms" });
    await ada.mute({ word: "steam engine" });
    for (const query of [
      {},
      { sort: "hot" },
      { platform: "native" },
      { sort: "hot", limit: 2 },
      { limit: 1 },
    ]) {
      const found = await ids(ada, query);
      expect([query, made.map((id) => found.includes(id)), found.includes(own)]).toEqual([
        query,
        [false, false, true, false, true, false, true],
        true,
      ]);
    }
    expect(await ids(ada, { q: "cafe" })).not.toContain(made[1]);
    expect(await ids(ada, { author: "bob", q: "cafe" })).toContain(made[1]);
  });

  test("a tag hides posts imported from that hashtag", async () => {
    const id = await tandem.storage.write((tx) =>
      insertImportedPost(tx, {
        platform: "mastodon",
        author: "m",
        title: null,
        body: "Lace",
        community: "Weaving",
      }),
    );
    await ada.mute({ tag: "weaving" });
    expect([(await ids(ada)).includes(id), (await ids(bob)).includes(id)]).toEqual([false, true]);
  });

  test("a page is filled from the next ones, and a common word ends that after a bounded number of posts", async () => {
    const word = `flood${engine}`;
    const first = await postBy(bob, "Before the flood");
    const crowd = Array.from({ length: 400 }, () => ({ platform: "rss" as const, title: word }));
    await tandem.storage.write(async (tx) => {
      for (const post of crowd) await insertImportedPost(tx, post);
    });
    const last = await postBy(bob, "After the flood");
    await ada.mute({ word });
    const page = await ada.listPosts({ limit: 2 });
    expect(page.posts.map(({ id }) => id)).toEqual([last]);
    expect(page.nextCursor).not.toBe(null);
    expect((await ids(ada, { limit: 2 })).slice(0, 2)).toEqual([last, first]);
    await tandem.storage.write((tx) => sql`delete from posts where platform = 'rss'`.execute(tx));
  });

  test("muted comments come without their text, unless asked for", async () => {
    const id = await postBy(eve, "Talk");
    const { comment } = await bob.createComment({ id, body: "By Bob" });
    await eve.createComment({ id, body: "About Dragons", parentId: comment.id });
    const own = await ada.createComment({ id, body: "My dragons", parentId: comment.id });
    await ada.mute(native("bob"));
    await ada.mute({ word: "dragons" });
    const bodies = async (query: object = {}) =>
      (await ada.listComments({ id, ...query })).comments.map(({ body, hidden, muted }) => [
        body,
        hidden,
        muted,
      ]);
    expect(await bodies()).toEqual([
      ["", true, true],
      ["", true, true],
      ["My dragons", false, false],
    ]);
    expect(await bodies({ muted: "show" })).toEqual([
      ["By Bob", false, false],
      ["About Dragons", false, false],
      ["My dragons", false, false],
    ]);
    expect((await ada.readComment({ id: comment.id })).comment.body).toBe("By Bob");
    const thread = await ada.readComment({ id: own.comment.id });
    expect(thread.ancestors.map(({ body, muted }) => [body, muted])).toEqual([["", true]]);
    const onProfile = await ada.listCreatorComments(native("bob"));
    expect(onProfile.comments[0]).toMatchObject({ body: "By Bob", muted: false });
    expect((await eve.listComments({ id })).comments.every(({ muted }) => !muted)).toBe(true);
  });

  if (runsOnceTests(engine))
    test("muted accounts and their agents cause no notifications, and those of before quote nothing", async () => {
      const reader = await tandem.as.human();
      const robot = await tandem.as.agent(bob);
      const id = await postBy(reader, "Say something");
      await bob.createComment({ id, body: "Before" });
      await reader.mute(native("bob"));
      for (const caller of [bob, robot]) {
        await caller.createComment({ id, body: `@${reader.user.username}: after ${caller === bob}` });
        await caller.likePost({ id });
        await caller.createPost({ title: `For @${reader.user.username} ${caller === bob}` });
        await caller.createPost({ title: "See this", quoteId: id });
        await caller.repostPost({ id });
      }
      await bob.requestFriend({ username: reader.user.username });
      await eve.createComment({ id, body: "Not muted" });
      const { notifications, unread } = await reader.listNotifications();
      expect(notifications.map(({ type, excerpt }) => [type, excerpt])).toEqual([
        ["comment", "Not muted"],
        ["comment", null],
      ]);
      expect(unread).toBe(2);
      expect((await reader.listFriendRequests()).incoming).toHaveLength(1);
      await reader.unmute(native("bob"));
      await bob.createComment({ id, body: "Heard again" });
      expect((await reader.countNotifications()).unread).toBe(3);
    });

  once("live streams are left out as well", async () => {
    const caster = await tandem.as.human();
    await caster.startLive({ title: "On air" });
    const lives = async () => (await ada.listLives()).lives.map(({ username }) => username);
    expect(await lives()).toContain(caster.user.username);
    await ada.mute(native(caster.user.username));
    expect(await lives()).not.toContain(caster.user.username);
  });

  test("a mute ends at its time, before it is cleaned up, also in answers that are known", async () => {
    const id = await postBy(bob, "For a time");
    const until = (ms: number) => new Date(Date.now() + elapsed + ms).toISOString();
    const end = until(HOUR);
    expect((await ada.mute({ ...native("bob"), until: end })).mute.until).toBe(end);
    await ada.mute({ word: "time", until: until(2 * HOUR) });
    const sees = async () => [(await ids(ada)).includes(id), (await ids(ada)).includes(id)];
    expect(await sees()).toEqual([false, false]);
    elapsed += HOUR + MINUTE;
    expect(await sees()).toEqual([false, false]);
    expect((await ada.listMutes()).mutes.map(({ type }) => type)).toEqual(["word"]);
    expect((await ada.readCreator(native("bob"))).creator.muted).toBe(false);
    elapsed += HOUR;
    expect(await sees()).toEqual([true, true]);
    const left = () => tandem.storage.read.selectFrom("mutes").select("id").execute();
    expect(await left()).toHaveLength(2);
    await endMutes.run(tandem.services, new AbortController().signal);
    expect(await left()).toEqual([]);
    const { mutes_change_at } = await tandem.storage.read
      .selectFrom("users")
      .select("mutes_change_at")
      .where("id", "=", ada.user.id)
      .executeTakeFirstOrThrow();
    expect(mutes_change_at).toBe(null);
  });

  test("muting again replaces the end, and the list has each once, latest first", async () => {
    const until = new Date(Date.now() + elapsed + HOUR).toISOString();
    const first = await ada.mute({ word: "Some  Thing" });
    const again = await ada.mute({ word: "some thing", until });
    expect([again.mute.id, again.mute.word, again.mute.until]).toEqual([first.mute.id, "Some Thing", until]);
    await ada.mute({ tag: "#News" });
    await ada.mute(native("bob"));
    expect((await ada.listMutes()).mutes.map(({ author, word, tag }) => author ?? word ?? tag)).toEqual([
      "bob",
      "News",
      "Some Thing",
    ]);
    for (const input of [{ tag: "news" }, { word: "SOME THING" }, native("bob"), { word: "unknown" }])
      await ada.unmute(input);
    expect((await ada.listMutes()).mutes).toEqual([]);
    expect((await bob.listMutes()).mutes).toEqual([]);
  });

  once("refuses what names nothing, several things, oneself or the past", async () => {
    for (const [input, expected] of [
      [{}, "400 invalid_input author"],
      [{ word: "a", tag: "b" }, "400 invalid_input tag"],
      [{ author: "bob" }, "400 invalid_input platform"],
      [{ platform: "native" }, "400 invalid_input author"],
      [{ word: " ++ " }, "400 invalid_input word"],
      [{ word: "x".repeat(limits.mutedText + 1) }, "400 invalid_input word"],
      [{ tag: "#a b" }, "400 invalid_input tag"],
      [native("missing-account"), "404 not_found author"],
      [native("ada"), "400 invalid_input author"],
      [{ word: "a", until: "2020-01-01T00:00:00Z" }, "400 invalid_input until"],
      [{ word: "a", until: "soon" }, "400 invalid_input until"],
    ] as const)
      expect([input, await status(ada.call("mute", input as object))]).toEqual([input, expected]);
    const reader = await tandem.as.key([], ada);
    expect(await status(reader.call("mute", { word: "a" }))).toBe("403 insufficient_scope");
    expect(await status(reader.call("listMutes", {}))).toBe("403 insufficient_scope");
    const muting = await tandem.as.key(["engagement:write"], ada);
    expect(await status(muting.call("listMutes", {}))).toBe("200");
  });

  test("the number of mutes is limited, also if they come at the same time", async () => {
    const word = (i: number) => ({ word: `word ${i}` });
    const rows = Array.from({ length: limits.mutedTexts - 1 }, (_, i) => ({
      user_id: ada.user.id,
      type: "word" as const,
      text: `w${i}`,
      folded: ` W${i} `,
      until_at: null,
      created_at: 1,
    }));
    await tandem.storage.write((tx) => tx.insertInto("mutes").values(rows).execute());
    const results = await Promise.all([1, 2, 3].map((i) => status(ada.call("mute", word(i)))));
    expect(results.toSorted()).toEqual(["200", "400 invalid_input word", "400 invalid_input word"]);
    expect(await status(ada.call("mute", native("bob")))).toBe("200");
  });

  test("an account takes its mutes with it, and the creators that it alone muted", async () => {
    const gone = await tandem.as.human();
    await gone.mute({ platform: "lemmy", author: "only_muted" });
    await gone.mute({ word: "one" });
    await tandem.storage.write((tx) => removeAccount(tx, gone.user.id));
    const left = await sql`select 1 from mutes where user_id = ${gone.user.id}
      union all select 1 from creators where author = 'only_muted'`.execute(tandem.storage.read);
    expect(left.rows).toEqual([]);
  });

  test("an account takes the mutes of itself with it, also those being made", async () => {
    const gone = await Promise.all([1, 2, 3, 4].map(() => tandem.as.human()));
    const until = new Date(Date.now() + elapsed + HOUR).toISOString();
    for (const { user } of gone) await ada.mute({ ...native(user.username), until });
    await eve.mute({ word: "kept" });
    const statuses = await Promise.all(
      gone.flatMap(({ user }) => [
        tandem.storage.write((tx) => removeAccount(tx, user.id)).then(() => "200"),
        ...[ada, eve].map((muter) => status(muter.call("mute", native(user.username)))),
      ]),
    );
    expect(new Set(statuses.filter((one) => one !== "404 not_found author"))).toEqual(new Set(["200"]));
    expect((await ada.listMutes()).mutes).toEqual([]);
    expect((await eve.listMutes()).mutes.map(({ word }) => word)).toEqual(["kept"]);
    const problems: string[] = [];
    for (const rule of counterRules.filter(({ what }) => /mutes/.test(what)))
      await checkRule(rule, tandem.storage.read, null, (problem) => problems.push(problem));
    expect(problems).toEqual([]);
  });

  test("no one else learns that an author elsewhere is muted", async () => {
    const target = { platform: "bluesky", author: "nobody.example" } as const;
    const seenBy = (caller: Caller) =>
      Promise.all([
        status(caller.call("readCreator", target)),
        status(caller.call("listCreatorComments", target)),
      ]);
    const unknown = ["404 not_found", "404 not_found"];
    expect(await seenBy(bob)).toEqual(unknown);
    await ada.mute(target);
    expect([await seenBy(bob), await seenBy(tandem.as.anonymous())]).toEqual([unknown, unknown]);
    expect((await ada.readCreator(target)).creator.muted).toBe(true);
    await eve.follow(target);
    expect(await seenBy(bob)).toEqual(["200", "200"]);
    await eve.unfollow(target);
    expect(await seenBy(bob)).toEqual(unknown);
  });
});
