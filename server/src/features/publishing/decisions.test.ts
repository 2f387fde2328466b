import { DAY } from "@tandem/contract/durations";
import type { AgentCaller, Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { waitsForLock } from "@tandem/testing/locks";
import { pendingDraft } from "@tandem/testing/pending-draft";
import { until } from "@tandem/testing/ports";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { recordDecisions } from "./decisions.ts";
import { deleteDrafts, lockAnyDraft } from "./drafts.queries.ts";
import { publishDue } from "./scheduled.ts";

describe.each(engines)("decisions about drafts on %s", (engine) => {
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

  const submitPost = (title: string) => pendingDraft(agent.createPost({ title }));

  once("notifies of what was decided about which call, and no longer counts it as unread", async () => {
    const { post } = await reader.createPost({ title: "By reader" });
    const latest = async () => {
      const { notifications, unread } = await ada.listNotifications({ limit: 1 });
      const [{ approval, postId, commentId, excerpt, read, draftId } = {}] = notifications;
      return { approval, postId, commentId, excerpt, read, draftId, unread };
    };
    const nothing = { postId: null, commentId: null, excerpt: null };
    const call = () => pendingDraft(agent.createComment({ id: post.id, body: "Well said." }));
    const operation = "createComment";
    const approved = await call();
    const pending = { ...nothing, approval: { operation, state: "pending" }, draftId: approved };
    expect(await latest()).toEqual({ ...pending, read: false, unread: 1 });
    await ada.call("approveDraft", { id: approved }, { dryRun: true });
    expect(await latest()).toEqual({ ...pending, read: false, unread: 1 });
    const { commentId } = await ada.approveDraft({ id: approved });
    expect(await latest()).toEqual({
      approval: { operation, state: "approved" },
      postId: post.id,
      commentId,
      excerpt: "Well said.",
      draftId: approved,
      read: true,
      unread: 0,
    });
    const edited = await pendingDraft(agent.editComment({ id: Number(commentId), body: "Better said." }));
    await ada.approveDraft({ id: edited });
    expect(await latest()).toMatchObject({ postId: post.id, commentId, excerpt: "Better said." });
    const liked = await pendingDraft(agent.likePost({ id: post.id }));
    await ada.approveDraft({ id: liked });
    expect(await latest()).toMatchObject({ postId: post.id, commentId: null, excerpt: "By reader" });
    const deleted = await pendingDraft(agent.deleteComment({ id: Number(commentId) }));
    await ada.approveDraft({ id: deleted });
    const deletion = { operation: "deleteComment", state: "approved" };
    expect(await latest()).toMatchObject({ ...nothing, approval: deletion, read: true });
    const rejected = await call();
    await ada.deleteDraft({ id: rejected });
    const about = { postId: post.id, commentId: null, excerpt: "By reader" };
    const refusal = { approval: { operation, state: "rejected" }, draftId: rejected };
    expect(await latest()).toEqual({ ...about, ...refusal, read: true, unread: 0 });
    const withdrawn = await call();
    await agent.deleteDraft({ id: withdrawn });
    const withdrawal = { approval: { operation, state: "withdrawn" }, draftId: withdrawn };
    expect(await latest()).toEqual({ ...about, ...withdrawal, read: true, unread: 0 });
    const overtaken = await pendingDraft(agent.unlikePost({ id: post.id }));
    await agent.likePost({ id: post.id });
    expect(await latest()).toMatchObject({ approval: { state: "withdrawn" }, draftId: overtaken });
    const undone = [await call(), await submitPost("Undone")];
    await ada.undoAgent({ id: agent.agent.id });
    const { notifications, unread } = await ada.listNotifications({ limit: 2 });
    const both = notifications.map(({ draftId, approval, read }) => [draftId, approval?.state, read]);
    expect([both, unread]).toEqual([undone.reverse().map((id) => [id, "rejected", true]), 0]);
  });

  once("says that a scheduled post was approved, and once it is published, which it became", async () => {
    const publishAt = new Date(clock.now() + DAY).toISOString();
    await agent.call("createDraft", { title: "Tomorrow", publishAt });
    const newest = async () => (await ada.listDrafts()).drafts[0]?.id ?? 0;
    const id = await newest();
    const latest = async () => (await ada.listNotifications({ type: "approval_wanted" })).notifications[0];
    await ada.approveDraft({ id });
    const approval = { operation: "createPost", state: "approved" };
    expect(await latest()).toMatchObject({ approval, postId: null, read: true });
    clock.pass(DAY);
    await publishDue(tandem.services, new AbortController().signal);
    const [post] = (await reader.listPosts({ author: agent.agent.username })).posts;
    expect(await latest()).toMatchObject({ approval, postId: post?.id, excerpt: "Tomorrow" });
    await agent.call("createDraft", { title: "Never", publishAt: new Date(clock.now() + DAY).toISOString() });
    const never = await newest();
    await ada.approveDraft({ id: never });
    await ada.deleteDraft({ id: never });
    expect(await latest()).toMatchObject({ approval: { state: "rejected" }, draftId: never });
  });

  once("doesn't say that someone approved what changed since", async () => {
    const publishAt = new Date(clock.now() + DAY).toISOString();
    const session = await tandem.as.agentSession(ada, agent.agent.id);
    const stateOf = async (id: number) =>
      (await ada.listNotifications({ type: "approval_wanted" })).notifications.find(
        ({ draftId }) => draftId === id,
      )?.approval?.state;
    const schedule = async () => {
      await agent.call("createDraft", { title: "Harmless", publishAt });
      const id = (await ada.listDrafts({ limit: 1 })).drafts[0]?.id ?? 0;
      await ada.approveDraft({ id });
      return id;
    };
    const changed = await schedule();
    await session.editDraft({ id: changed, title: "Something else" });
    expect(await stateOf(changed)).toBe("withdrawn");
    await session.publishDraft({ id: changed });
    expect(await stateOf(changed)).toBe("withdrawn");
    const early = await schedule();
    await session.publishDraft({ id: early });
    expect(await stateOf(early)).toBe("approved");
    const delayed = await schedule();
    await ada.editDraft({ id: delayed, publishAt: null });
    expect(await stateOf(delayed)).toBe("rejected");
    await ada.editDraft({ id: delayed, publishAt });
    expect(await stateOf(delayed)).toBe("approved");
    await session.editDraft({ id: delayed, body: "More" });
    expect(await stateOf(delayed)).toBe("withdrawn");
    await ada.editDraft({ id: delayed, body: "Less" });
    expect(await stateOf(delayed)).toBe("approved");
    await ada.editDraft({ id: delayed, publishAt: null });
    await ada.publishDraft({ id: delayed });
    expect(await stateOf(delayed)).toBe("approved");
    const again = await schedule();
    await session.editDraft({ id: again, title: "Edited" });
    await ada.approveDraft({ id: again });
    expect(await stateOf(again)).toBe("approved");
    const asked = await schedule();
    await agent.call("editDraft", { id: asked, title: "Asked again" });
    expect(await stateOf(asked)).toBe("pending");
    await ada.deleteDraft({ id: asked });
    expect(await stateOf(asked)).toBe("rejected");
  });

  test("aren't overwritten by a call that would have overtaken what was approved meanwhile", async () => {
    const { post } = await reader.createPost({ title: "By reader" });
    const id = await pendingDraft(agent.likePost({ id: post.id }));
    const { storage } = tandem;
    let unlike: ReturnType<typeof agent.call> | undefined;
    await storage.write(async (tx) => {
      const draft = await lockAnyDraft(tx, id);
      if (!draft) throw new Error("the like doesn't wait");
      await recordDecisions(tx, [draft], { decision: "approved", now: clock.now() });
      await deleteDrafts(tx, { caller: draft.author }, [id]);
      unlike = agent.call("unlikePost", { id: post.id });
      if (engine === "postgres") await until(() => waitsForLock(storage));
    });
    expect((await unlike)?.status).toBe(200);
    const { notifications } = await ada.listNotifications({ type: "approval_wanted" });
    expect(notifications).toMatchObject([{ draftId: id, approval: { state: "approved" } }]);
  });

  once("says of a draft that was decided what was decided, to those who could see it", async () => {
    const [approved, rejected, withdrawn, pending] = [
      await submitPost("A"),
      await submitPost("B"),
      await submitPost("C"),
      await submitPost("D"),
    ];
    await ada.approveDraft({ id: approved });
    await ada.deleteDraft({ id: rejected });
    await agent.deleteDraft({ id: withdrawn });
    for (const [id, decision] of [
      [approved, "approved"],
      [rejected, "rejected"],
      [withdrawn, "withdrawn"],
    ] as const)
      for (const name of ["approveDraft", "publishDraft", "deleteDraft", "editDraft"] as const)
        for (const caller of name === "approveDraft" ? [ada] : [ada, agent]) {
          const { status, body } = await caller.call(name, { id });
          expect([name, status, body.code, body.error]).toEqual([
            name,
            409,
            "already_decided",
            `This draft was already ${decision}.`,
          ]);
        }
    expect((await reader.call("approveDraft", { id: approved })).status).toBe(404);
    const about = { postId: null, commentId: null };
    const operation = "createPost";
    for (const caller of [ada, agent]) {
      const { posts } = await reader.listPosts({ author: agent.agent.username });
      const [postId] = posts.map(({ id }) => id);
      for (const [id, state, which] of [
        [approved, "approved", { ...about, postId }],
        [rejected, "rejected", about],
        [withdrawn, "withdrawn", about],
      ] as const)
        expect(await caller.readDraft({ id })).toEqual({
          draft: null,
          approval: { operation, state },
          ...which,
        });
      const kept = await caller.readDraft({ id: pending });
      expect(kept).toMatchObject({ draft: { title: "D" }, approval: { operation, state: "pending" } });
    }
    for (const id of [approved, pending])
      expect((await reader.call("readDraft", { id })).body.code).toBe("not_found");
    expect((await ada.call("approveDraft", { id: withdrawn + 1000 })).body.code).toBe("not_found");
    // No one decided about a draft that never waited.
    const { draft } = await ada.createDraft({ title: "Ada's" });
    expect(await ada.readDraft({ id: draft.id })).toEqual({ draft, approval: null, ...about });
    await ada.publishDraft({ id: draft.id });
    expect((await ada.call("publishDraft", { id: draft.id })).body.code).toBe("not_found");
  });
});
