import { DAY } from "@tandem/contract/durations";
import { makeAdmin } from "@tandem/testing/admins";
import type { AgentCaller, Person } from "@tandem/testing/callers";
import { pendingDraft } from "@tandem/testing/pending-draft";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

describe.each(engines)("what drafts refer to on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  let agent: AgentCaller;
  beforeAll(async () => {
    tandem = await startTandem(engine);
  });
  beforeEach(async () => {
    [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    agent = await tandem.as.agent(ada);
  });
  afterAll(() => tandem.stop());

  const hold = () => ada.editKey({ id: agent.keyId, approval: true });
  const drafts = async () => (await ada.listDrafts()).drafts;
  const newest = async () => (await drafts())[0];
  const nothing = { comment: null, products: null, quote: null, chosenOptions: null };

  once("is nothing for a draft that names nothing", async () => {
    const { draft } = await ada.createDraft({ title: "Alone", productIds: [] });
    expect(draft).toMatchObject({ ...nothing, products: [] });
    expect((await ada.createDraft({ title: "Alone" })).draft).toMatchObject(nothing);
  });

  test("is the comment that a draft replies to or likes, until it is deleted or its post removed", async () => {
    const { post } = await bob.createPost({ title: "By Bob" });
    await bob.editProfile({ displayName: "Bob B." });
    const body = `Whole: ${"*long* ".repeat(200)}`.trim();
    const { comment: parent } = await bob.createComment({ id: post.id, body });
    const { comment: other } = await agent.createComment({ id: post.id, body: "By the agent" });
    await hold();
    await pendingDraft(agent.createComment({ id: post.id, body: "First" }));
    await pendingDraft(agent.createComment({ id: post.id, body: "Reply", parentId: parent.id }));
    await pendingDraft(agent.likeComment({ id: parent.id }));
    await pendingDraft(agent.createComment({ id: post.id, body: "To itself", parentId: other.id }));
    await pendingDraft(agent.editComment({ id: other.id, body: "Better" }));
    await pendingDraft(agent.deleteComment({ id: other.id }));
    const comments = async () => (await drafts()).map(({ comment }) => comment);
    const { username } = bob.user;
    const byBob = { id: parent.id, username, authorName: "Bob B.", body, isAiGenerated: false };
    const own = {
      ...{ id: other.id, username: agent.agent.username },
      ...{ body: "By the agent", isAiGenerated: true },
    };
    expect(await comments()).toEqual([null, null, own, byBob, byBob, null]);
    const { id } = (await drafts())[3] ?? { id: 0 };
    expect((await ada.readDraft({ id })).draft?.comment).toEqual(byBob);
    await bob.deleteComment({ id: parent.id });
    expect(await comments()).toEqual([null, null, own, null, null, null]);
    await bob.deletePost({ id: post.id });
    expect(await comments()).toEqual([null, null, null, null, null, null]);
  });

  once("is the products that a new post shows, in its order and with their original addresses", async () => {
    const product = async (title: string) =>
      (await agent.createProduct({ title, url: `https://example.org/${title}` })).product;
    const [loom, comb, reed] = [await product("loom"), await product("comb"), await product("reed")];
    const shown = ({ id, title }: typeof loom) => ({
      ...{ id, title, url: `https://example.org/${title}`, isAiGenerated: true },
    });
    await hold();
    const productIds = [reed.id, loom.id, comb.id];
    await pendingDraft(agent.createPost({ title: "Buy", productIds }));
    expect(await newest()).toMatchObject({ productIds, products: [reed, loom, comb].map(shown) });
    await ada.editKey({ id: agent.keyId, approval: false });
    await agent.deleteProduct({ id: loom.id });
    const draft = await newest();
    expect(draft).toMatchObject({ productIds, products: [reed, comb].map(shown) });
    // Deleting a product takes it off posts, also those to come.
    const { postId } = await ada.approveDraft({ id: draft?.id ?? 0 });
    const { post } = await ada.readPost({ id: postId ?? 0 });
    expect(post.products?.map(({ id }) => id)).toEqual([reed.id, comb.id]);
  });

  test("is each product once, and a draft without its deleted ones can be published", async () => {
    const url = "https://example.org/loom";
    const [{ product: loom }, { product: comb }] = [
      await ada.createProduct({ title: "Loom", url }),
      await ada.createProduct({ title: "Comb", url }),
    ];
    const productIds = [loom.id, comb.id, loom.id];
    const { draft } = await ada.createDraft({ title: "Buy", productIds });
    expect(draft.products?.map(({ title }) => title)).toEqual(["Loom", "Comb"]);
    await ada.deleteProduct({ id: loom.id });
    await ada.deleteProduct({ id: comb.id });
    expect((await newest())?.products).toEqual([]);
    const { postId } = await ada.publishDraft({ id: draft.id });
    expect((await ada.readPost({ id: postId ?? 0 })).post.products).toEqual([]);
  });

  once("is the quoted post as its author can quote it", async () => {
    const poll = { options: ["Twill", "Plain"], closesAt: new Date(Date.now() + DAY).toISOString() };
    const { post } = await bob.createPost({ title: "Which?", body: "*One* of them", poll });
    await hold();
    await pendingDraft(agent.createPost({ title: "See", quoteId: post.id }));
    const own = await ada.createDraft({ title: "My own", quoteId: post.id });
    const quotes = async () => (await drafts()).map(({ quote }) => quote?.title ?? null);
    expect(own.draft.quote).toEqual((await newest())?.quote);
    expect(own.draft.quote).toMatchObject({
      ...{ id: post.id, title: "Which?", body: "One of them", author: bob.user.username },
      ...{ poll: { options: poll.options }, provenance: "human" },
    });
    await bob.editPost({ id: post.id, title: "Which one?" });
    expect(await quotes()).toEqual(["Which one?", "Which one?"]);
    await bob.editPost({ id: post.id, quotePolicy: "nobody" });
    expect(await quotes()).toEqual([null, null]);
    await bob.editPost({ id: post.id, quotePolicy: "anyone" });
    await bob.block({ username: agent.agent.username });
    expect(await quotes()).toEqual(["Which one?", null]);
    await bob.unblock({ username: agent.agent.username });
    await ada.block({ username: bob.user.username });
    expect(await quotes()).toEqual([null, null]);
    await ada.unblock({ username: bob.user.username });
    expect(await quotes()).toEqual(["Which one?", "Which one?"]);
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    await admin.suspendAccount({ id: bob.user.id, reason: "Spam" });
    expect(await quotes()).toEqual([null, null]);
    await admin.liftSuspension({ id: bob.user.id });
    expect(await quotes()).toEqual(["Which one?", "Which one?"]);
    await bob.deletePost({ id: post.id });
    expect(await quotes()).toEqual([null, null]);
    const { draft } = await ada.editDraft({ id: own.draft.id, quoteId: null });
    expect(draft).toMatchObject({ quoteId: null, quote: null });
  });

  once("can be the author's own post that no one else can quote, and what the reader mutes", async () => {
    const { post: own } = await ada.createPost({ title: "Mine alone", quotePolicy: "nobody" });
    const { post } = await bob.createPost({ title: "Muted" });
    await ada.mute({ platform: "native", author: bob.user.username });
    await ada.createDraft({ title: "Again", quoteId: own.id });
    await ada.createDraft({ title: "Too", quoteId: post.id });
    expect((await drafts()).map(({ quote }) => quote?.title)).toEqual(["Muted", "Mine alone"]);
  });

  once("is the text of what a vote chooses", async () => {
    const closesAt = new Date(Date.now() + DAY).toISOString();
    const poll = { options: ["Twill", "Plain", "Satin"], isMultiple: true, closesAt };
    const { post } = await bob.createPost({ title: "Which?", poll });
    await hold();
    await pendingDraft(agent.vote({ id: post.id, choices: [0, 2] }));
    expect(await newest()).toMatchObject({ choices: [0, 2], chosenOptions: ["Twill", "Satin"] });
    await bob.deletePost({ id: post.id });
    expect(await newest()).toMatchObject({ choices: [0, 2], chosenOptions: null });
  });
});
