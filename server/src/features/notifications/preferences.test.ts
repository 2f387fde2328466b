import { optionalTypes } from "@tandem/contract/notifications";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("notification preferences", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  /** Only agents are approved by communities. */
  const agentOnly = "community_approval";

  test("are all on by default; muted notifications are neither stored nor counted", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const agent = await tandem.as.agent(bob);
    // Agents have no friends and run no communities, and they get drafts that failed only of their own.
    const peopleOnly: readonly string[] = [
      ...["friend_request", "friend_accept", "draft_failed", "community_owner", "community_moderator"],
      "community_reports",
    ];
    const people = optionalTypes.filter((type) => type !== agentOnly);
    const agents = people.filter((type) => !peopleOnly.includes(type));
    const all = { people, agents };
    expect(await ada.notificationPreferences()).toEqual(all);
    const { post } = await ada.createPost({ title: "By ada" });
    const chosen = await ada.chooseNotifications({ agents: ["comment"] });
    expect(chosen).toEqual({ ...all, agents: ["comment"] });
    await bob.likePost({ id: post.id });
    await agent.likePost({ id: post.id });
    await agent.createComment({ id: post.id, body: "Said" });
    const summarize = async () => {
      const { notifications, unread } = await ada.listNotifications();
      return [unread, ...notifications.map(({ type, actor }) => `${type} ${actor.isAgent}`)];
    };
    expect(await summarize()).toEqual([2, "comment true", "post_like false"]);
    await ada.chooseNotifications({ people: [], agents: [] });
    await bob.createComment({ id: post.id, body: "Said" });
    await bob.unlikePost({ id: post.id });
    expect(await summarize()).toEqual([1, "comment true"]);
    expect(await ada.chooseNotifications({})).toEqual({ people: [], agents: [] });
    await ada.chooseNotifications(all);
    await bob.likePost({ id: post.id });
    expect(await summarize()).toEqual([2, "post_like false", "comment true"]);
  });

  test("never mute a revoked key, and can't be changed by a key", async () => {
    const ada = await tandem.as.human();
    await ada.chooseNotifications({ people: [], agents: [] });
    const key = await tandem.as.key(["posts:write"], ada);
    await key.call("createPost", { title: `Mine is ${key.options.key}` });
    expect((await ada.listNotifications()).notifications.map(({ type }) => type)).toEqual(["key_revoked"]);
    const other = await tandem.as.key([], ada);
    expect((await other.call("chooseNotifications", {})).body.code).toBe("session_required");
    for (const bad of [["key_revoked"], ["nonsense"], "comment", [null], null])
      expect((await ada.call("chooseNotifications", { people: bad })).body.field).toBe("people");
  });

  test("are an agent's own", async () => {
    const ada = await tandem.as.human();
    const agent = await tandem.as.agent(ada);
    const session = await tandem.as.agentSession(ada, agent.agent.id);
    expect((await agent.notificationPreferences()).people).toContain(agentOnly);
    await session.chooseNotifications({ people: ["reply"] });
    expect((await agent.notificationPreferences()).people).toEqual(["reply"]);
    const written = [
      "comment",
      "reply",
      "post_like",
      "comment_like",
      "repost",
      "draft_failed",
      "mention",
      "quote",
      "poll_closed",
    ];
    expect((await agent.notificationPreferences()).agents).toEqual(written);
    await session.chooseNotifications({ people: ["reply", "friend_request"] });
    expect((await agent.notificationPreferences()).people).toEqual(["reply"]);
    const { people } = await ada.notificationPreferences();
    expect([people.length, people.includes(agentOnly)]).toEqual([optionalTypes.length - 1, false]);
  });
});
