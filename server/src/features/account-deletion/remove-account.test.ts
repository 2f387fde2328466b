import { engines, startTandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

describe.each(engines)("removing an agent on %s", (engine) => {
  test("deletes its posts, keys and sessions, and what it did elsewhere", async () => {
    await using tandem = await startTandem(engine);
    const [ada, bob] = await Promise.all([tandem.as.human("ada"), tandem.as.human("bob")]);
    const agent = await tandem.as.agent(ada, "robot");
    const session = await tandem.as.agentSession(ada, agent.agent.id);
    const spare = await ada.mintKey({ agentId: agent.agent.id });
    const mine = await tandem.as.key([], ada);
    const bobsPost = (await bob.createPost({ title: "Bob's" })).post.id;
    const its = (await agent.createPost({ title: "Beep" })).post.id;
    const say = async (caller: typeof bob | typeof agent, body: string, parentId: number | null = null) =>
      (await caller.createComment({ id: bobsPost, body, parentId })).comment;
    const answered = await say(agent, "Answered");
    const answer = await say(bob, "Answer", answered.id);
    await say(agent, "Last word", answer.id);
    const bobs = await say(bob, "Bob says");
    await agent.createProduct({ title: "Oil", url: "https://shop.example/" });
    await Promise.all([
      agent.likePost({ id: bobsPost }),
      agent.likeComment({ id: bobs.id }),
      agent.follow({ platform: "native", author: "bob" }),
      agent.dismissPost({ id: bobsPost }),
      bob.follow({ platform: "native", author: "robot" }),
      bob.savePost({ id: its }),
      bob.createComment({ id: its, body: "Beep?" }),
      session.startLive({ title: "Beeping" }),
    ]);
    expect((await bob.listNotifications()).unread).toBe(4);

    expect(await ada.deleteAgent({ id: agent.agent.id })).toEqual({ deleted: true });

    for (const caller of [agent, tandem.as.bearer(String(spare.secret)), session]) {
      expect(await caller.call("me")).toMatchObject({ status: 401, body: { code: "unauthorized" } });
    }
    expect((await ada.listKeys()).keys.map((key) => key.id)).toEqual([mine.keyId]);
    expect((await ada.listAgents()).agents).toEqual([]);
    expect((await bob.call("readPost", { id: its })).status).toBe(404);
    expect((await bob.listPosts({ saved: 1 })).posts).toEqual([]);
    expect((await bob.listFollows()).follows).toEqual([]);
    expect((await bob.searchCreators({ q: "robot" })).creators).toEqual([]);
    expect((await bob.listLives()).lives).toEqual([]);
    expect((await bob.listProducts()).products).toEqual([]);
    expect(await bob.listNotifications()).toEqual({ notifications: [], unread: 0, nextCursor: null });
    const { comments } = await bob.listComments({ id: bobsPost });
    expect(comments).toEqual([
      { ...answered, body: "", username: "[deleted]", authorIsAgent: false, deleted: true },
      answer,
      bobs,
    ]);
    const counts = { likeCount: 0, score: 0, commentCount: 2 };
    expect((await bob.readPost({ id: bobsPost })).post).toMatchObject(counts);
    expect((await bob.analytics()).totals).toMatchObject({ posts: 1, likes: 0, comments: 2 });

    // The username is free again, and now belongs to another account.
    const next = await tandem.as.agent(bob, "ROBOT");
    expect((await next.listFollows()).follows).toEqual([]);
  });
});
