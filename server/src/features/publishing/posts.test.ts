import { MINUTE } from "@tandem/contract/durations";
import type { OperationName } from "@tandem/contract/operations";
import type { Post } from "@tandem/contract/post-resources";
import type { AgentCaller, Caller, Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { pixel } from "@tandem/testing/inputs";
import { sendRequest } from "@tandem/testing/raw-http";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("posts", () => {
  let tandem: Tandem;
  let ada: Person;
  let agent: AgentCaller;
  const clock = stoppedClock(Date.UTC(2026, 0, 31, 12, 0, 0, 7));

  beforeAll(async () => {
    tandem = await startTandem("sqlite", { now: clock.now });
    ada = await tandem.as.human("ada");
    agent = await tandem.as.agent(ada);
  });
  afterAll(() => tandem.stop());

  const bare = {
    platform: "native",
    author: "ada",
    body: null,
    mediaType: "text",
    mediaUrl: null,
    thumbnailUrl: null,
    url: null,
    card: null,
    community: null,
    width: null,
    height: null,
    durationSeconds: null,
    alt: null,
    thumbHash: null,
    originalUrl: null,
    mediaState: null,
    provenance: "human",
    provenanceBasis: "declared",
    authorIsAgent: false,
    authorAvatarUrl: null,
    sourceName: null,
    postedAt: "2026-01-31T12:00:00.007Z",
    editedAt: null,
    products: [],
    score: 0,
    likeCount: 0,
    aiLikeCount: 0,
    commentCount: 0,
    viewCount: 0,
    storyCount: 1,
    origin: null,
    liked: false,
    saved: false,
    followedCreator: false,
  } satisfies Omit<Post, "id" | "title">;

  test("a post has every field, and is the same on its own and in the feed", async () => {
    const { post } = await ada.createPost({ title: "A title" });
    expect(post).toEqual({ ...bare, id: expect.any(Number), title: "A title" });
    const anonymous = tandem.as.anonymous();
    expect(await anonymous.readPost({ id: post.id })).toEqual({ post });
    expect((await anonymous.listPosts({ limit: 1 })).posts).toEqual([post]);
  });

  test("a post with a url is a link post", async () => {
    const url = "https://example.org/a?b=c#d";
    const { post } = await ada.createPost({ title: "A link", url, body: "Look." });
    expect(post).toMatchObject({ mediaType: "link", mediaUrl: url, url, body: "Look." });
  });

  test.each([
    ["title", { title: undefined }],
    ["title", { title: null }],
    ["title", { title: "  \n " }],
    ["title", { title: "x".repeat(301) }],
    ["body", { body: "x".repeat(10_001) }],
    ["url", { url: "ftp://example.org/" }],
    ["url", { url: "javascript:alert(1)" }],
    ["url", { url: `https://example.org/${"x".repeat(2030)}` }],
    ["provenance", { provenance: "alien" }],
    ["productIds", { productIds: "1" }],
    ["productIds", { productIds: [0] }],
  ])("rejects an invalid %s: %j", async (field, input) => {
    const { status, body } = await ada.call("createPost", { title: "A title", ...input });
    expect({ status, code: body.code, field: body.field }).toEqual({
      status: 400,
      code: "invalid_input",
      field,
    });
  });

  test("counts lengths in code points, and returns text unchanged", async () => {
    const title = "🧵".repeat(300);
    const body = `"quotes" \\ \u2028 </script> ٤ ${"𝒜".repeat(9900)}`;
    const { post } = await ada.createPost({ title, body });
    const { posts } = await tandem.as.anonymous().listPosts({ limit: 1 });
    for (const read of [post, posts[0]]) expect(read).toMatchObject({ title, body });
  });

  test("ignores fields that a post shows and no one sets", async () => {
    const { status, body } = await sendRequest(tandem.baseUrl, {
      method: "POST",
      path: "/api/posts",
      headers: { ...ada.options.headers, "content-type": "application/json" },
      body: JSON.stringify({
        title: "Mine",
        id: 999_999,
        score: 9,
        author: "eve",
        authorIsAgent: true,
      }),
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: { post: { ...bare, id: expect.any(Number), title: "Mine" } },
    });
  });

  test("an edit changes only the given fields; null clears body and url", async () => {
    const link = "https://example.org/";
    const { post } = await ada.createPost({ title: "Before", body: "Text", url: link });
    clock.pass(MINUTE);
    const edit = async (input: { title?: string; body?: string | null; url?: string | null }) => {
      const response = await ada.editPost({ id: post.id, ...input });
      expect(await ada.readPost({ id: post.id })).toEqual(response);
      return response.post;
    };
    const changed = { ...post, editedAt: "2026-01-31T12:01:00.007Z" };
    expect(await edit({ title: "After" })).toEqual({ ...changed, title: "After" });
    expect(await edit({ body: null })).toEqual({ ...changed, title: "After", body: null });
    const cleared = { ...changed, title: "After", body: null, url: null, mediaUrl: null, mediaType: "text" };
    expect(await edit({ url: null })).toEqual(cleared);
    expect(await edit({ url: link, body: "" })).toEqual({
      ...cleared,
      body: "",
      url: link,
      mediaUrl: link,
      mediaType: "link",
    });
  });

  test("an edit that changes nothing makes no version; by a key, it stamps what wasn't stamped", async () => {
    const text = { title: "Same", body: "Text", url: "https://example.org/" };
    const { post } = await ada.createPost(text);
    const { comment } = await ada.createComment({ id: post.id, body: "Same" });
    const key = await tandem.as.key(["posts:write", "comments:write"], ada);
    const edit = async (caller: Caller) => {
      clock.pass(MINUTE);
      return [
        (await caller.editPost({ id: post.id, ...text })).post,
        (await caller.editComment({ id: comment.id, body: "Same" })).comment,
      ];
    };
    expect(await edit(ada)).toEqual([{ ...post, commentCount: 1 }, comment]);
    const stamped = await edit(key);
    expect(stamped).toMatchObject([{ provenance: "ai_generated" }, { isAiGenerated: true }]);
    expect(await edit(key)).toEqual(stamped);
    expect(await edit(ada)).toEqual(stamped);
    expect((await ada.listPostVersions({ id: post.id })).versions.length).toBe(2);
    expect((await ada.listCommentVersions({ id: comment.id })).versions.length).toBe(2);
    const { draft } = await ada.createDraft(text);
    expect((await ada.editDraft({ id: draft.id, ...text })).draft).toEqual(draft);
    const other = { title: "Another", body: "Text" };
    const { draft: touched } = await ada.createDraft(other);
    await key.editDraft({ id: touched.id, ...other });
    const { postId } = await ada.publishDraft({ id: touched.id });
    expect((await ada.readPost({ id: Number(postId) })).post).toMatchObject({ provenance: "ai_generated" });
  });

  test("refuses what would be lost without a file", async () => {
    const refused = async (name: OperationName, input: object) => {
      const { status, body } = await ada.call(name, input);
      return [status, body.code, body.field];
    };
    const { post } = await ada.createPost({ title: "Text" });
    const { draft } = await ada.createDraft({ title: "Text" });
    const alt = "A loom";
    expect(await refused("createPost", { title: "Text", alt })).toEqual([400, "invalid_input", "alt"]);
    expect(await refused("createPost", { title: "Text", image: pixel, thumbnail: pixel })).toEqual([
      400,
      "invalid_input",
      "thumbnail",
    ]);
    expect(await refused("editPost", { id: post.id, alt })).toEqual([400, "invalid_input", "alt"]);
    expect(await refused("createDraft", { title: "Text", alt })).toEqual([400, "invalid_input", "alt"]);
    expect(await refused("editDraft", { id: draft.id, alt })).toEqual([400, "invalid_input", "alt"]);
    expect((await ada.call("createPost", { title: "Text", alt: "" })).status).toBe(200);
  });

  test("rejects clearing the title, or more than a line", async () => {
    const { post } = await ada.createPost({ title: "Stays" });
    for (const title of [null, "", " ", "Two\nlines", "Two\u2028lines"]) {
      const { status, body } = await ada.call("editPost", { id: post.id, title });
      expect({ status, field: body.field }).toEqual({ status: 400, field: "title" });
    }
    expect((await ada.readPost({ id: post.id })).post).toEqual(post);
  });

  test("only the author can edit or delete a post, not its operator; no one can edit or delete an imported post", async () => {
    const { post } = await agent.createPost({ title: "By the agent" });
    const imported = await tandem.storage.write((tx) => insertImportedPost(tx, { title: "From afar" }));
    const reader = await tandem.as.human();
    const forbidden = { status: 403, code: "forbidden" };
    for (const [caller, id] of [
      [reader, post.id],
      [ada, post.id],
      [reader, imported],
    ] as const) {
      await expect(caller.editPost({ id, title: "Mine now" })).rejects.toMatchObject(forbidden);
      await expect(caller.deletePost({ id })).rejects.toMatchObject(forbidden);
    }
    const session = await tandem.as.agentSession(ada, agent.agent.id);
    expect((await session.editPost({ id: post.id, title: "Better" })).post.title).toBe("Better");
    expect(await session.deletePost({ id: post.id })).toEqual({ deleted: true });
  });

  test("returns 404 for a missing post and 400 for an invalid id", async () => {
    const { post } = await ada.createPost({ title: "Short-lived" });
    expect(await ada.deletePost({ id: post.id })).toEqual({ deleted: true });
    for (const name of ["readPost", "editPost", "deletePost"] as const) {
      expect(await ada.call(name, { id: post.id })).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
      for (const id of [0, -1, "x", "1.5", "1e3", "9007199254740992"]) {
        expect(await ada.call(name, { id })).toMatchObject({
          status: 400,
          body: { code: "invalid_input", field: "id" },
        });
      }
    }
  });

  test("search finds an edited post by its new words only", async () => {
    const { post } = await ada.createPost({ title: "Quokka", body: "wombat" });
    const found = async (q: string) => (await ada.listPosts({ q })).posts.map(({ id }) => id);
    await ada.editPost({ id: post.id, title: "Platypus" });
    expect(await found("quokka")).toEqual([]);
    expect(await found("platypus wombat")).toEqual([post.id]);
    await ada.editPost({ id: post.id, body: null });
    expect(await found("wombat")).toEqual([]);
  });
});
