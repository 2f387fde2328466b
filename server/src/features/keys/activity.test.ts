import { isDeepStrictEqual } from "node:util";
import { HOUR, MINUTE } from "@tandem/contract/durations";
import { type OperationName, operationList } from "@tandem/contract/operations";
import { makeAdmin } from "@tandem/testing/admins";
import type { AgentCaller, Caller, Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { communityName } from "@tandem/testing/communities";
import { dump } from "@tandem/testing/dump";
import { insertPosts } from "@tandem/testing/imported-posts";
import { addFixtures, inputsFor, makeFixtures } from "@tandem/testing/inputs";
import { pendingDraft } from "@tandem/testing/pending-draft";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sweep } from "../../housekeeping.ts";

describe.each(engines)("the activity of agents and keys on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let reader: Person;
  let agent: AgentCaller;
  const clock = stoppedClock();
  beforeAll(async () => {
    tandem = await startTandem(engine, { now: clock.now });
    reader = await tandem.as.human();
  });
  beforeEach(async () => {
    clock.pass(HOUR);
    ada = await tandem.as.human();
    agent = await tandem.as.agent(ada);
  });
  afterAll(() => tandem.stop());

  const listed = async (query: object = {}) => {
    const { body } = await ada.call("listActivity", { limit: 50, ...query });
    return body.activity as Awaited<ReturnType<Person["listActivity"]>>["activity"];
  };

  once("doesn't undo what moderators removed", async () => {
    const moderator = await tandem.as.human();
    await makeAdmin(tandem.storage, moderator);
    const { post: theirs } = await reader.createPost({ title: "On teapots" });
    const { post } = await agent.createPost({ title: "Buy my teapots" });
    const { comment } = await agent.createComment({ id: theirs.id, body: "Buy mine." });
    const { comment: other } = await reader.createComment({ id: theirs.id, body: "No." });
    await Promise.all([agent.likeComment({ id: other.id }), agent.likePost({ id: post.id })]);
    const reason = "Advertising";
    await moderator.removePost({ id: post.id, reason });
    await moderator.removeComment({ id: comment.id, reason });
    await moderator.removeComment({ id: other.id, reason });
    expect((await ada.undoAgent({ id: agent.agent.id })).undone).toMatchObject({
      posts: 0,
      comments: 0,
      likes: 0,
    });
    await moderator.restorePost({ id: post.id });
    expect((await reader.readPost({ id: post.id })).post).toMatchObject({ likeCount: 1 });
  });

  once("lists each accepted write with its target and key", async () => {
    const { post } = await agent.createPost({ title: "By an agent" });
    const { comment } = await agent.createComment({ id: post.id, body: "Said" });
    await agent.likeComment({ id: comment.id });
    await agent.follow({ platform: "reddit", author: "ada_l" });
    const { product } = await agent.createProduct({ title: "Pot", url: "https://example.org/pot" });
    await agent.deleteProduct({ id: product.id });
    await agent.editProfile({ bio: "Robot" });
    const { draft } = await agent.createDraft({ title: "Later" });
    await agent.deletePost({ id: post.id });
    expect((await agent.call("likePost", { id: post.id })).status).toBe(404);
    await agent.call("createPost", { title: "Dry" }, { dryRun: true });
    const common = { username: agent.agent.username, keyId: agent.keyId, undone: false };
    const about = {
      postId: null,
      commentId: null,
      productId: null,
      draftId: null,
      webhookId: null,
      creator: null,
      community: null,
      tag: null,
      signer: null,
      post: null,
      approval: null,
    };
    const at = { createdAt: new Date(clock.now()).toISOString() };
    expect(await listed()).toEqual(
      [
        { operation: "deletePost", postId: post.id },
        { operation: "createDraft", draftId: draft.id },
        { operation: "editProfile" },
        { operation: "deleteProduct", productId: product.id },
        { operation: "createProduct", productId: product.id },
        { operation: "follow", creator: "reddit/ada_l" },
        { operation: "likeComment", commentId: comment.id },
        { operation: "createComment", commentId: comment.id },
        { operation: "createPost", postId: post.id },
      ].map((entry) => ({ id: expect.any(Number), ...common, ...about, ...at, ...entry })),
    );
  });

  once("says for what approval was asked, and what was decided, to the key as well", async () => {
    await ada.editKey({ id: agent.keyId, approval: true });
    const { post } = await reader.createPost({ title: "On kettles" });
    const { draft: kept } = await agent.createDraft({ title: "Later" });
    const say = (body: string) => pendingDraft(agent.createComment({ id: post.id, body }));
    const drafts = [await say("Yes."), await say("No."), await say("Never mind."), await say("Perhaps.")];
    const [approved = 0, rejected = 0, withdrawn = 0, pending = 0] = drafts;
    const { commentId } = await ada.approveDraft({ id: approved });
    await ada.deleteDraft({ id: rejected });
    await agent.deleteDraft({ id: withdrawn });
    const ask = (draftId: number, state: string, comment: number | null = null) => ({
      operation: "createDraft",
      draftId,
      approval: { operation: "createComment", state },
      postId: post.id,
      commentId: comment,
    });
    const expected = [
      { operation: "deleteDraft", draftId: withdrawn, approval: null, postId: null },
      { ...ask(approved, "approved", commentId), operation: "createComment", postId: null },
      ask(pending, "pending"),
      ask(withdrawn, "withdrawn"),
      ask(rejected, "rejected"),
      ask(approved, "approved", commentId),
      { operation: "createDraft", draftId: kept.id, approval: null, postId: null, commentId: null },
    ];
    expect(await listed()).toMatchObject(expected);
    expect((await listed()).map(({ post }) => post?.title)).toEqual([
      undefined,
      ...Array.from({ length: 5 }, () => "On kettles"),
      undefined,
    ]);
    expect((await agent.readOwnKey()).recentActivity).toMatchObject(expected);
  });

  once("names the post that an entry is about, while it exists", async () => {
    const { post } = await reader.createPost({ title: "On kettles" });
    const { comment } = await agent.createComment({ id: post.id, body: "Said" });
    await agent.likePost({ id: post.id });
    await agent.editProfile({ bio: "Robot" });
    const mark = { provenance: "human", provenanceBasis: "declared" };
    const about = { id: post.id, title: "On kettles", excerpt: null, ...mark };
    expect((await listed()).map(({ operation, commentId, post }) => [operation, commentId, post])).toEqual([
      ["editProfile", null, null],
      ["likePost", null, about],
      ["createComment", comment.id, about],
    ]);
    await reader.deletePost({ id: post.id });
    expect((await listed()).map(({ post }) => post)).toEqual([null, null, null]);
  });

  once("shows the beginning of a post without a title, but not what its content warning hides", async () => {
    const ids = await tandem.storage.write((tx) =>
      insertPosts(tx, [
        { title: null, body: "*Looms* weave\nalgebraic patterns." },
        { title: null, body: "How it ends.", contentWarning: "Plot" },
        { title: null, body: `${"Long ".repeat(20)}text` },
        { title: null, body: null },
        { by: ada.user, title: null, body: "**Looms** weave\n\n- *patterns*" },
      ]),
    );
    for (const id of ids) await agent.likePost({ id });
    expect((await listed()).map(({ post }) => post?.excerpt).toReversed()).toEqual([
      "*Looms* weave algebraic patterns.",
      "Plot",
      `${"Long ".repeat(16).slice(0, 79).trimEnd()}…`,
      null,
      "Looms weave patterns",
    ]);
    const moderator = await tandem.as.human();
    await makeAdmin(tandem.storage, moderator);
    for (const id of ids) await moderator.removePost({ id, reason: "Spam" });
    expect((await listed()).map(({ post }) => post)).toEqual(ids.map(() => null));
  });

  once("can be filtered by agent or key, and never contains what people do themselves", async () => {
    const key = await tandem.as.key(["posts:write"], ada);
    const other = await tandem.as.agent(ada);
    await ada.createPost({ title: "By Ada" });
    await key.createPost({ title: "By Ada's key" });
    await agent.createPost({ title: "By an agent" });
    await other.createPost({ title: "By another" });
    const session = await tandem.as.agentSession(ada, agent.agent.id);
    await session.createPost({ title: "By Ada as the agent" });
    const who = async (query: object) =>
      (await listed(query)).map(({ username, keyId }) => [username, keyId]);
    const [mine, first, second] = [ada.user, agent.agent, other.agent].map(({ username }) => username);
    expect(await who({})).toEqual([
      [first, null],
      [second, other.keyId],
      [first, agent.keyId],
      [mine, key.keyId],
    ]);
    expect(await who({ agentId: other.agent.id })).toEqual([[second, other.keyId]]);
    expect(await who({ keyId: key.keyId })).toEqual([[mine, key.keyId]]);
    expect(await who({ keyId: key.keyId, agentId: agent.agent.id })).toEqual([]);
    await ada.revokeKey({ id: key.keyId });
    expect(await who({ keyId: key.keyId })).toEqual([[mine, key.keyId]]);
    expect((await ada.call("listActivity", { keyId: 9_999_999 })).status).toBe(404);
  });

  test("is paginated completely", async () => {
    const other = await tandem.as.agent(ada);
    for (let i = 0; i < 7; i++) await (i % 2 ? agent : other).createPost({ title: `Post ${i}` });
    const met: (number | null)[] = [];
    for await (const { postId } of ada.pages.listActivity({ limit: 3 })) met.push(postId);
    expect(met).toEqual((await listed()).map(({ postId }) => postId));
    expect(new Set(met).size).toBe(7);
  });

  test("records each of many concurrent likes", async () => {
    const { post } = await reader.createPost({ title: "Dear to all" });
    const agents = [agent, await tandem.as.agent(ada), await tandem.as.agent(ada)];
    await Promise.all(agents.map((caller) => caller.likePost({ id: post.id })));
    expect((await listed()).map(({ operation, postId }) => [operation, postId])).toEqual(
      Array(3).fill(["likePost", post.id]),
    );
  });

  test("is deleted after its retention period and with the account", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandem(engine, { now: clock.now, env: { ACTIVITY_DAYS: "5" } });
    const bob = await tandem.as.human();
    const robot = await tandem.as.agent(bob);
    await robot.createPost({ title: "Long ago" });
    clock.passDays(3);
    const { post } = await robot.createPost({ title: "Of late" });
    clock.passDays(3);
    await sweep.run(tandem.services, new AbortController().signal);
    expect((await bob.listActivity({})).activity.map(({ postId }) => postId)).toEqual([post.id]);
    await bob.deleteAgent({ id: robot.agent.id });
    expect(await tandem.storage.read.selectFrom("activity").selectAll().execute()).toEqual([]);
  });

  /** Everything undoable that an agent can do, each on the reader's content. */
  const steps = {
    post: (caller: Caller) => caller.createPost({ title: "Undone soon" }),
    comment: (caller: Caller, id: number) => caller.createComment({ id, body: "Undone soon" }),
    like: (caller: Caller, id: number) => caller.likePost({ id }),
    unlike: (caller: Caller, id: number) => caller.unlikePost({ id }),
    save: (caller: Caller, id: number) => caller.savePost({ id }),
    likeComment: (caller: Caller, _: number, id: number) => caller.likeComment({ id }),
    follow: (caller: Caller) => caller.follow({ platform: "native", author: reader.user.username }),
    product: (caller: Caller) => caller.createProduct({ title: "Undone soon", url: "https://shop.example/" }),
  };
  type Step = keyof typeof steps;

  test("can be undone for the last hour without a trace", async () => {
    const { post } = await reader.createPost({ title: "By reader" });
    const { comment } = await reader.createComment({ id: post.id, body: "Said" });
    const names = Object.keys(steps) as Step[];
    const checked = [
      "posts",
      "post_texts",
      "post_likes",
      "post_saves",
      "comments",
      "comment_likes",
      "creators",
    ];
    checked.push("follows", "notifications", "users", "products");
    const untouched = async () => {
      const tables = await dump(tandem.storage);
      return checked.map((name) => [name, tables[name]]);
    };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...names), { maxLength: 12 }), async (chosen) => {
        clock.pass(3_600_001);
        const before = await untouched();
        for (const name of chosen) await steps[name](agent, post.id, comment.id);
        const undone = await ada.undoAgent({ id: agent.agent.id });
        expect(undone).toMatchObject({ edits: 0, more: false });
        const times = (name: Step) => chosen.filter((step) => step === name).length;
        expect(undone.undone).toMatchObject({
          ...{ posts: times("post"), comments: times("comment"), products: times("product") },
        });
        expect(await untouched()).toEqual(before);
        expect(Object.values((await ada.undoAgent({ id: agent.agent.id })).undone)).toEqual([
          0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        ]);
      }),
      { numRuns: engine === "sqlite" ? 12 : 5 },
    );
  });

  once("is only undone for that period and agent; overwrites are reported instead", async () => {
    const { post: old } = await agent.createPost({ title: "An hour ago" });
    clock.pass(3_600_001);
    const { post: fresh } = await agent.createPost({ title: "Just now" });
    await agent.editPost({ id: old.id, title: "Edited" });
    const { post: mine } = await ada.createPost({ title: "By Ada" });
    const { comment } = await agent.createComment({ id: mine.id, body: "Said" });
    await reader.createComment({ id: mine.id, body: "Answered", parentId: comment.id });
    const expected = {
      undone: {
        posts: 1,
        comments: 1,
        likes: 0,
        reposts: 0,
        votes: 0,
        saves: 0,
        follows: 0,
        memberships: 0,
        products: 0,
        drafts: 0,
      },
      edits: 1,
      more: false,
    };
    const dry = await ada.call("undoAgent", { id: agent.agent.id }, { dryRun: true });
    expect(dry.body).toEqual({ ...expected, dryRun: true });
    expect((await reader.call("readPost", { id: fresh.id })).status).toBe(200);
    expect(await ada.undoAgent({ id: agent.agent.id })).toEqual(expected);
    expect((await reader.call("readPost", { id: fresh.id })).status).toBe(404);
    expect((await reader.readPost({ id: old.id })).post.title).toBe("Edited");
    const { comments } = await reader.listComments({ id: mine.id });
    expect(comments.map(({ deleted }) => deleted)).toEqual([true, false]);
    expect((await listed()).filter(({ undone }) => undone).map(({ operation }) => operation)).toEqual([
      "createComment",
      "createPost",
    ]);
    expect((await ada.undoAgent({ id: agent.agent.id, minutes: 120 })).undone.posts).toBe(1);
  });

  test("is undone for communities and hashtags that it joined or follows, approved or not", async () => {
    const [joined, approved, before, followed] = [1, 2, 3, 4].map(() => communityName());
    for (const name of [joined, approved, before, followed])
      await reader.createCommunity({ name: String(name) });
    await agent.joinCommunity({ name: String(before) });
    clock.pass(3_600_001);
    await agent.joinCommunity({ name: String(joined) });
    await agent.joinCommunity({ name: String(before) });
    await agent.followCommunity({ platform: "native", community: String(followed) });
    await agent.followTag({ tag: "Looms" });
    await ada.editKey({ id: agent.keyId, approval: true });
    await ada.approveDraft({ id: await pendingDraft(agent.joinCommunity({ name: String(approved) })) });
    expect((await listed()).slice(0, 4)).toMatchObject([
      { operation: "joinCommunity", community: `native/${approved}`, creator: null },
      { operation: "createDraft" },
      { operation: "followTag", tag: "Looms" },
      { operation: "followCommunity", community: `native/${followed}` },
    ]);
    const { undone } = await ada.undoAgent({ id: agent.agent.id });
    expect(undone).toMatchObject({ memberships: 2, follows: 2 });
    expect((await agent.listFollowedTags()).tags).toEqual([]);
    expect((await agent.listFollowedCommunities()).communities).toEqual([
      { platform: "native", community: before },
    ]);
    for (const name of [joined, approved])
      expect((await reader.readCommunity({ name: String(name) })).community.memberCount).toBe(1);
  });

  test("is undone for products, also on posts from before", async () => {
    const { post } = await agent.createPost({ title: "Before" });
    clock.pass(3_600_001);
    for (const title of ["Teapot", "Cup"]) {
      const { product } = await agent.createProduct({ title, url: "https://shop.example/tea" });
      await agent.attachProduct({ id: post.id, productId: product.id });
    }
    const versions = async () => (await agent.listPostVersions({ id: post.id })).versions.length;
    const before = await versions();
    expect((await ada.undoAgent({ id: agent.agent.id })).undone).toMatchObject({ products: 2, posts: 0 });
    expect(await versions()).toBe(before + 1);
    expect((await reader.readPost({ id: post.id })).post.products).toEqual([]);
    expect((await agent.listProducts({ mine: 1 })).products).toEqual([]);
  });

  test("lists a call if, and only if, it changed something", async () => {
    const user = { person: ada, agent, ...(await addFixtures(tandem, ada, agent)), keyId: agent.keyId };
    clock.pass(MINUTE);
    const inputs = inputsFor(await makeFixtures(agent, clock.now(), () => clock.pass(MINUTE)), user);
    const counted = ["activity", "keys", "quota_windows"];
    const state = async () => {
      await tandem.services.afterResponse.idle();
      const tables = await dump(tandem.storage);
      return {
        entries: tables.activity?.length,
        rest: { ...tables, ...Object.fromEntries(counted.map((name) => [name, []])) },
      };
    };
    const names = operationList
      .filter(({ access, effect }) => ["caller", "scope"].includes(access.kind) && effect === "sets")
      .map(({ name }) => name as OperationName)
      // It makes requests to other servers, whatever it changes.
      .filter((name) => name !== "checkProfileLinks");
    const twice = [...names, "dismissPost" as const].flatMap((name) => [name, name]);
    const call = fc.constantFrom(...twice);
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 10 }), async (calls) => {
        for (const name of calls) {
          clock.pass(MINUTE);
          const before = await state();
          await agent.call(name, inputs[name]);
          const after = await state();
          const isListed = Number(after.entries) - Number(before.entries);
          expect([name, isListed]).toEqual([name, isDeepStrictEqual(after.rest, before.rest) ? 0 : 1]);
        }
      }),
      { numRuns: engine === "sqlite" ? 4 : 1, examples: [[twice]] },
    );
  });

  once("lists a call that waits for approval once, however often it is repeated", async () => {
    const { post } = await reader.createPost({ title: "By reader" });
    await ada.editKey({ id: agent.keyId, approval: true });
    const [first, again] = [
      await pendingDraft(agent.likePost({ id: post.id })),
      await pendingDraft(agent.likePost({ id: post.id })),
    ];
    expect(again).toBe(first);
    expect((await listed()).map(({ operation }) => operation)).toEqual(["createDraft"]);
    // What withdraws the draft is listed, although it changes nothing else.
    await agent.unlikePost({ id: post.id });
    expect((await listed()).map(({ operation }) => operation)).toEqual(["unlikePost", "createDraft"]);
    expect((await ada.listDrafts()).drafts).toEqual([]);
  });

  once("isn't undone for writes that changed nothing", async () => {
    const { post } = await reader.createPost({ title: "By reader" });
    const { comment } = await reader.createComment({ id: post.id, body: "Said" });
    const followed = { platform: "native" as const, author: reader.user.username };
    const settings = async () => {
      await agent.likePost({ id: post.id });
      await agent.likeComment({ id: comment.id });
      await agent.savePost({ id: post.id });
      await agent.follow(followed);
    };
    await settings();
    clock.pass(3_600_001);
    await settings();
    expect(Object.values((await ada.undoAgent({ id: agent.agent.id })).undone)).toEqual([
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]);
    expect(await agent.readPost({ id: post.id })).toMatchObject({
      post: { liked: true, saved: true, followedCreator: true },
    });
    expect((await agent.listComments({ id: post.id })).comments[0]?.liked).toBe(true);
    expect((await ada.undoAgent({ id: agent.agent.id, minutes: 120 })).undone).toMatchObject({
      ...{ likes: 2, saves: 1, follows: 1 },
    });
  });

  once("includes drafts, also those that wait for approval", async () => {
    const { draft: old } = await agent.createDraft({ title: "An hour ago" });
    clock.pass(3_600_001);
    await agent.createDraft({ title: "Kept" });
    await ada.editKey({ id: agent.keyId, approval: true });
    await pendingDraft(agent.createPost({ title: "Waits" }));
    await ada.approveDraft({ id: await pendingDraft(agent.createPost({ title: "Approved" })) });
    const { undone } = await ada.undoAgent({ id: agent.agent.id });
    expect(undone).toMatchObject({ drafts: 2, posts: 1 });
    expect((await ada.listDrafts({})).drafts.map(({ id }) => id)).toEqual([old.id]);
  });

  test("is undone in several calls if there is very much", async () => {
    const { post } = await reader.createPost({ title: "By reader" });
    for (let i = 0; i < 205; i++) await agent.createComment({ id: post.id, body: "Again" });
    const first = await ada.undoAgent({ id: agent.agent.id });
    expect([first.undone.comments, first.more]).toEqual([200, true]);
    const second = await ada.undoAgent({ id: agent.agent.id });
    expect([second.undone.comments, second.more]).toEqual([5, false]);
    expect((await reader.readPost({ id: post.id })).post.commentCount).toBe(0);
  });
});
