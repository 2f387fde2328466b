import { PendingApproval } from "@tandem/client/index";
import { DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { AgentCaller, Caller, Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { pendingDraft } from "@tandem/testing/pending-draft";
import { drawPicture } from "@tandem/testing/pictures";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

describe.each(engines)("approval of drafts on %s", (engine) => {
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
    ada = await tandem.as.human();
    agent = await tandem.as.agent(ada);
    await ada.editKey({ id: agent.keyId, approval: true });
  });
  afterAll(() => tandem.stop());

  const draftsOf = async (caller: Caller) => (await caller.listDrafts()).drafts;
  const postsOf = async ({ agent: { username } }: AgentCaller) =>
    (await reader.listPosts({ author: username })).posts;
  const submitPost = (title = "May I?") => pendingDraft(agent.createPost({ title }));
  const notificationsOf = async (caller: Caller) =>
    (await caller.listNotifications()).notifications.map(({ type, actor }) => `${type} by ${actor.username}`);

  once("returns 202 with the draft, and no post or comment", async () => {
    const { post } = await reader.createPost({ title: "By reader" });
    for (const [operation, input] of [
      ["createPost", { title: "May I?" }],
      ["createComment", { id: post.id, body: "May I?" }],
    ] as const) {
      const { status, body } = await agent.call(operation, input);
      const [draft] = await draftsOf(ada);
      const message = expect.stringContaining(`Not done yet: draft ${draft?.id} waits for approval`);
      expect([status, body]).toEqual([202, { pending: { draftId: draft?.id, operation, message } }]);
    }
    const error = await agent.createPost({ title: "And I?" }).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(PendingApproval);
    expect(error).toMatchObject({
      status: 202,
      code: "pending_approval",
      draftId: (await draftsOf(ada))[0]?.id,
    });
  });

  once("returns 202 for drafts that a key publishes or schedules, too, and no draft or post", async () => {
    const publishAt = new Date(clock.now() + DAY).toISOString();
    const { draft: kept } = await agent.createDraft({ title: "Kept" });
    const { draft: later } = await agent.createDraft({ title: "Later" });
    const { draft: byAda } = await agent.createDraft({ title: "Scheduled by Ada" });
    const session = await tandem.as.agentSession(ada, agent.agent.id);
    await session.editDraft({ id: byAda.id, publishAt });
    const calls = [
      ["createDraft", { title: "Tomorrow", publishAt }],
      ["editDraft", { id: later.id, publishAt }],
      ["editDraft", { id: byAda.id, title: "Rewritten" }],
      ["publishDraft", { id: kept.id }],
    ] as const;
    const ids: number[] = [];
    for (const [operation, input] of calls) {
      const { status, body } = await agent.call(operation, input);
      const draftId = "id" in input ? input.id : (await draftsOf(ada))[0]?.id;
      const message = expect.stringContaining(`Not done yet: draft ${draftId} waits for approval`);
      expect([status, body]).toEqual([202, { pending: { draftId, operation: "createPost", message } }]);
      ids.push(Number(draftId));
    }
    const submitted = (await draftsOf(ada)).filter(({ id }) => ids.includes(id));
    expect(submitted.map(({ state }) => state)).toEqual(ids.map(() => "pending"));
    const { activity } = await ada.listActivity({ limit: 4 });
    expect(activity.map(({ operation, draftId }) => `${operation} ${draftId}`).reverse()).toEqual(
      calls.map(([operation], i) => `${operation} ${ids[i]}`),
    );
    // It still waits. Only the person who approves it can publish it.
    for (const caller of [agent, session])
      expect((await caller.call("publishDraft", { id: kept.id })).status).toBe(202);
    await expect(agent.publishDraft({ id: kept.id })).rejects.toMatchObject({
      code: "pending_approval",
      draftId: kept.id,
      operation: "createPost",
    });
    expect((await ada.call("editDraft", { id: kept.id, title: "Edited by Ada" })).status).toBe(200);
    expect((await ada.approveDraft({ id: kept.id })).published).toBe(true);
    expect(await postsOf(agent)).toMatchObject([{ title: "Edited by Ada" }]);
  });

  once("publishes only on approval", async () => {
    const id = await submitPost();
    expect(await postsOf(agent)).toEqual([]);
    expect((await reader.listPosts({ q: "May I?" })).posts).toEqual([]);
    expect((await ada.listAgents()).agents[0]?.postCount).toBe(0);
    const [draft] = await draftsOf(ada);
    expect(draft).toMatchObject({
      id,
      operation: "createPost",
      state: "pending",
      author: agent.agent.username,
      keyId: agent.keyId,
      title: "May I?",
      changes: ["title"],
    });
    expect(await draftsOf(agent)).toEqual([draft]);
    expect(await notificationsOf(ada)).toEqual([`approval_wanted by ${agent.agent.username}`]);
    expect((await ada.listNotifications()).notifications[0]?.draftId).toBe(id);
    const response = await ada.approveDraft({ id });
    expect(response).toMatchObject({ published: true, draft: null });
    expect(await postsOf(agent)).toMatchObject([
      { id: response.postId, title: "May I?", provenance: "ai_generated", authorIsAgent: true },
    ]);
    expect(await draftsOf(ada)).toEqual([]);
  });

  if (runsOnceTests(engine))
    test("holds comments, replies and edits like posts, and sends notifications only on publication", async () => {
      const { post } = await reader.createPost({ title: "By reader" });
      const commented = await pendingDraft(agent.createComment({ id: post.id, body: "Well said." }));
      expect((await reader.readPost({ id: post.id })).post.commentCount).toBe(0);
      expect(await notificationsOf(reader)).not.toContain(`comment by ${agent.agent.username}`);
      const { commentId } = await ada.approveDraft({ id: commented });
      expect((await reader.listComments({ id: post.id })).comments).toMatchObject([
        { id: commentId, body: "Well said.", isAiGenerated: true, authorIsAgent: true },
      ]);
      expect((await notificationsOf(reader))[0]).toBe(`comment by ${agent.agent.username}`);
      const edited = await pendingDraft(agent.editComment({ id: Number(commentId), body: "Better said." }));
      expect((await reader.listComments({ id: post.id })).comments[0]?.body).toBe("Well said.");
      expect(await ada.approveDraft({ id: edited })).toMatchObject({
        published: true,
        commentId,
      });
      expect((await reader.listComments({ id: post.id })).comments[0]?.body).toBe("Better said.");
      const { postId } = await ada.approveDraft({ id: await submitPost("Mine") });
      const draftId = await pendingDraft(agent.editPost({ id: Number(postId), title: "Ours", body: null }));
      expect(await draftsOf(ada)).toMatchObject([
        { id: draftId, operation: "editPost", postId, changes: ["title", "body"] },
      ]);
      await ada.approveDraft({ id: draftId });
      expect(await postsOf(agent)).toMatchObject([{ id: postId, title: "Ours" }]);
    });

  if (runsOnceTests(engine))
    test("validates a call immediately, as without approval", async () => {
      const { post } = await reader.createPost({ title: "Not the agent's" });
      const hidden = await agent.call("createPost", { title: "a\u200bb" });
      const refusals = [
        hidden,
        await agent.call("createPost", { title: "" }),
        await agent.call("createComment", { id: 9_999_999, body: "To nobody" }),
        await agent.call("createComment", { id: post.id, body: "x", parentId: 9_999_999 }),
        await agent.call("editPost", { id: post.id, title: "Mine?" }),
        await agent.call("createPost", { title: "x", productIds: [9_999_999] }),
      ];
      expect(refusals.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
        "400 invalid_input",
        "400 invalid_input",
        "404 not_found",
        "400 invalid_parent",
        "403 forbidden",
        "404 not_found",
      ]);
      expect(await draftsOf(ada)).toEqual([]);
    });

  once("publishes nothing while the agent is paused, even if its person approves it", async () => {
    const [id, later] = [await submitPost(), await submitPost("Later?")];
    const { draft: own } = await (await tandem.as.key(["posts:write"], ada)).createDraft({ title: "Ada's" });
    await ada.editDraft({ id: later, publishAt: new Date(clock.now() + DAY).toISOString() });
    await ada.pauseAll({ paused: true });
    for (const one of [id, later]) {
      const { status, body } = await ada.call("approveDraft", { id: one });
      expect([status, body.code, body.error]).toEqual([403, "paused", expect.stringContaining("Resume it")]);
    }
    expect(await postsOf(agent)).toEqual([]);
    expect((await ada.publishDraft({ id: own.id })).published).toBe(true);
    await ada.pauseAll({ paused: false });
    expect((await ada.approveDraft({ id })).published).toBe(true);
    expect((await ada.approveDraft({ id: later })).draft).toMatchObject({ state: "scheduled" });
  });

  once("charges quotas once, on submission", async () => {
    const left = async () => (await agent.readOwnKey()).remaining;
    const before = await left();
    const id = await submitPost();
    const after = { ...before, posts: before.posts - 1, writes: before.writes - 1 };
    expect(await left()).toEqual(after);
    await ada.approveDraft({ id });
    expect(await left()).toEqual(after);
    await ada.editKey({ id: agent.keyId, caps: { posts: 1 } });
    const refused = await agent.call("createPost", { title: "One too many" });
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
    expect(await draftsOf(ada)).toEqual([]);
  });

  once("creates one draft per Idempotency-Key, and none for a dry run", async () => {
    const message = expect.stringMatching(/^Dry run: .* would wait for approval [^\d]*$/);
    for (const [operation, input] of [
      ["createPost", { title: "Dry" }],
      ["createDraft", { title: "Dry", publishAt: new Date(clock.now() + DAY).toISOString() }],
    ] as const) {
      const dry = await agent.call(operation, input, { dryRun: true });
      expect(dry.body).toMatchObject({ pending: { operation: "createPost", message }, dryRun: true });
    }
    expect(await draftsOf(ada)).toEqual([]);
    const twice = () => agent.call("createPost", { title: "Once" }, { idempotencyKey: "once" });
    const [first, second] = [await twice(), await twice()];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await draftsOf(ada)).toHaveLength(1);
  });

  test("applies only one of several concurrent approvals and rejections", async () => {
    const id = await submitPost();
    const responses = await Promise.all([
      ada.call("approveDraft", { id }),
      ada.call("approveDraft", { id }),
      ada.call("deleteDraft", { id }),
      ada.call("approveDraft", { id }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const published = responses.some(({ body }) => body.published === true);
    expect(await postsOf(agent)).toHaveLength(published ? 1 : 0);
    expect(await draftsOf(ada)).toEqual([]);
  });

  once("lets the approver edit a draft, which stays AI content, and the agent only withdraw it", async () => {
    const id = await submitPost();
    const changed = await agent.call("editDraft", { id, title: "Something else" });
    expect([changed.status, changed.body.code]).toEqual([403, "forbidden"]);
    expect(await pendingDraft(agent.publishDraft({ id }))).toBe(id);
    const { draft } = await ada.editDraft({ id, title: "You may", body: "Said Ada." });
    expect(draft).toMatchObject({ state: "pending", title: "You may", body: "Said Ada." });
    await ada.approveDraft({ id });
    expect(await postsOf(agent)).toMatchObject([{ title: "You may", provenance: "ai_generated" }]);
    const other = await submitPost("Never mind");
    await agent.deleteDraft({ id: other });
    expect(await draftsOf(ada)).toEqual([]);
  });

  if (runsOnceTests(engine))
    test("validates edits like the operation's own input", async () => {
      const { post } = await reader.createPost({ title: "By reader" });
      const draftId = await pendingDraft(agent.createComment({ id: post.id, body: "Well said." }));
      const edit = async (input: object) => (await ada.call("editDraft", { id: draftId, ...input })).body;
      expect(await edit({ body: null })).toMatchObject({ code: "invalid_input", field: "body" });
      expect(await edit({ body: "x".repeat(limits.commentBody + 1) })).toMatchObject({
        code: "invalid_input",
        field: "body",
      });
      expect(await edit({ publishAt: "2100-01-31T12:00:00Z" })).toMatchObject({ field: "publishAt" });
      expect(await edit({ body: "Very well said." })).toMatchObject({ draft: { body: "Very well said." } });
    });

  test("keeps a draft that can no longer be published, and says why", async () => {
    const { post } = await reader.createPost({ title: "Soon gone" });
    const id = await pendingDraft(agent.createComment({ id: post.id, body: "Still there?" }));
    await reader.deletePost({ id: post.id });
    const refused = await ada.call("approveDraft", { id });
    expect([refused.status, refused.body.error]).toEqual([404, "There is no such post."]);
    expect(await draftsOf(ada)).toHaveLength(1);
  });

  once("allows approving a draft whose key was revoked; it stays AI content", async () => {
    const id = await submitPost();
    await ada.revokeKey({ id: agent.keyId });
    expect(await draftsOf(ada)).toMatchObject([{ id, keyId: null, state: "pending" }]);
    await ada.approveDraft({ id });
    expect(await postsOf(agent)).toMatchObject([{ provenance: "ai_generated" }]);
  });

  if (runsOnceTests(engine))
    test("a personal key's drafts need its owner's approval, stay AI content and notify the owner", async () => {
      const key = await tandem.as.key(["posts:write"], ada);
      await ada.editKey({ id: key.keyId, approval: true });
      const draftId = await pendingDraft(key.createPost({ title: "In Ada's name" }));
      expect(await notificationsOf(ada)).toEqual([`approval_wanted by ${ada.user.username}`]);
      const { postId } = await ada.approveDraft({ id: draftId });
      expect((await reader.readPost({ id: Number(postId) })).post).toMatchObject({
        author: ada.user.username,
        provenance: "ai_generated",
        authorIsAgent: false,
      });
    });

  once("no one else can see, edit, approve or discard drafts", async () => {
    const id = await submitPost();
    expect(await draftsOf(reader)).toEqual([]);
    const strangersAgent = await tandem.as.agent(reader);
    for (const name of ["approveDraft", "deleteDraft", "editDraft", "publishDraft"] as const)
      expect((await reader.call(name, { id })).status).toBe(404);
    for (const name of ["deleteDraft", "editDraft", "publishDraft"] as const)
      expect((await strangersAgent.call(name, { id })).status).toBe(404);
    expect((await agent.call("approveDraft", { id })).body.code).toBe("session_required");
    const session = await tandem.as.agentSession(ada, agent.agent.id);
    expect((await session.call("approveDraft", { id })).body.code).toBe("agent_forbidden");
  });

  test("a key lists and withdraws what waits only with the scope that it was written with", async () => {
    const { post } = await reader.createPost({ title: "By reader" });
    const commenter = await tandem.as.key(["comments:write"], ada);
    const poster = await tandem.as.key(["posts:write"], ada);
    for (const { keyId } of [commenter, poster]) await ada.editKey({ id: keyId, approval: true });
    const said = await pendingDraft(commenter.createComment({ id: post.id, body: "Well said." }));
    const posted = await pendingDraft(poster.createPost({ title: "May I?" }));
    const discarding = async (caller: Caller, id?: number) => {
      const { status, body } = await caller.call("deleteDraft", { id });
      return status === 200 ? "200" : `${status} ${body.code}`;
    };
    const reading = await tandem.as.key([], ada);
    const listing = async (caller: Caller) => (await draftsOf(caller)).map(({ id }) => id);
    expect([await listing(commenter), await listing(poster)]).toEqual([[said], [posted, said]]);
    expect((await reading.call("listDrafts")).body.code).toBe("insufficient_scope");
    expect(await discarding(reading, said)).toBe("403 insufficient_scope");
    expect(await discarding(commenter, posted)).toBe("403 insufficient_scope");
    expect(await discarding(poster, said)).toBe("403 insufficient_scope");
    expect(await discarding(commenter, said)).toBe("200");
    expect(await discarding(poster, posted)).toBe("200");
    expect(await draftsOf(ada)).toEqual([]);
  });

  once("limits the number of drafts, and deletes them with the account", async () => {
    for (let i = 0; i < 100; i++) await agent.createDraft({ title: `Draft ${i}` });
    const refused = await agent.call("createPost", { title: "One too many" });
    expect([refused.status, refused.body.code]).toEqual([403, "draft_limit"]);
    const { drafts, nextCursor } = await ada.listDrafts({ limit: 50 });
    const rest = await ada.listDrafts({ limit: 50, cursor: Number(nextCursor) });
    expect([...drafts, ...rest.drafts].map(({ title }) => title)).toEqual(
      Array.from({ length: 100 }, (_, i) => `Draft ${99 - i}`),
    );
    expect(rest.nextCursor).toBe(null);
    await ada.deleteAgent({ id: agent.agent.id });
    expect(await draftsOf(ada)).toEqual([]);
  });

  test("publishes a draft's files on approval and deletes them on rejection", async () => {
    const image = new Blob([new Uint8Array(await drawPicture({ width: 60, height: 40 }))]);
    const draftId = await pendingDraft(agent.createPost({ title: "A loom", alt: "Of wood.", image }));
    const [draft] = await draftsOf(ada);
    const get = async (address = draft?.mediaUrl) => (await fetch(`${tandem.baseUrl}${address}`)).status;
    await tandem.services.afterResponse.idle();
    expect(await get()).toBe(200);
    const { postId } = await ada.approveDraft({ id: draftId });
    const { post } = await reader.readPost({ id: Number(postId) });
    expect(post).toMatchObject({ mediaType: "image", mediaUrl: draft?.mediaUrl, alt: "Of wood.", width: 60 });
    await ada.approveDraft({ id: await pendingDraft(agent.deletePost({ id: post.id })) });
    await tandem.services.afterResponse.idle();
    expect(await get()).toBe(404);
    const again = await pendingDraft(agent.createPost({ title: "A loom", image }));
    const address = (await draftsOf(ada))[0]?.mediaUrl;
    expect(await get(address)).toBe(200);
    await ada.deleteDraft({ id: again });
    await tandem.services.afterResponse.idle();
    expect(await get(address)).toBe(404);
  });
});
