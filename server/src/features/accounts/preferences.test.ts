import type { AgentCaller, Person } from "@tandem/testing/callers";
import { pendingDraft } from "@tandem/testing/pending-draft";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

describe.each(engines)("AI content preferences on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let reader: Person;
  let agent: AgentCaller;
  let human: number;
  let artificial: number;
  let assisted: number;
  beforeAll(async () => {
    tandem = await startTandem(engine);
    const author = await tandem.as.human();
    agent = await tandem.as.agent(author);
    human = (await author.createPost({ title: "By hand, of looms" })).post.id;
    artificial = (await agent.createPost({ title: "By engine, of looms" })).post.id;
    assisted = (await author.createPost({ title: "Both, of looms", provenance: "ai_assisted" })).post.id;
  });
  afterAll(() => tandem.stop());
  beforeEach(async () => {
    reader = await tandem.as.human();
  });

  const ids = async (query: Parameters<Person["listPosts"]>[0] = {}) =>
    (await reader.listPosts(query)).posts.map(({ id }) => id);

  test("shows everything by default, and keeps what an edit leaves out", async () => {
    const ai = { aiPosts: "show", aiComments: "show", aiNotifications: "show" };
    const start = { ...ai, sensitivePosts: "warn", emailDigest: "off" };
    expect(await reader.readPreferences()).toEqual({ preferences: start });
    expect(await reader.editPreferences({ aiPosts: "hide" })).toEqual({
      preferences: { ...start, aiPosts: "hide" },
    });
    expect(await reader.editPreferences({ aiComments: "dim" })).toEqual({
      preferences: { ...start, aiPosts: "hide", aiComments: "dim" },
    });
    expect(await (await tandem.as.key([], reader)).readPreferences()).toEqual(await reader.readPreferences());
  });

  test("hides AI posts from that reader's feeds and searches only", async () => {
    await reader.follow({ platform: "native", author: agent.agent.username });
    await reader.editPreferences({ aiPosts: "hide" });
    for (const query of [{}, { sort: "hot" as const }, { q: "looms" }])
      expect((await ids(query)).sort()).toEqual([human, assisted]);
    expect(await ids({ followed: 1 })).toEqual([]);
    const { posts } = await tandem.as.anonymous().listPosts({});
    expect(posts.map(({ id }) => id)).toContain(artificial);
  });

  once("shows hidden posts when asked for by provenance, author, id or saved", async () => {
    await reader.editPreferences({ aiPosts: "hide" });
    await reader.savePost({ id: artificial });
    expect(await ids({ provenance: "ai_generated" })).toEqual([artificial]);
    expect(await ids({ author: agent.agent.username })).toEqual([artificial]);
    expect(await ids({ saved: 1 })).toEqual([artificial]);
    expect((await reader.readPost({ id: artificial })).post.provenance).toBe("ai_generated");
  });

  test("keeps everything in the feed when AI posts are dimmed", async () => {
    await reader.editPreferences({ aiPosts: "dim", aiComments: "dim" });
    expect(await ids()).toContain(artificial);
  });

  once("reduces a hidden comment to its place in the thread", async () => {
    const { comment } = await agent.createComment({ id: human, body: "Beep." });
    const reply = await reader.createComment({ id: human, parentId: comment.id, body: "Well said." });
    const own = await (await tandem.as.key(["comments:write"], reader)).createComment({
      id: human,
      body: "Mine.",
    });
    await reader.editPreferences({ aiComments: "hide" });
    const bodies = async (ai?: "show" | "hide") =>
      Object.fromEntries(
        (await reader.listComments({ id: human, ...(ai && { ai }) })).comments.map((item) => [
          item.id,
          item.hidden ? null : item.body,
        ]),
      );
    const all = { [reply.comment.id]: "Well said.", [own.comment.id]: "Mine." };
    expect(await bodies()).toMatchObject({ ...all, [comment.id]: null });
    expect(await bodies("show")).toMatchObject({ ...all, [comment.id]: "Beep." });
    const stranger = await tandem.as.anonymous().listComments({ id: human, ai: "hide" });
    expect(stranger.comments.find(({ id }) => id === comment.id)).toMatchObject({ body: "", hidden: true });
  });

  once("mutes notifications by keys and agents, but never required ones", async () => {
    const { post } = await reader.createPost({ title: "Of mine" });
    const someone = await tandem.as.human();
    await reader.editPreferences({ aiNotifications: "hide" });
    for (const item of [agent, await tandem.as.key(["comments:write"], someone), someone])
      await item.createComment({ id: post.id, body: "Well." });
    const { notifications, unread } = await reader.listNotifications({});
    expect([notifications.map(({ actor }) => actor.username), unread]).toEqual([[someone.user.username], 1]);
    const asking = await tandem.as.agent(reader);
    await reader.editKey({ id: asking.keyId, approval: true });
    await pendingDraft(asking.createPost({ title: "May I?" }));
    expect((await reader.listNotifications({})).notifications[0]?.type).toBe("approval_wanted");
  });
});
