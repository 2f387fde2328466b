import { limits } from "@tandem/contract/limits";
import type { CommentVersion, PostVersion } from "@tandem/contract/versions";
import { makeAdmin } from "@tandem/testing/admins";
import type { AgentCaller, Caller, Person } from "@tandem/testing/callers";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Item } from "../../origins/connector.ts";
import { ingest } from "../sources/ingest.ts";

/** A version as "number maker provenance/basis title". */
const short = ({ version, madeBy, provenance, provenanceBasis, ...content }: PostVersion | CommentVersion) =>
  `${version} ${madeBy} ${provenance}/${provenanceBasis} ${"title" in content ? content.title : content.body}`;

describe.each(engines)("versions on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let key: Caller & { keyId: number };
  let agent: AgentCaller;
  let admin: Person;
  let stranger: Caller;

  beforeAll(async () => {
    tandem = await startTandem(engine);
    ada = await tandem.as.human();
    key = await tandem.as.key(["posts:write", "comments:write", "products:write"], ada);
    agent = await tandem.as.agent(ada);
    admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    stranger = tandem.as.anonymous();
  });
  afterAll(() => tandem.stop());

  const postVersions = async (id: number, as: Caller = stranger) =>
    (await as.listPostVersions({ id })).versions;
  const commentVersions = async (id: number, as: Caller = stranger) =>
    (await as.listCommentVersions({ id })).versions;

  once("every edit of a post that readers see is one, with its time, mark and maker", async () => {
    const { id, postedAt } = (await ada.createPost({ title: "One", body: "By hand" })).post;
    expect((await postVersions(id)).map(short)).toEqual(["1 person human/declared One"]);
    const { editedAt } = (await ada.editPost({ id, title: "Two", url: "https://example.org/two" })).post;
    await key.editPost({ id, title: "Three", url: null });
    await ada.editPost({ id, title: "Four" });
    const versions = await postVersions(id);
    expect(versions.map(short)).toEqual([
      "4 person ai_generated/stamped Four",
      "3 ai ai_generated/stamped Three",
      "2 person human/declared Two",
      "1 person human/declared One",
    ]);
    expect(versions[2]).toMatchObject({
      madeAt: editedAt,
      url: "https://example.org/two",
      mediaType: "link",
    });
    expect(versions[3]).toMatchObject({ madeAt: postedAt, url: null, mediaType: "text", body: "By hand" });
    expect(versions.map(({ current, notKept, cleared }) => [current, notKept, cleared])).toEqual([
      [true, 0, null],
      ...Array.from({ length: 3 }, () => [false, 0, null]),
    ]);
    const { product } = await ada.createProduct({ title: "A loom", url: "https://example.org/loom" });
    await ada.attachProduct({ id, productId: product.id });
    expect((await postVersions(id)).slice(0, 2).map(({ productIds }) => productIds)).toEqual([
      [product.id],
      [],
    ]);
  });

  if (runsOnceTests(engine))
    test("an edit that changes nothing is none, nor are likes, a dry run, and a product's new title", async () => {
      const { product } = await ada.createProduct({ title: "A loom", url: "https://example.org/loom" });
      const { id } = (await ada.createPost({ title: "Same", productIds: [product.id] })).post;
      expect((await ada.editPost({ id, title: "Same" })).post.editedAt).toBeNull();
      await ada.call("editPost", { id, title: "Only tried" }, { dryRun: true });
      await ada.likePost({ id });
      await ada.editProduct({ id: product.id, title: "A fine loom" });
      expect((await postVersions(id)).map(short)).toEqual(["1 person human/declared Same"]);
      // A key's new title is text of a key's in the post.
      await key.editProduct({ id: product.id, title: "The finest loom" });
      await key.editProduct({ id: product.id, title: "The very finest loom" });
      expect((await postVersions(id)).map(short)).toEqual([
        "2 ai ai_generated/stamped Same",
        "1 person human/declared Same",
      ]);
    });

  test("comments have them, too, until they are deleted", async () => {
    const { id } = (await ada.createPost({ title: "A post" })).post;
    const { comment } = await ada.createComment({ id, body: "One" });
    await ada.editComment({ id: comment.id, body: "One" });
    await key.editComment({ id: comment.id, body: "Two" });
    await ada.editComment({ id: comment.id, body: "Three" });
    expect((await commentVersions(comment.id)).map(short)).toEqual([
      "3 person ai_generated/stamped Three",
      "2 ai ai_generated/stamped Two",
      "1 person human/declared One",
    ]);
    await agent.createComment({ id, body: "A reply", parentId: comment.id });
    await ada.deleteComment({ id: comment.id });
    expect(await stranger.call("listCommentVersions", { id: comment.id })).toMatchObject({ status: 404 });
    const { read } = tandem.storage;
    const left = read.selectFrom("comment_versions").select("version").where("comment_id", "=", comment.id);
    expect(await left.execute()).toEqual([]);
  });

  test("the key that made one is named to the person responsible, and to no one else", async () => {
    const { key: named } = await ada.mintKey({
      agentId: agent.agent.id,
      name: "Night shift",
      scopes: ["posts:write"],
    });
    const { id } = (await agent.createPost({ title: "By an agent" })).post;
    await agent.editPost({ id, title: "By the same agent" });
    const keys = async (as: Caller) => (await postVersions(id, as)).map((version) => version.key);
    const own = { id: agent.keyId, name: expect.any(String) };
    expect(await keys(ada)).toEqual([own, own]);
    for (const other of [stranger, admin, agent, key]) expect(await keys(other)).toEqual([null, null]);
    await ada.revokeKey({ id: agent.keyId });
    expect(await keys(ada)).toEqual([own, own].map(({ id }) => ({ id, name: null })));
    expect(named.name).toBe("Night shift");
    agent = await tandem.as.agent(ada);
  });

  test("their author can clear the earlier ones: the text goes; time, maker and mark stay", async () => {
    const { id } = (await ada.createPost({ title: "My address" })).post;
    await key.editPost({ id, title: "Removed" });
    const { comment } = await ada.createComment({ id, body: "My number" });
    await ada.editComment({ id: comment.id, body: "Removed" });
    expect(await admin.call("clearPostVersions", { id })).toMatchObject({ status: 403 });
    expect(await key.call("clearPostVersions", { id })).toMatchObject({ body: { code: "session_required" } });
    expect(await ada.clearPostVersions({ id })).toEqual({ cleared: 1 });
    expect(await ada.clearPostVersions({ id })).toEqual({ cleared: 0 });
    expect(await ada.clearCommentVersions({ id: comment.id })).toEqual({ cleared: 1 });
    const [current, first] = await postVersions(id);
    expect(current).toMatchObject({ title: "Removed", cleared: null });
    expect(first).toMatchObject({
      title: null,
      mediaType: null,
      madeBy: "person",
      provenance: "human",
      cleared: { by: "author", at: expect.any(String) },
    });
    expect((await commentVersions(comment.id))[1]).toMatchObject({ body: null, cleared: { by: "author" } });
    const { read } = tandem.storage;
    const texts = await read
      .selectFrom("post_versions")
      .select("content")
      .where("post_id", "=", id)
      .execute();
    expect(texts).toEqual([{ content: null }]);
  });

  once("moderators clear them, alone or with the post, and restoring doesn't bring them back", async () => {
    const { id } = (await ada.createPost({ title: "Insult" })).post;
    await ada.editPost({ id, title: "Praise" });
    expect(await ada.call("removePostVersions", { id })).toMatchObject({ status: 403 });
    expect(await admin.removePostVersions({ id })).toEqual({ cleared: 1 });
    await ada.editPost({ id, title: "Insult again" });
    await admin.removePost({ id, reason: "Insults" });
    for (const caller of [stranger, ada])
      expect(await caller.call("listPostVersions", { id })).toMatchObject({ status: 404 });
    await admin.restorePost({ id });
    expect((await postVersions(id)).map(({ title, cleared }) => [title, cleared?.by])).toEqual([
      ["Insult again", undefined],
      [null, "moderator"],
      [null, "moderator"],
    ]);
    const { comment } = await ada.createComment({ id, body: "One" });
    await ada.editComment({ id: comment.id, body: "Two" });
    expect(await admin.removeCommentVersions({ id: comment.id })).toEqual({ cleared: 1 });
    await admin.removeComment({ id: comment.id, reason: "Insults" });
    expect(await stranger.call("listCommentVersions", { id: comment.id })).toMatchObject({ status: 404 });
    await admin.restoreComment({ id: comment.id });
    expect((await commentVersions(comment.id)).map(({ body }) => body)).toEqual(["Two", null]);
  });

  test("the first and the latest are kept, in pages, and the list says how many aren't", async () => {
    const edits = limits.versionsKept + 5;
    const { id } = (await ada.createPost({ title: "0" })).post;
    for (let i = 1; i <= edits; i++) await ada.editPost({ id, title: String(i) });
    const all: PostVersion[] = [];
    for await (const version of stranger.pages.listPostVersions({ id, limit: 20 })) all.push(version);
    expect(all).toHaveLength(limits.versionsKept + 1);
    expect(all.map(({ title }) => Number(title))).toEqual([
      ...Array.from({ length: limits.versionsKept }, (_, i) => edits - i),
      0,
    ]);
    expect(all.filter(({ notKept }) => notKept > 0)).toMatchObject([
      { version: edits + 2 - limits.versionsKept, notKept: edits - limits.versionsKept },
    ]);
    expect(await stranger.call("listPostVersions", { id, limit: 51 })).toMatchObject({ status: 400 });
  });

  test("a change at the origin of an imported post is one, and a new signature of a file is none", async () => {
    const item = (title: string, mediaUrl: string, isBot = false): Item => ({
      ...{
        key: "t3_a",
        permalink: "https://www.reddit.com/a",
        link: null,
        author: "bob",
        authorAvatarUrl: null,
      },
      ...{
        title,
        body: null,
        mediaType: "image",
        mediaUrl,
        audioUrl: null,
        thumbnailUrl: null,
        width: 4,
        height: 3,
      },
      ...{
        durationSeconds: null,
        alt: null,
        pictures: [],
        contentWarning: null,
        sensitive: false,
        community: "engines",
        postedAt: Date.UTC(2026, 4, 1),
      },
      ...{ score: 1, commentCount: null, thread: null },
      provenance: isBot ? "ai_generated" : null,
    });
    const visit = (only: Item) =>
      tandem.storage.write(async (tx) => {
        const name = {
          platform: "reddit",
          name: "r/engines",
          url: "https://www.reddit.com/r/engines/new",
        } as const;
        const { id } = await tx
          .insertInto("sources")
          .values(name)
          .onConflict((conflict) =>
            conflict.columns(["platform", "url"]).doUpdateSet({ community: "engines" }),
          )
          .returning("id")
          .executeTakeFirstOrThrow();
        const source = {
          id,
          platform: "reddit",
          name: "r/engines",
          community: "engines",
          url: null,
        } as const;
        const imported = { items: [only], brief: false, unchanged: false, gone: [], complete: false };
        await ingest(tx, source, { ...imported, askAgainAfter: null }, Date.UTC(2026, 5, 1));
      });
    await visit(item("An engine", "https://i.redd.it/a.png?s=1"));
    const [post] = (await stranger.listPosts({ platform: "reddit" })).posts;
    const id = Number(post?.id);
    await visit(item("An engine", "https://i.redd.it/a.png?s=2"));
    expect(await postVersions(id)).toHaveLength(1);
    await visit(item("A better engine", "https://i.redd.it/b.png"));
    await visit(item("A better engine", "https://i.redd.it/b.png", true));
    const versions = await postVersions(id);
    expect(versions.map(short)).toEqual([
      "3 origin ai_generated/origin A better engine",
      "2 origin human/assumed A better engine",
      "1 origin human/assumed An engine",
    ]);
    expect(versions.map(({ otherMedia }) => otherMedia)).toEqual([false, false, true]);
    expect((await stranger.readPost({ id })).post.editedAt).toBe("2026-06-01T00:00:00.000Z");
    for (let i = 0; i < limits.importedVersionsKept + 3; i++)
      await visit(item(`${i}`, "https://i.redd.it/b.png"));
    expect(await postVersions(id)).toHaveLength(limits.importedVersionsKept + 1);
  });
});
