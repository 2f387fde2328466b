import { approvableOperations, approvalOf } from "@tandem/contract/approval";
import { isWrite } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import type { AgentCaller, Person } from "@tandem/testing/callers";
import { pendingDraft } from "@tandem/testing/pending-draft";
import { drawPicture } from "@tandem/testing/pictures";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

test("the table of held operations names every write that keys can make, and no other", () => {
  const byKeys = operationList.filter(
    (op) => isWrite(op) && (op.access.kind === "scope" || op.access.kind === "caller"),
  );
  expect(Object.keys(approvalOf).sort()).toEqual(byKeys.map(({ name }) => name).sort());
  // Whatever others can see waits, unless it is only the account's own business.
  const visible = byKeys.filter(
    ({ access }) =>
      access.kind === "scope" &&
      ["comments:write", "products:write", "profile:write", "engagement:write"].includes(access.scope),
  );
  const unseen = ["viewPost", "savePost", "unsavePost", "dismissPost", "mute", "unmute"];
  // Checking the profile's links changes nothing that anyone wrote, and no one else sees webhooks, lists,
  // collections, saved searches, or the hashtags and communities that someone follows.
  const topics = ["followTag", "unfollowTag", "followCommunity", "unfollowCommunity"];
  const immediate = [...unseen, ...topics, "checkProfileLinks"];
  const unseenAreas = ["Webhooks", "Lists", "Collections", "Saved searches"];
  const held = visible.filter(({ name, area }) => !immediate.includes(name) && !unseenAreas.includes(area));
  for (const { name } of held) expect(approvableOperations).toContain(name);
});

describe.each(engines)("all that others can see waits for approval on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let agent: AgentCaller;
  const url = "https://example.org/loom";
  beforeAll(async () => {
    tandem = await startTandem(engine);
  });
  beforeEach(async () => {
    ada = await tandem.as.human();
    agent = await tandem.as.agent(ada);
  });
  afterAll(() => tandem.stop());
  const hold = () => ada.editKey({ id: agent.keyId, approval: true });
  const profile = async () =>
    (await ada.readCreator({ platform: "native", author: agent.agent.username })).creator;
  const shop = async () =>
    (await ada.listProducts()).products.filter(({ seller }) => seller === agent.agent.username);
  const newest = async () => (await ada.listDrafts({ limit: 1 })).drafts[0];
  const image = async () => new Blob([new Uint8Array(await drawPicture({ width: 80, height: 80 }))]);

  test("products: new, edited, attached and deleted ones", async () => {
    const { post } = await agent.createPost({ title: "Mine" });
    await hold();
    const created = await pendingDraft(agent.createProduct({ title: "A loom", url, price: 12.5 }));
    expect(await shop()).toEqual([]);
    expect(await newest()).toMatchObject({
      ...{ id: created, operation: "createProduct", state: "pending", productId: null, before: null },
      ...{ title: "A loom", url, price: 12.5, changes: ["title", "url", "price"] },
    });
    const { productId } = await ada.approveDraft({ id: created });
    expect(await shop()).toMatchObject([{ id: productId, title: "A loom", isAiGenerated: true }]);
    const id = Number(productId);
    const edited = await pendingDraft(agent.editProduct({ id, title: "A fine loom", price: null }));
    expect(await newest()).toMatchObject({
      ...{ operation: "editProduct", productId, title: "A fine loom", changes: ["title", "price"] },
      before: { title: "A loom", price: 12.5, url, provenance: "ai_generated" },
      provenance: "ai_generated",
    });
    expect(await shop()).toMatchObject([{ title: "A loom" }]);
    await ada.approveDraft({ id: edited });
    expect(await shop()).toMatchObject([{ title: "A fine loom", price: null }]);
    const attached = await pendingDraft(agent.attachProduct({ id: post.id, productId: id }));
    expect(await newest()).toMatchObject({ postId: post.id, productId, before: { title: "A fine loom" } });
    expect((await ada.readPost({ id: post.id })).post.products).toEqual([]);
    await ada.approveDraft({ id: attached });
    expect((await ada.readPost({ id: post.id })).post.products).toMatchObject([{ id, isAiGenerated: true }]);
    const deleted = await pendingDraft(agent.deleteProduct({ id }));
    expect(await newest()).toMatchObject({ productId, changes: [], before: { title: "A fine loom" } });
    await ada.deleteDraft({ id: deleted });
    expect(await shop()).toHaveLength(1);
    await ada.approveDraft({ id: await pendingDraft(agent.deleteProduct({ id })) });
    expect(await shop()).toEqual([]);
    const refused = await agent.call("editProduct", { id, title: "Gone" });
    expect([refused.status, refused.body.code]).toEqual([404, "not_found"]);
  });

  test("the profile, and an avatar, whose files are kept meanwhile", async () => {
    await agent.editProfile({ bio: "Weaves." });
    await hold();
    const edited = await pendingDraft(agent.editProfile({ displayName: "Loom", bio: null }));
    expect(await newest()).toMatchObject({
      ...{ operation: "editProfile", changes: ["displayName", "bio"], displayName: "Loom", bio: null },
      before: { displayName: null, bio: "Weaves.", provenance: null },
      provenance: "ai_generated",
    });
    expect(await profile()).toMatchObject({ displayName: null, bio: "Weaves.", aiGeneratedFields: ["bio"] });
    await ada.approveDraft({ id: edited });
    expect(await profile()).toMatchObject({
      displayName: "Loom",
      bio: null,
      aiGeneratedFields: ["displayName"],
    });
    const first = await pendingDraft(agent.setAvatar({ image: await image() }));
    const draft = await newest();
    expect(draft).toMatchObject({ operation: "setAvatar", changes: ["image"], before: { mediaUrl: null } });
    await tandem.services.afterResponse.idle();
    const status = async (address = draft?.mediaUrl) => (await fetch(tandem.baseUrl + address)).status;
    expect([await status(), (await profile()).avatarUrl]).toEqual([200, null]);
    await ada.approveDraft({ id: first });
    expect(await profile()).toMatchObject({
      avatarUrl: draft?.mediaUrl,
      aiGeneratedFields: ["displayName", "avatarUrl"],
    });
    const second = await pendingDraft(agent.setAvatar({ image: await image() }));
    const address = (await newest())?.mediaUrl;
    await ada.deleteDraft({ id: second });
    await tandem.services.afterResponse.idle();
    expect([await status(), await status(address)]).toEqual([200, 404]);
  });

  test("a banner, and its removal", async () => {
    await hold();
    const set = await pendingDraft(agent.setBanner({ image: await image() }));
    const draft = await newest();
    expect(draft).toMatchObject({ operation: "setBanner", changes: ["image"], before: { mediaUrl: null } });
    expect(draft).toMatchObject({ provenance: "ai_generated", provenanceBasis: "stamped" });
    expect((await profile()).bannerUrl).toBe(null);
    await ada.approveDraft({ id: set });
    expect((await profile()).bannerUrl).toBe(draft?.mediaUrl);
    const removal = await pendingDraft(agent.deleteBanner());
    expect(await newest()).toMatchObject({ changes: [], before: { mediaUrl: draft?.mediaUrl } });
    await ada.approveDraft({ id: removal });
    expect((await profile()).bannerUrl).toBe(null);
  });

  if (runsOnceTests(engine))
    test("what a key wrote is labelled while it waits as when it is published, and what it changes as it is", async () => {
      const { post } = await ada.createPost({ title: "By Ada" });
      const key = await tandem.as.key(undefined, ada);
      await ada.editKey({ id: key.keyId, approval: true });
      await ada.editProfile({ displayName: "Ada", bio: "Weaves.", links: ["https://example.org/ada"] });
      const { product } = await ada.createProduct({ title: "A loom", url });
      const { comment } = await ada.createComment({ id: post.id, body: "By Ada, too." });
      const human = { provenance: "human", provenanceBasis: "declared" };
      const stamped = { provenance: "ai_generated", provenanceBasis: "stamped" };
      const none = { provenance: null, provenanceBasis: null };
      const said = await pendingDraft(key.createComment({ id: post.id, body: "By a key." }));
      expect(await newest()).toMatchObject({ ...stamped, before: null });
      const { commentId } = await ada.approveDraft({ id: said });
      await pendingDraft(key.editComment({ id: Number(commentId), body: "By a key again." }));
      expect(await newest()).toMatchObject({ ...stamped, before: stamped });
      await pendingDraft(key.editComment({ id: comment.id, body: "By a key." }));
      expect(await newest()).toMatchObject({ ...stamped, before: human });
      await pendingDraft(key.editPost({ id: post.id, title: "By a key" }));
      expect(await newest()).toMatchObject({ ...stamped, before: human });
      await pendingDraft(key.deleteComment({ id: comment.id }));
      expect(await newest()).toMatchObject({ ...none, before: human });
      await pendingDraft(key.likePost({ id: post.id }));
      expect(await newest()).toMatchObject(none);
      await pendingDraft(key.editProfile({ displayName: "Ada", bio: null, links: [] }));
      expect(await newest()).toMatchObject(none);
      for (const change of [
        { displayName: "Ada L." },
        { bio: "Knits." },
        { links: ["https://example.org"] },
      ]) {
        await pendingDraft(key.editProfile(change));
        expect(await newest()).toMatchObject(stamped);
      }
      const attached = await pendingDraft(key.attachProduct({ id: post.id, productId: product.id }));
      expect(await newest()).toMatchObject({ ...stamped, before: human });
      await ada.approveDraft({ id: attached });
      expect((await ada.readPost({ id: post.id })).post).toMatchObject(stamped);
    });

  once("deletions of posts and comments", async () => {
    const { post } = await agent.createPost({ title: "Mine" });
    const { comment } = await agent.createComment({ id: post.id, body: "Also mine." });
    await hold();
    const removal = await pendingDraft(agent.deleteComment({ id: comment.id }));
    expect(await newest()).toMatchObject({ commentId: comment.id, before: { body: "Also mine." } });
    await ada.approveDraft({ id: removal });
    expect((await ada.readPost({ id: post.id })).post.commentCount).toBe(0);
    const deleted = await pendingDraft(agent.deletePost({ id: post.id }));
    expect(await newest()).toMatchObject({ postId: post.id, before: { title: "Mine" } });
    const response = await ada.approveDraft({ id: deleted });
    expect(response).toMatchObject({ published: true, postId: null });
    expect((await ada.call("readPost", { id: post.id })).status).toBe(404);
    const { activity } = await ada.listActivity({ limit: 1 });
    expect(activity).toMatchObject([{ operation: "deletePost", postId: post.id }]);
  });

  once("likes, follows and memberships, but nothing that only the account sees", async () => {
    const author = await tandem.as.human();
    const { post } = await author.createPost({ title: "On looms", provenance: "ai_assisted" });
    const { comment } = await author.createComment({ id: post.id, body: "And yarn." });
    const { community } = await author.createCommunity({ name: `weavers_${post.id}` });
    await hold();
    const { name } = community;
    const creator = { platform: "native", author: author.user.username } as const;
    const { id, title, provenance, provenanceBasis } = post;
    const about = { id, title, excerpt: null, provenance, provenanceBasis };
    const none = { creator: null, post: null, community: null };
    const onPost = { ...none, postId: id, commentId: null, post: about };
    const onComment = { ...none, postId: null, commentId: comment.id, post: about };
    const calls: [() => Promise<unknown>, object][] = [
      [() => agent.likePost({ id }), onPost],
      [() => agent.likeComment({ id: comment.id }), onComment],
      [() => agent.follow(creator), { ...none, creator }],
      [() => agent.joinCommunity({ name }), { ...none, community: name }],
      [() => agent.unlikePost({ id }), onPost],
      [() => agent.unlikeComment({ id: comment.id }), onComment],
      [() => agent.unfollow(creator), { ...none, creator }],
      [() => agent.leaveCommunity({ name }), { ...none, community: name }],
    ];
    const counts = async () => {
      const [{ comments }, read] = [await ada.listComments({ id }), await ada.readPost({ id })];
      const { communities } = await ada.listCommunities({ sort: "new", limit: 1 });
      const { creator: followed } = await ada.readCreator(creator);
      const likes = [read.post.likeCount, comments[0]?.likeCount];
      return [...likes, followed.followerCount, communities[0]?.memberCount];
    };
    for (const [i, [call, expected]] of calls.entries()) {
      const before = await counts();
      const draft = await pendingDraft(call());
      expect(await newest()).toMatchObject({
        id: draft,
        state: "pending",
        changes: [],
        before: null,
        provenance: null,
        ...expected,
      });
      expect(await counts()).toEqual(before);
      expect(await ada.approveDraft({ id: draft })).toMatchObject({ published: true, postId: null });
      const delta = i < 4 ? 1 : -1;
      expect(await counts()).toEqual(before.map((count, at) => Number(count) + (at === i % 4 ? delta : 0)));
    }
    const { activity } = await ada.listActivity({ limit: calls.length * 2 });
    const performed = activity.filter(({ operation }) => operation !== "createDraft").reverse();
    expect(performed.map(({ operation }) => operation)).toEqual([
      ...["likePost", "likeComment", "follow", "joinCommunity"],
      ...["unlikePost", "unlikeComment", "unfollow", "leaveCommunity"],
    ]);
    expect(performed[2]).toMatchObject({ creator: `native/${author.user.username}` });
    expect(await agent.savePost({ id })).toEqual({ saved: true });
    expect(await agent.viewPost({ id })).toMatchObject({ viewCount: expect.any(Number) });
  });

  test("a like is refused immediately or on approval, as it would be without one", async () => {
    const author = await tandem.as.human();
    const { post } = await author.createPost({ title: "Not for everyone" });
    await hold();
    expect((await agent.call("likePost", { id: post.id + 1000 })).status).toBe(404);
    await ada.approveDraft({ id: await pendingDraft(agent.likePost({ id: post.id })) });
    const follow = await pendingDraft(agent.follow({ platform: "native", author: author.user.username }));
    await author.block({ username: agent.agent.username });
    expect((await agent.call("likePost", { id: post.id })).status).toBe(403);
    expect((await ada.call("approveDraft", { id: follow })).status).toBe(403);
    expect((await ada.undoAgent({ id: agent.agent.id })).undone).toMatchObject({ likes: 1, drafts: 1 });
    expect((await ada.readPost({ id: post.id })).post.likeCount).toBe(0);
  });

  test("what waits already isn't stored again, the opposite takes it back, and what changes nothing doesn't wait", async () => {
    const { post } = await ada.createPost({ title: "Again and again" });
    const { id } = post;
    const creator = { platform: "native", author: ada.user.username } as const;
    await hold();
    const drafts = async () => (await ada.listDrafts()).drafts.map(({ operation }) => operation);
    const like = await pendingDraft(agent.likePost({ id }));
    const again = await Promise.all([1, 2, 3].map(() => pendingDraft(agent.likePost({ id }))));
    expect([like, ...again]).toEqual(Array.from({ length: 4 }, () => like));
    const wanted = (await ada.listNotifications({ type: "approval_wanted" })).notifications;
    expect(wanted.map(({ draftId }) => draftId)).toEqual([like]);
    const follow = await pendingDraft(agent.follow(creator));
    const shouted = { ...creator, author: creator.author.toUpperCase() };
    expect(await pendingDraft(agent.follow(shouted))).toBe(follow);
    expect(await drafts()).toEqual(["follow", "likePost"]);
    expect(await agent.unlikePost({ id })).toMatchObject({ liked: false, likeCount: 0 });
    expect(await agent.unfollow(shouted)).toEqual({ following: false });
    expect(await drafts()).toEqual([]);
    await ada.approveDraft({ id: await pendingDraft(agent.likePost({ id })) });
    expect(await agent.likePost({ id })).toMatchObject({ liked: true, likeCount: 1 });
    await pendingDraft(agent.unlikePost({ id }));
    expect(await agent.likePost({ id })).toMatchObject({ liked: true });
    expect(await drafts()).toEqual([]);
    const { activity } = await ada.listActivity({ limit: 1 });
    expect(activity).toMatchObject([{ operation: "likePost", postId: id }]);
  });

  test("a key lists and withdraws its likes with the scope that it needs for them, and no one edits them", async () => {
    const { post } = await ada.createPost({ title: "Liked by a key" });
    const key = await tandem.as.key(["engagement:write"], ada);
    await ada.editKey({ id: key.keyId, approval: true });
    await ada.createDraft({ title: "Not the key's business" });
    const id = await pendingDraft(key.likePost({ id: post.id }));
    expect((await key.listDrafts()).drafts).toMatchObject([{ id, operation: "likePost" }]);
    expect((await ada.listDrafts({ state: "pending" })).drafts).toMatchObject([{ id }]);
    expect((await ada.listDrafts({ state: "kept" })).drafts).toMatchObject([{ operation: "createPost" }]);
    const edit = await ada.call("editDraft", { id, title: "No" });
    expect([edit.status, edit.body.code, edit.body.field]).toEqual([400, "invalid_input", "title"]);
    await key.deleteDraft({ id });
    expect((await ada.listDrafts({ state: "pending" })).drafts).toEqual([]);
  });

  once("a dry run of a like says that it would wait, and keeps no draft", async () => {
    const { post } = await ada.createPost({ title: "Dry" });
    await hold();
    const { status, body } = await agent.call("likePost", { id: post.id }, { dryRun: true });
    expect([status, body]).toMatchObject([202, { dryRun: true, pending: { operation: "likePost" } }]);
    expect(await newest()).toBeUndefined();
    expect((await ada.readPost({ id: post.id })).post.likeCount).toBe(0);
  });
});
