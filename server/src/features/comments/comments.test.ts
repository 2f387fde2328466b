import { limits } from "@tandem/contract/limits";
import type { Comment, CommentOrder } from "@tandem/contract/post-resources";
import type { Caller, Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { sendRequest } from "@tandem/testing/raw-http";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

describe.each(engines)("comments on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  let id: number;
  const clock = stoppedClock(Date.UTC(2026, 0, 31, 12));

  beforeAll(async () => {
    tandem = await startTandem(engine, { now: clock.now });
    [ada, bob] = await Promise.all([tandem.as.human("ada"), tandem.as.human("bob")]);
  });
  beforeEach(async () => {
    id = (await ada.createPost({ title: "To be discussed" })).post.id;
  });
  afterAll(() => tandem.stop());

  const say = async (caller: Caller, body: string, parentId?: number) =>
    (await caller.createComment({ id, body, ...(parentId !== undefined && { parentId }) })).comment;
  const thread = async (reader: Caller = tandem.as.anonymous()) =>
    (await reader.listComments({ id })).comments;
  const count = async () => (await ada.readPost({ id })).post.commentCount;

  once("a comment has every field, and is the same in the list", async () => {
    const comment = await say(ada, "Well said.");
    expect(comment).toEqual({
      id: expect.any(Number),
      parentId: null,
      body: "Well said.",
      username: "ada",
      postId: id,
      likeCount: 0,
      aiLikeCount: 0,
      liked: false,
      isAiGenerated: false,
      authorIsAgent: false,
      authorAvatarUrl: null,
      createdAt: new Date(clock.now()).toISOString(),
      editedAt: null,
      deleted: false,
      hidden: false,
      muted: false,
    } satisfies Comment);
    expect(await thread()).toEqual([comment]);
  });

  test("lists comments in any order, page by page, with each once", async () => {
    const readers = await Promise.all([1, 2, 3].map((i) => tandem.as.human(`liker_${id}_${i}`)));
    const comments: Comment[] = [];
    for (let i = 0; i < 7; i++) comments.push(await say(ada, `Comment ${i}`, comments[i % 3]?.id));
    for (const [i, likes] of [0, 2, 0, 3, 2, 0, 1].entries())
      for (const reader of readers.slice(0, likes)) await reader.likeComment({ id: comments[i]?.id ?? 0 });
    const list = async (sort: CommentOrder, limit: number) => {
      const ids: number[] = [];
      for (let cursor: number | null | undefined; cursor !== null; ) {
        const page = await bob.listComments({ id, sort, limit, ...(cursor !== undefined && { cursor }) });
        ids.push(...page.comments.map((comment) => comment.id));
        cursor = page.nextCursor;
      }
      return ids.map((found) => comments.findIndex((comment) => comment.id === found));
    };
    for (const limit of [1, 2, 3, 7, 100]) {
      expect(await list("old", limit)).toEqual([0, 1, 2, 3, 4, 5, 6]);
      expect(await list("new", limit)).toEqual([6, 5, 4, 3, 2, 1, 0]);
      expect(await list("best", limit)).toEqual([3, 1, 4, 6, 0, 2, 5]);
    }
    const [last] = (await bob.listComments({ id, sort: "best" })).comments.slice(-1);
    await ada.deleteComment({ id: last?.id ?? 0 });
    const again = await bob.listComments({ id, sort: "best", cursor: last?.id ?? 0 });
    expect(again.comments.map((comment) => comment.id)).toEqual(
      [3, 1, 4, 6, 0, 2].map((i) => comments[i]?.id),
    );
  });

  test("lists comments and replies oldest first, and counts them together", async () => {
    const first = await say(ada, "First");
    const second = await say(bob, "Second");
    const reply = await say(bob, "Reply", first.id);
    const nested = await say(ada, "Nested", reply.id);
    expect(nested.parentId).toBe(reply.id);
    expect(await thread()).toEqual([first, second, reply, nested]);
    expect(await count()).toBe(4);
  });

  test("one is read with the comments above it, the topmost first", async () => {
    const first = await say(ada, "First");
    await say(bob, "Beside it");
    const reply = await say(bob, "Reply", first.id);
    const nested = await say(ada, "Nested", reply.id);
    await bob.deleteComment({ id: reply.id });
    expect(await bob.readComment({ id: nested.id })).toMatchObject({
      comment: nested,
      ancestors: [first, { id: reply.id, deleted: true, body: "" }],
    });
    expect((await ada.readComment({ id: first.id })).ancestors).toEqual([]);
    let deepest = nested;
    for (let i = 0; i < limits.ancestors; i++) deepest = await say(ada, `${i}`, deepest.id);
    const { ancestors } = await tandem.as.anonymous().readComment({ id: deepest.id });
    expect(ancestors).toHaveLength(limits.ancestors);
    expect(ancestors.at(-1)?.id).toBe(deepest.parentId);
    expect(ancestors[0]?.parentId).toBe(reply.id);
    await ada.deletePost({ id });
    expect((await bob.call("readComment", { id: first.id })).status).toBe(404);
  });

  once("an account's own are listed newest first, and no one else's", async () => {
    const carol = await tandem.as.human();
    const made: number[] = [];
    for (const body of ["One", "Two", "Three"]) made.unshift((await say(carol, body)).id);
    await say(bob, "Another's");
    const key = await tandem.as.key([], carol);
    const first = await key.listOwnComments({ mine: 1, limit: 2 });
    expect(first.comments.map((comment) => comment.id)).toEqual(made.slice(0, 2));
    const rest = await key.listOwnComments({ mine: 1, limit: 2, cursor: first.nextCursor ?? 0 });
    expect(rest).toMatchObject({ comments: [{ id: made[2], postId: id, body: "One" }], nextCursor: null });
    const refused = await carol.call("listOwnComments", {});
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid_input", field: "mine" } });
  });

  once("accepts a null parentId for a top-level comment", async () => {
    const { comment } = await ada.createComment({ id, body: "Top", parentId: null });
    expect(comment.parentId).toBe(null);
  });

  once("rejects a parent that is deleted, on another post or unknown", async () => {
    const elsewhere = (await ada.createPost({ title: "Another" })).post.id;
    const foreign = (await ada.createComment({ id: elsewhere, body: "There" })).comment;
    const emptied = await say(ada, "Going");
    await say(bob, "Staying", emptied.id);
    const deletedComment = await say(ada, "Gone");
    await Promise.all([ada.deleteComment({ id: emptied.id }), ada.deleteComment({ id: deletedComment.id })]);
    for (const parentId of [foreign.id, emptied.id, deletedComment.id, 999_999]) {
      await expect(say(ada, "Reply", parentId)).rejects.toMatchObject({
        status: 400,
        code: "invalid_parent",
        field: "parentId",
      });
    }
    expect(await count()).toBe(1);
  });

  test("reports a database error as internal, not as an invalid parent", async () => {
    await using troubled = await startTandem(engine);
    const grace = await troubled.as.human();
    const { post } = await grace.createPost({ title: "Trouble" });
    const { comment } = await grace.createComment({ id: post.id, body: "Top" });
    await troubled.storage.write((tx) =>
      sql`alter table comments rename column deleted to deletedComment`.execute(tx),
    );
    const reply = { id: post.id, body: "Reply", parentId: comment.id };
    expect((await grace.call("createComment", reply)).body.code).toBe("internal");
  });

  if (runsOnceTests(engine))
    test.each([
      ["body", {}],
      ["body", { body: null }],
      ["body", { body: "" }],
      ["body", { body: " \n\u00a0" }],
      ["body", { body: "x".repeat(limits.commentBody + 1) }],
      ["parentId", { body: "x", parentId: 0 }],
      ["parentId", { body: "x", parentId: "1" }],
    ])("rejects an invalid %s: %j", async (field, input) => {
      const { status, body } = await ada.call("createComment", { id, ...input });
      expect({ status, code: body.code, field: body.field }).toEqual({
        status: 400,
        code: "invalid_input",
        field,
      });
    });

  test("counts lengths in code points, and ignores fields that no one sets", async () => {
    const body = "🗨".repeat(limits.commentBody);
    const response = await sendRequest(tandem.baseUrl, {
      method: "POST",
      path: `/api/posts/${id}/comments`,
      headers: { ...ada.options.headers, "content-type": "application/json" },
      body: JSON.stringify({ body, isAiGenerated: true, username: "eve", likeCount: 5 }),
    });
    expect(response.body).toMatchObject({
      comment: { body, isAiGenerated: false, username: "ada", likeCount: 0 },
    });
  });

  once("only the author can edit or delete a comment; an edit sets editedAt", async () => {
    const comment = await say(ada, "Before");
    clock.pass(1000);
    const edited = (await ada.editComment({ id: comment.id, body: "After" })).comment;
    expect(edited).toEqual({ ...comment, body: "After", editedAt: new Date(clock.now()).toISOString() });
    expect(await thread()).toEqual([edited]);
    const agent = await tandem.as.agent(ada);
    const agents = await say(agent, "By the agent");
    for (const [caller, theirs] of [
      [bob, comment],
      [ada, agents],
      [agent, comment],
    ] as const) {
      const forbidden = { status: 403, code: "forbidden" };
      await expect(caller.editComment({ id: theirs.id, body: "Mine" })).rejects.toMatchObject(forbidden);
      await expect(caller.deleteComment({ id: theirs.id })).rejects.toMatchObject(forbidden);
    }
  });

  once("marks an agent's comment", async () => {
    const agent = await tandem.as.agent(ada, "robot");
    expect(await say(agent, "Beep")).toMatchObject({
      username: "robot",
      authorIsAgent: true,
      isAiGenerated: true,
    });
  });

  once("ignores repeated likes and unlikes without a like", async () => {
    const comment = await say(ada, "Like me");
    const target = { id: comment.id };
    expect(await bob.unlikeComment(target)).toEqual({ liked: false, likeCount: 0 });
    for (const _ of "ab") expect(await bob.likeComment(target)).toEqual({ liked: true, likeCount: 1 });
    expect(await ada.likeComment(target)).toEqual({ liked: true, likeCount: 2 });
    expect(await thread(bob)).toEqual([{ ...comment, likeCount: 2, liked: true }]);
    expect(await thread()).toEqual([{ ...comment, likeCount: 2 }]);
    for (const _ of "ab") expect(await bob.unlikeComment(target)).toEqual({ liked: false, likeCount: 1 });
  });

  test("accepts comments on imported posts", async () => {
    id = await tandem.storage.write((tx) => insertImportedPost(tx, { title: "From afar" }));
    const comment = await say(ada, "Welcome");
    expect(await thread()).toEqual([comment]);
    expect(await count()).toBe(1);
  });

  once("returns 404 for unknown posts and comments", async () => {
    const calls = [
      ada.call("listComments", { id: 999_999 }),
      ada.call("createComment", { id: 999_999, body: "x" }),
      ada.call("editComment", { id: 999_999, body: "x" }),
      ada.call("deleteComment", { id: 999_999 }),
      ada.call("likeComment", { id: 999_999 }),
      ada.call("unlikeComment", { id: 999_999 }),
    ];
    for (const response of await Promise.all(calls)) {
      expect(response).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
  });

  once("continues a very long list at a cursor", async () => {
    await tandem.storage.write(async (tx) => {
      const row = { post_id: id, user_id: ada.user.id, body: "x", is_ai: 0, created_at: 0 };
      for (let i = 0; i <= limits.longList; i++)
        await tx
          .insertInto("comments")
          .values(row as never)
          .execute();
    });
    const first = await ada.listComments({ id });
    const cursor = Number(first.nextCursor);
    const second = await ada.listComments({ id, cursor });
    expect([first.comments.length, second.comments.length, second.nextCursor]).toEqual([
      limits.longList,
      1,
      null,
    ]);
    expect(second.comments[0]?.id).toBeGreaterThan(Number(first.comments.at(-1)?.id));
  });

  test("returns as many comments as requested, and continues after them", async () => {
    const { id } = (await ada.createPost({ title: "By threes" })).post;
    const made: number[] = [];
    for (let i = 0; i < 7; i++) made.push((await ada.createComment({ id, body: `${i}` })).comment.id);
    const listed: number[][] = [];
    for (let cursor: number | null = 0; cursor !== null; ) {
      const page = await ada.listComments({ id, limit: 3, cursor });
      listed.push(page.comments.map((comment) => comment.id));
      cursor = page.nextCursor;
    }
    expect(listed).toEqual([made.slice(0, 3), made.slice(3, 6), made.slice(6)]);
    for (const limit of [0, limits.longList + 1]) {
      const refused = await ada.call("listComments", { id, limit });
      expect(refused).toMatchObject({ status: 400, body: { code: "invalid_input", field: "limit" } });
    }
  });

  test("ends a page of long comments early, and paging returns each comment once", async () => {
    const long = "語".repeat(limits.commentBody);
    const size = Buffer.byteLength(JSON.stringify(long));
    const fit = Math.floor(limits.commentPageBytes / size);
    const id = (await ada.createPost({ title: "At length" })).post.id;
    await tandem.storage.write(async (tx) => {
      const row = { post_id: id, user_id: ada.user.id, body: long, is_ai: 0, created_at: 0 };
      for (let i = 0; i < 2 * fit + 1; i++)
        await tx
          .insertInto("comments")
          .values(row as never)
          .execute();
    });
    const listed: number[] = [];
    const sizes: number[] = [];
    for (let cursor: number | null = 0; cursor !== null; ) {
      const page = await ada.listComments({ id, cursor });
      listed.push(...page.comments.map((comment) => comment.id));
      sizes.push(page.comments.length);
      cursor = page.nextCursor;
    }
    expect(sizes).toEqual([fit, fit, 1]);
    expect(listed).toEqual([...new Set(listed)].sort((a, b) => a - b));
  });
});
