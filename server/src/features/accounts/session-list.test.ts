import { HOUR } from "@tandem/contract/durations";
import { cookieOf } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { eventually } from "@tandem/testing/eventually";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const password = "correct horse";

describe("the session list", () => {
  let tandem: Tandem;
  const clock = stoppedClock();
  beforeAll(async () => {
    tandem = await startTandem("sqlite", { now: clock.now });
  });
  afterAll(() => tandem.stop());

  const logIn = async (username: string, device = "Loom/1.0") => {
    const response = await tandem.as.with({ "user-agent": device }).call("logIn", { username, password });
    return tandem.as.with({ cookie: cookieOf(response), "user-agent": device });
  };

  test("lists the sessions with their device and times", async () => {
    const ada = await tandem.as.human();
    clock.pass(1000);
    const other = await logIn(ada.user.username, `Loom/2.0 \u00ad${"x".repeat(300)}`);
    const { sessions } = await other.listSessions();
    const at = (ms: number) => new Date(clock.now() - ms).toISOString();
    expect(sessions).toMatchObject([
      { current: true, agentId: null, createdAt: at(0), lastUsedAt: at(0) },
      { current: false, agentId: null, createdAt: at(1000) },
    ]);
    expect(sessions[0]?.device).toMatch(/^Loom\/2\.0 x+$/);
    expect(sessions[0]?.device?.length).toBe(200);
    expect((await ada.listSessions()).sessions.map(({ current }) => current)).toEqual([false, true]);
  });

  test("updates a session's last use at intervals", async () => {
    const ada = await tandem.as.human();
    clock.pass(HOUR);
    await ada.me();
    await eventually(async () => {
      const [session] = (await ada.listSessions()).sessions;
      expect(session?.lastUsedAt).toBe(new Date(clock.now()).toISOString());
    });
  });

  test("ends one session, or all others", async () => {
    const ada = await tandem.as.human();
    const name = ada.user.username;
    const [second, third] = [await logIn(name), await logIn(name)];
    const [, { id } = { id: 0 }] = (await third.listSessions()).sessions;
    expect(await ada.endSession({ id })).toEqual({ ended: true });
    expect((await second.call("me")).status).toBe(401);
    const fourth = await logIn(name);
    expect(await fourth.endSession({ others: true })).toEqual({ ended: true });
    expect([(await ada.call("me")).status, (await third.call("me")).status]).toEqual([401, 401]);
    expect((await fourth.listSessions()).sessions).toHaveLength(1);
    expect((await fourth.call("endSession", {})).body).toMatchObject({ code: "invalid_input", field: "id" });
    await expect(fourth.endSession({ id })).rejects.toMatchObject({ status: 404 });
  });

  test("hides other accounts' sessions and refuses to end them", async () => {
    const [ada, eve] = [await tandem.as.human(), await tandem.as.human()];
    const [session] = (await ada.listSessions()).sessions;
    await expect(eve.endSession({ id: Number(session?.id) })).rejects.toMatchObject({ status: 404 });
    await eve.endSession({ others: true });
    expect((await ada.call("me")).status).toBe(200);
    expect((await eve.listSessions()).sessions.map(({ id }) => id)).not.toContain(session?.id);
  });

  test("includes sessions as your own agents; an agent's session sees only the agent's", async () => {
    const ada = await tandem.as.human();
    const { agent } = await tandem.as.agent(ada);
    const asAgent = await tandem.as.agentSession(ada, agent.id);
    expect((await ada.listSessions()).sessions.map(({ agentId }) => agentId).sort()).toEqual([
      agent.id,
      null,
      null,
    ]);
    expect((await asAgent.listSessions()).sessions).toMatchObject([{ current: true, agentId: null }]);
    await ada.endSession({ others: true });
    expect((await asAgent.call("me")).status).toBe(401);
    expect((await ada.call("me")).status).toBe(200);
  });
});
