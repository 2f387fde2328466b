import { startTandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

describe("a person's name that their key wrote", () => {
  test("is on the profile with its mark, and nowhere else", async () => {
    await using tandem = await startTandem();
    const [ada, bob] = [await tandem.as.human("ada_l"), await tandem.as.human("bob")];
    const bot = await tandem.as.agent(ada, "loom_bot");
    const key = await tandem.as.key(undefined, ada);
    await ada.editProfile({ displayName: "Handwritten" });
    const { post } = await ada.createPost({ title: "On looms", body: "For @bob." });
    await ada.createComment({ id: post.id, body: "See also." });
    await ada.sendMessage({ username: "bob", body: "Tea?" });
    await bob.requestFriend({ username: "ada_l" });
    await ada.follow({ platform: "native", author: "bob" });
    await bob.block({ username: "loom_bot" });
    await ada.startLive({ title: "Weaving" });

    const page = async (path: string, headers: Record<string, string> = {}) =>
      (await fetch(tandem.baseUrl + path, { headers })).text();
    // Without what the app has read, but doesn't show.
    const shown = async (path: string) =>
      (await page(path, bob.options.headers)).replace(/<script.*?<\/script>/gs, "");
    const read = async () =>
      Promise.all([
        bob.readPost({ id: post.id }),
        bob.listPosts({}),
        bob.listComments({ id: post.id }),
        bob.listNotifications({}),
        bob.listConversations({}),
        bob.listMessages({ username: "ada_l" }),
        bob.listFriendRequests({}),
        bob.listBlocks({}),
        bob.searchCreators({ q: "ada_l" }),
        bob.readCreator({ platform: "native", author: "loom_bot" }),
        ...["/", `/posts/${post.id}`, `/posts/${post.id}.md`, "/feed.json", "/creators/native/loom_bot"].map(
          (path) => page(path),
        ),
        ...["/live", "/live/ada_l", "/creators?q=ada_l", "/messages/ada_l"].map(shown),
      ]);
    const showing = async (name: string) =>
      (await read()).map((response) => JSON.stringify(response).includes(name));
    const everywhere = await showing("Handwritten");
    expect(everywhere.filter(Boolean).length).toBeGreaterThan(9);

    const { user } = await key.editProfile({ displayName: "Wordsmith" });
    expect(user).toMatchObject({ displayName: "Wordsmith", aiGeneratedFields: ["displayName"] });
    for (const name of ["Handwritten", "Wordsmith"]) expect(await showing(name)).not.toContain(true);
    const profile = async () => (await bob.readCreator({ platform: "native", author: "ada_l" })).creator;
    expect(await profile()).toMatchObject({ displayName: "Wordsmith", aiGeneratedFields: ["displayName"] });
    expect((await bob.readPost({ id: post.id })).post).not.toHaveProperty("authorName");

    // The mark stays, no matter who writes next, and with it where the name shows.
    await ada.editProfile({ displayName: "Edited" });
    expect(await profile()).toMatchObject({ displayName: "Edited", aiGeneratedFields: ["displayName"] });
    expect(await showing("Edited")).not.toContain(true);
    await ada.editProfile({ displayName: null });
    expect(await profile()).toMatchObject({ displayName: null, aiGeneratedFields: [] });

    // All that an agent writes is marked as an agent's, so its name shows.
    await bot.editProfile({ displayName: "Loom Bot" });
    const { post: own } = await bot.createPost({ title: "Woven by itself" });
    expect((await ada.readPost({ id: own.id })).post.authorName).toBe("Loom Bot");
  });
});
