import { engines, startTandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

describe.each(engines)("messages on %s", (engine) => {
  test("go to and fro", async () => {
    await using tandem = await startTandem(engine);
    const [ada, bob] = await Promise.all([tandem.as.human("ada"), tandem.as.human("bob")]);
    await ada.sendMessage({ username: "BOB", body: "hello" });
    expect(await bob.listConversations()).toMatchObject({
      conversations: [{ with: "ada", unread: 1, lastMessage: { from: "ada", body: "hello" } }],
    });
    await bob.block({ username: "ada" });
    expect((await ada.call("sendMessage", { username: "bob", body: "x" })).body).toMatchObject({
      code: "forbidden",
    });
    const { post } = await ada.createPost({ title: "By ada" });
    expect((await bob.listPosts({})).posts).toEqual([]);
    expect((await ada.listPosts({})).posts.length).toBe(1);
    expect((await bob.call("likePost", { id: post.id })).body).toMatchObject({ code: "forbidden" });
    expect((await bob.call("createComment", { id: post.id, body: "x" })).body).toMatchObject({
      code: "forbidden",
    });
    expect((await bob.call("follow", { platform: "native", author: "ada" })).body).toMatchObject({
      code: "forbidden",
    });
    expect((await bob.call("requestFriend", { username: "ada" })).body).toMatchObject({ code: "forbidden" });
    await bob.unblock({ username: "ada" });
    expect((await bob.listPosts({})).posts.length).toBe(1);
    const r = await bob.requestFriend({ username: "ada" });
    expect(await ada.listFriendRequests()).toEqual({ incoming: [r.request], outgoing: [] });
    await ada.acceptFriend({ id: r.request.id });
    expect((await ada.listFriends()).friends.length).toBe(1);
  });
});
