import { makeAdmin } from "@tandem/testing/admins";
import type { Caller, Person } from "@tandem/testing/callers";
import { pendingDraft } from "@tandem/testing/pending-draft";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe.each(engines)("reposts on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem(engine);
  });
  afterAll(() => tandem.stop());

  const native = ({ user }: Person) => ({ platform: "native", author: user.username }) as const;
  const people = async (count: number) =>
    (await Promise.all(Array.from({ length: count }, () => tandem.as.human()))) as [Person, Person, Person];
  const followed = async (reader: Caller, more = {}) =>
    (await reader.listPosts({ followed: 1, ...more })).posts;

  once("are counted once for each account, apart for AI, and taken back", async () => {
    const [ada, bob] = await people(2);
    const bot = await tandem.as.agent(ada);
    const { id } = (await ada.createPost({ title: "On looms" })).post;
    const read = async (caller: Caller) => {
      const { post } = await caller.readPost({ id });
      return [post.repostCount, post.aiRepostCount, post.reposted];
    };
    expect(await read(bob)).toEqual([undefined, undefined, undefined]);
    expect(await bob.repostPost({ id })).toEqual({ reposted: true, repostCount: 1 });
    expect(await bob.repostPost({ id })).toEqual({ reposted: true, repostCount: 1 });
    expect(await bot.repostPost({ id })).toEqual({ reposted: true, repostCount: 2 });
    expect(await read(bob)).toEqual([2, 1, true]);
    expect(await read(ada)).toEqual([2, 1, undefined]);
    expect(await read(tandem.as.anonymous())).toEqual([2, 1, undefined]);
    expect(await bot.unrepostPost({ id })).toEqual({ reposted: false, repostCount: 1 });
    expect(await bot.unrepostPost({ id })).toEqual({ reposted: false, repostCount: 1 });
    expect(await read(bob)).toEqual([1, undefined, true]);
  });

  once("notify the author, until they are taken back", async () => {
    const [ada, bob] = await people(2);
    const { id } = (await ada.createPost({ title: "On looms" })).post;
    await bob.repostPost({ id });
    await ada.repostPost({ id });
    const types = async () =>
      (await ada.listNotifications()).notifications.map(({ type, postId }) => [type, postId]);
    expect(await types()).toEqual([["repost", id]]);
    await bob.unrepostPost({ id });
    expect(await types()).toEqual([]);
  });

  test("are in the feed of followers with who did it, where the latest put them, each post once", async () => {
    const [ada, bob, carol] = await people(3);
    const bot = await tandem.as.agent(bob);
    const [first, second] = [
      (await carol.createPost({ title: "First" })).post.id,
      (await carol.createPost({ title: "Second" })).post.id,
    ];
    const byBob = (await bob.createPost({ title: "By bob" })).post.id;
    for (const author of [bob.user.username, bot.agent.username])
      await ada.follow({ platform: "native", author });
    const shown = async (more = {}) =>
      (await followed(ada, more)).map(({ id, repostedBy }) => [id, repostedBy?.username, repostedBy?.byAi]);
    await bob.repostPost({ id: second });
    await bob.repostPost({ id: first });
    const [own, agent] = [bob.user.username, bot.agent.username];
    expect(await shown()).toEqual([
      [first, own, false],
      [second, own, false],
      [byBob, undefined, undefined],
    ]);
    await bot.repostPost({ id: second });
    await bot.repostPost({ id: byBob });
    expect((await followed(ada))[0]?.repostedBy).toMatchObject({
      username: agent,
      isAgent: true,
      byAi: true,
    });
    expect(await shown()).toEqual([
      [byBob, agent, true],
      [second, agent, true],
      [first, own, false],
    ]);
    await bot.unrepostPost({ id: byBob });
    expect((await shown()).at(-1)).toEqual([byBob, undefined, undefined]);
    // A reader who follows the author, too, sees it once.
    await ada.follow(native(carol));
    expect((await shown()).map(([id]) => id)).toEqual([second, first, byBob]);
    expect(await shown({ sort: "hot" })).not.toContainEqual(expect.arrayContaining([agent]));
  });

  test("of blocked and muted accounts, and of what the reader hides, are left out", async () => {
    const [ada, bob, carol] = await people(3);
    const { id } = (await carol.createPost({ title: "On looms" })).post;
    const bot = await tandem.as.agent(carol);
    const byAi = (await bot.createPost({ title: "By AI" })).post.id;
    await ada.follow(native(bob));
    for (const post of [id, byAi]) await bob.repostPost({ id: post });
    const ids = async () => (await followed(ada)).map((post) => post.id);
    expect(await ids()).toEqual([byAi, id]);
    await ada.editPreferences({ aiPosts: "hide" });
    expect(await ids()).toEqual([id]);
    // An agent's repost neither shows a post nor moves it.
    const ofBot = { platform: "native", author: bot.agent.username } as const;
    await ada.follow(ofBot);
    const later = (await bob.createPost({ title: "Later" })).post.id;
    for (const post of [id, later, (await carol.createPost({ title: "Unfollowed" })).post.id])
      await bot.repostPost({ id: post });
    expect(await ids()).toEqual([later, id]);
    await ada.unfollow(ofBot);
    await bob.deletePost({ id: later });
    for (const muted of [native(bob), native(carol), { word: "looms" }]) {
      await ada.mute(muted);
      expect(await ids()).toEqual([]);
      await ada.unmute(muted);
    }
    await ada.block({ username: carol.user.username });
    expect(await ids()).toEqual([]);
    await bob.block({ username: carol.user.username });
    expect((await bob.call("repostPost", { id })).status).toBe(403);
    expect((await bob.call("repostPost", { id: id + 1000 })).status).toBe(404);
  });

  once("aren't on the profile for an account with a block between them, nor for its agents", async () => {
    const [ada, bob, carol] = await people(3);
    const bot = await tandem.as.agent(ada);
    await bob.repostPost({ id: (await carol.createPost({ title: "On looms" })).post.id });
    const seenBy = async (reader: Caller) => (await reader.listCreatorReposts(native(bob))).posts.length;
    expect(await Promise.all([ada, bot, carol].map(seenBy))).toEqual([1, 1, 1]);
    await bob.block({ username: ada.user.username });
    expect(await Promise.all([ada, bot, carol].map(seenBy))).toEqual([0, 0, 1]);
  });

  if (runsOnceTests(engine))
    test("between two accounts end with a block of either, also their agents' and of removed posts", async () => {
      const [ada, bob, carol] = await people(3);
      const [botOfBob, botOfCarol] = [await tandem.as.agent(bob), await tandem.as.agent(carol)];
      const admin = await tandem.as.human();
      await makeAdmin(tandem.storage, admin);
      const create = async (author: Caller) => (await author.createPost({ title: "On looms" })).post.id;
      const [byCarol, byBot, removed] = [await create(carol), await create(botOfCarol), await create(carol)];
      const [byAda, byBob] = [await create(ada), await create(bob)];
      for (const id of [byCarol, byBot, removed, byAda]) await bob.repostPost({ id });
      for (const id of [byCarol, removed]) await botOfBob.repostPost({ id });
      await carol.repostPost({ id: byBob });
      await ada.repostPost({ id: byCarol });
      await admin.removePost({ id: removed, reason: "Spam" });
      await carol.block({ username: bob.user.username });
      await admin.restorePost({ id: removed });
      const reposted = async (caller: Person) =>
        (await ada.listCreatorReposts(native(caller))).posts.map(({ id }) => id);
      expect([await reposted(bob), await reposted(carol), await reposted(ada)]).toEqual([
        [byAda],
        [],
        [byCarol],
      ]);
      const counts = async (id: number) => {
        const { post } = await ada.readPost({ id });
        return [post.repostCount, post.aiRepostCount];
      };
      for (const id of [byBot, removed, byBob]) expect(await counts(id)).toEqual([undefined, undefined]);
      expect(await counts(byCarol)).toEqual([1, undefined]);
      const told = async (caller: Caller) =>
        (await caller.listNotifications()).notifications
          .filter(({ type }) => type === "repost")
          .map(({ actor }) => actor.username);
      expect([await told(bob), await told(carol), await told(botOfCarol)]).toEqual([
        [],
        [ada.user.username],
        [],
      ]);
      // Unblocking restores nothing.
      await carol.unblock({ username: bob.user.username });
      expect(await reposted(bob)).toEqual([byAda]);
      expect(await bob.repostPost({ id: byCarol })).toEqual({ reposted: true, repostCount: 2 });
    });

  test("count for no rank", async () => {
    const [ada, bob] = await people(2);
    const bots = await Promise.all([1, 2, 3].map(() => tandem.as.agent(ada)));
    const [plain, shared] = [
      (await bob.createPost({ title: "Plain" })).post.id,
      (await bob.createPost({ title: "Shared" })).post.id,
    ];
    const ranks = () =>
      tandem.storage.read.selectFrom("posts").select("hot_rank").where("id", "in", [plain, shared]).execute();
    const before = await ranks();
    for (const caller of [ada, ...bots]) await caller.repostPost({ id: shared });
    expect(await ranks()).toEqual(before);
  });

  test("are on the profile, latest first, in pages", async () => {
    const [ada, bob] = await people(2);
    const ids: number[] = [];
    for (const title of ["One", "Two", "Three"]) ids.unshift((await ada.createPost({ title })).post.id);
    const of = native(bob);
    for (const id of ids) await bob.repostPost({ id });
    const all = ids.toReversed();
    const first = await ada.listCreatorReposts({ ...of, limit: 2 });
    expect(first.posts.map(({ id }) => id)).toEqual(all.slice(0, 2));
    const rest = await ada.listCreatorReposts({ ...of, cursor: Number(first.nextCursor) });
    expect([rest.posts.map(({ id }) => id), rest.nextCursor]).toEqual([all.slice(2), null]);
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    await admin.removePost({ id: Number(all[0]), reason: "Spam" });
    expect((await tandem.as.anonymous().listCreatorReposts(of)).posts.map(({ id }) => id)).toEqual(
      all.slice(1),
    );
  });

  test("of agents wait for approval, and are undone with their other calls", async () => {
    const [ada, bob] = await people(2);
    const bot = await tandem.as.agent(ada);
    const { id } = (await bob.createPost({ title: "On looms" })).post;
    await ada.editKey({ id: bot.keyId, approval: true });
    const count = async () => (await ada.readPost({ id })).post.repostCount;
    const draft = await pendingDraft(bot.repostPost({ id }));
    expect(await count()).toBeUndefined();
    await ada.approveDraft({ id: draft });
    expect(await count()).toBe(1);
    expect((await ada.undoAgent({ id: bot.agent.id })).undone).toMatchObject({ reposts: 1 });
    expect(await count()).toBeUndefined();
  });

  test("go with their account and with their post", async () => {
    const [ada, bob] = await people(2);
    const { id } = (await ada.createPost({ title: "On looms" })).post;
    await bob.repostPost({ id });
    await bob.deleteAccount({ password: bob.password });
    expect((await ada.readPost({ id })).post).not.toHaveProperty("repostCount");
    await ada.repostPost({ id });
    await ada.deletePost({ id });
    const left = await tandem.storage.read
      .selectFrom("reposts")
      .select("id")
      .where("post_id", "=", id)
      .execute();
    expect(left).toEqual([]);
  });

  test("fill pages of any size with each post once, as a naive model does", async () => {
    const [reader, ada, bob] = await people(3);
    const eve = await tandem.as.human();
    const authors = [ada, bob, eve];
    for (const author of [ada, bob]) await reader.follow(native(author));
    /** The posts, and the time at which each was last shown to followers of ada and bob; null if never. */
    const posts: { id: number; at: Map<Person, number>; author: Person; time: number }[] = [];
    let time = 0;
    const acts = fc.array(
      fc.record({
        act: fc.constantFrom("post", "repost", "repost", "undo"),
        who: fc.nat(2),
        target: fc.nat(30),
      }),
      { minLength: 5, maxLength: 15 },
    );
    await fc.assert(
      fc.asyncProperty(acts, fc.integer({ min: 1, max: 7 }), async (steps, limit) => {
        for (const { act, who, target } of steps) {
          const person = authors[who] ?? ada;
          const post = posts[target % Math.max(1, posts.length)];
          time += 1;
          if (act === "post" || !post) {
            const { id } = (await person.createPost({ title: `Post ${time}` })).post;
            posts.push({ id, at: new Map(), author: person, time });
          } else if (act === "undo") {
            await person.unrepostPost({ id: post.id });
            post.at.delete(person);
          } else if (!post.at.has(person)) {
            await person.repostPost({ id: post.id });
            post.at.set(person, time);
          }
        }
        const expected = posts
          .map(({ id, author, at, time: written }) => {
            const times = [ada, bob].flatMap((one) => at.get(one) ?? []);
            const last = Math.max(...times, author === eve ? -1 : written);
            const by = [ada, bob].find((one) => at.get(one) === last);
            return { id, last, by: by?.user.username };
          })
          .filter(({ last }) => last >= 0)
          .sort((one, other) => other.last - one.last);
        const seen = [];
        for await (const { id, repostedBy } of reader.pages.listPosts({ followed: 1, limit }))
          seen.push({ id, by: repostedBy?.username });
        expect(seen).toEqual(expected.map(({ id, by }) => ({ id, by })));
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });
});
