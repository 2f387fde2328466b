import { createApp } from "@tandem/server/app";
import { stoppedClock } from "@tandem/testing/clock";
import { until } from "@tandem/testing/ports";
import { engines, startTandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { describe, expect, test } from "vitest";

describe.each(engines)("the live list on %s", (engine) => {
  const once = testOnce(engine);
  once("lists broadcasters, the latest first, until they end", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandem(engine, { now: clock.now });
    const [ada, bob] = await Promise.all([tandem.as.human("ada"), tandem.as.human("bob.b")]);
    const { live, ingest } = await ada.startLive({ title: "Tea at four" });
    expect(ingest).toBe(null);
    expect(live).toEqual({
      username: "ada",
      displayName: null,
      avatarUrl: null,
      isAiGenerated: false,
      title: "Tea at four",
      hlsUrl: `${tandem.baseUrl}/live/ada/index.m3u8`,
      startedAt: new Date(clock.now()).toISOString(),
      viewers: 0,
      thumbnailUrl: null,
      postId: null,
    });
    clock.pass(1000);
    await bob.startLive({ title: "Tea at five" });
    clock.pass(1000);
    // A new title doesn't change the order.
    await ada.startLive({ title: "More tea" });
    const shown = async () =>
      (await tandem.as.anonymous().listLives()).lives.map(({ username, title }) => `${username}: ${title}`);
    expect(await shown()).toEqual(["bob.b: Tea at five", "ada: More tea"]);
    for (const _ of "ab") expect(await ada.endLive()).toEqual({ ended: true });
    expect(await shown()).toEqual(["bob.b: Tea at five"]);
  });

  once("accepts agents in a session, but neither keys nor blank titles", async () => {
    await using tandem = await startTandem(engine);
    const ada = await tandem.as.human();
    const agent = await tandem.as.agent(ada, "robot");
    const session = await tandem.as.agentSession(ada, agent.agent.id);
    await expect(agent.startLive({ title: "Beep" })).rejects.toMatchObject({
      status: 403,
      code: "session_required",
    });
    expect((await session.startLive({ title: "Beep" })).live.username).toBe("robot");
    for (const title of [undefined, null, "", " ", "x".repeat(201)]) {
      expect(await ada.call("startLive", { title })).toMatchObject({ status: 400, body: { field: "title" } });
    }
    await ada.deleteAgent({ id: agent.agent.id });
    expect((await ada.listLives()).lives).toEqual([]);
  });

  test("has the comments of a post as a chat, which notifies only those who are mentioned", async () => {
    await using tandem = await startTandem(engine);
    const [ada, bob] = await Promise.all([tandem.as.human("ada"), tandem.as.human("bob")]);
    const { post } = await ada.createPost({ title: "Tea is on" });
    const { post: foreign } = await bob.createPost({ title: "Milk" });
    for (const [postId, status] of [
      [foreign.id, 403],
      [9_999_999, 404],
      ["x", 400],
    ] as const)
      expect((await ada.call("startLive", { title: "Tea", postId } as never)).status).toBe(status);
    expect((await ada.startLive({ title: "Tea", postId: post.id })).live.postId).toBe(post.id);
    // A new title keeps the chat.
    expect((await ada.startLive({ title: "More tea" })).live.postId).toBe(post.id);
    const { comment } = await bob.createComment({ id: post.id, body: "Hello" });
    await bob.createComment({ id: post.id, body: "Hello @ada" });
    await ada.createComment({ id: post.id, body: "Welcome", parentId: comment.id });
    const typesOf = async (caller: typeof ada) =>
      (await caller.listNotifications()).notifications.map(({ type }) => type);
    expect([await typesOf(ada), await typesOf(bob)]).toEqual([["mention"], ["reply"]]);
    await ada.endLive();
    await bob.createComment({ id: post.id, body: "Thanks" });
    expect(await typesOf(ada)).toEqual(["comment", "mention"]);
    await ada.startLive({ title: "Tea", postId: post.id });
    const chat = async () => (await ada.listLives()).lives[0]?.postId;
    const setRemoved = (removed: 0 | 1) =>
      tandem.storage.write((tx) =>
        tx.updateTable("posts").set({ removed }).where("id", "=", post.id).execute(),
      );
    await setRemoved(1);
    expect(await chat()).toBe(null);
    await setRemoved(0);
    expect(await chat()).toBe(post.id);
    await ada.deletePost({ id: post.id });
    expect(await chat()).toBe(null);
  });

  test("counts the players that ask for the playlist", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandem(engine, { now: clock.now, env: { TRUST_PROXY: "1" } });
    const ada = await tandem.as.human("ada");
    const { live } = await ada.startLive({ title: "Tea" });
    const watch = (address: string, player = "Firefox", method = "GET") =>
      fetch(live.hlsUrl, { method, headers: { "x-forwarded-for": address, "user-agent": player } });
    const viewers = async () => (await ada.listLives()).lives[0]?.viewers;
    await watch("203.0.113.1");
    await until(async () => (await viewers()) === 1);
    await watch("203.0.113.1", "VLC");
    await watch("203.0.113.2");
    await watch("203.0.113.3", "curl", "HEAD");
    clock.pass(5_000);
    await watch("203.0.113.2");
    await until(async () => (await viewers()) === 3);
    // One client that claims to be many counts at most 16 times, and all networks of an IPv6 line at most 512 times.
    for (let i = 0; i < 100; i++) await watch("203.0.113.4", `Player ${i}`);
    clock.pass(5_000);
    await watch("203.0.113.2");
    await until(async () => (await viewers()) === 3 + 16);
    const networks = Array.from({ length: 1000 }, (_, i) => `2001:db8:1:${i.toString(16)}::1`);
    for (const [i, network] of networks.entries()) await watch(network, `Player ${i % 2}`);
    clock.pass(5_000);
    await watch("203.0.113.2");
    await until(async () => (await viewers()) === 3 + 16 + 2 * 32);
    clock.pass(15_000);
    await watch("203.0.113.2");
    await until(async () => (await viewers()) === 1);
    clock.pass(20_000);
    expect(await viewers()).toBe(0);
  });

  test("counts a player once that asks several processes, as a proxy lets it", async () => {
    const clock = stoppedClock();
    const env = { TRUST_PROXY: "1" };
    await using tandem = await startTandem(engine, { now: clock.now, env });
    const { config } = tandem.services;
    const other = createApp({ config, storage: tandem.storage, now: clock.now }).server;
    const ada = await tandem.as.human("ada");
    await ada.startLive({ title: "Tea" });
    const path = "/live/ada/index.m3u8";
    const watch = async (address: string) => {
      const headers = { "x-forwarded-for": address, "user-agent": "Firefox" };
      await fetch(tandem.baseUrl + path, { headers });
      await other.inject({ url: path, headers });
    };
    const viewers = async () => Number((await ada.listLives()).lives[0]?.viewers);
    await watch("203.0.113.1");
    await watch("203.0.113.2");
    clock.pass(5_000);
    await watch("203.0.113.3");
    await until(async () => (await viewers()) === 3);
    // Beyond what is stored of each, it is an estimate.
    const addresses = Array.from({ length: 400 }, (_, i) => `198.51.${100 + (i >> 8)}.${i & 255}`);
    for (const address of addresses) await watch(address);
    clock.pass(5_000);
    await watch("203.0.113.3");
    await until(async () => (await viewers()) >= 403);
    expect(await viewers()).toBeLessThan(480);
    await other.close();
  });
});
