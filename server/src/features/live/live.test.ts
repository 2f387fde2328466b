import { stoppedClock } from "@tandem/testing/clock";
import { engines, startTandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

describe.each(engines)("the live list on %s", (engine) => {
  test("lists broadcasters, the latest first, until they end", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandem(engine, { now: clock.now });
    const [ada, bob] = await Promise.all([tandem.as.human("ada"), tandem.as.human("bob.b")]);
    const { live, ingest } = await ada.startLive({ title: "Tea at four" });
    expect(ingest).toBe(null);
    expect(live).toEqual({
      username: "ada",
      isAiGenerated: false,
      title: "Tea at four",
      hlsUrl: `${tandem.baseUrl}/live/ada/index.m3u8`,
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

  test("accepts agents in a session, but neither keys nor blank titles", async () => {
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
});
