import { limits } from "@tandem/contract/limits";
import { scopeNames } from "@tandem/contract/scopes";
import type { Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { sendRequest } from "@tandem/testing/raw-http";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

describe.each(engines)("agents on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  const clock = stoppedClock(Date.UTC(2026, 0, 31, 12));

  beforeAll(async () => {
    tandem = await startTandem(engine, { now: clock.now });
    [ada, bob] = await Promise.all([tandem.as.human("ada"), tandem.as.human("bob")]);
  });
  beforeEach(async () => {
    for (const { id } of (await ada.listAgents()).agents) await ada.deleteAgent({ id });
  });
  afterAll(() => tandem.stop());

  once("creates an agent with a key that has all scopes", async () => {
    const { agent, key, secret } = await ada.createAgent({
      username: "Robot",
      displayName: "R.",
      bio: "Beep",
    });
    expect(agent).toEqual({
      id: expect.any(Number),
      username: "Robot",
      displayName: "R.",
      avatarUrl: null,
      bio: "Beep",
      createdAt: "2026-01-31T12:00:00.000Z",
      postCount: 0,
      paused: false,
    });
    expect(key).toMatchObject({ agentId: agent.id, scopes: scopeNames.join(","), tier: "probation" });
    const caller = tandem.as.bearer(String(secret));
    expect((await caller.me()).user).toMatchObject({
      id: agent.id,
      role: "agent",
      email: "Robot@agents.invalid",
    });
    await caller.createPost({ title: "Beep" });
    expect((await ada.listAgents()).agents).toEqual([{ ...agent, postCount: 1 }]);
    expect((await bob.listAgents()).agents).toEqual([]);
  });

  if (runsOnceTests(engine))
    test.each([
      ["comments:write", "comments:write"],
      [["posts:write"], "posts:write"],
      ["", ""],
      [null, scopeNames.join(",")],
    ])("gives its key the scopes %j", async (scopes, expected) => {
      expect((await ada.createAgent({ username: "scoped", scopes })).key.scopes).toBe(expected);
    });

  test.each([
    ["invalid_name", "username", {}],
    ["invalid_name", "username", { username: "x" }],
    ["invalid_name", "username", { username: "a b" }],
    ["invalid_name", "username", { username: 7 }],
    ["invalid_name", "username", { username: "Admin" }],
    ["username_taken", "username", { username: "BOB" }],
    ["invalid_scope", "scopes", { username: "robot", scopes: "everything" }],
    ["invalid_input", "displayName", { username: "robot", displayName: "x".repeat(51) }],
    ["invalid_input", "bio", { username: "robot", bio: "x".repeat(501) }],
  ])("%s in %s: %j", async (code, field, input) => {
    expect(await ada.call("createAgent", input)).toMatchObject({ status: 400, body: { code, field } });
    expect((await ada.listAgents()).agents).toEqual([]);
  });

  test("refuses the name of another agent in other letters", async () => {
    await ada.createAgent({ username: "Robot" });
    for (const username of ["Robot", "rOBOT"])
      expect((await bob.call("createAgent", { username })).body).toMatchObject({
        code: "username_taken",
        field: "username",
      });
  });

  test("limits a person's agents, even for concurrent requests", async () => {
    const names = Array.from({ length: limits.agentsPerPerson + 3 }, (_, i) => `robot${i}`);
    const responses = await Promise.all(names.map((username) => ada.call("createAgent", { username })));
    const refused = responses.filter((one) => one.status !== 200);
    expect(refused).toHaveLength(3);
    for (const one of refused) expect(one).toMatchObject({ status: 403, body: { code: "agent_limit" } });
    const { agents } = await ada.listAgents();
    expect(agents).toHaveLength(limits.agentsPerPerson);
    await ada.deleteAgent({ id: Number(agents[0]?.id) });
    await ada.createAgent({ username: "successor" });
  });

  once("can't be managed by keys or agents", async () => {
    const agent = await tandem.as.agent(ada);
    const session = await tandem.as.agentSession(ada, agent.agent.id);
    for (const name of ["listAgents", "listKeys", "createAgent", "mintKey"] as const) {
      expect(await agent.call(name, { username: "child" })).toMatchObject({
        status: 403,
        body: { code: "session_required" },
      });
      expect(await session.call(name, { username: "child" })).toMatchObject({
        status: 403,
        body: { code: "agent_forbidden" },
      });
    }
  });

  once("aren't found by other people", async () => {
    const { agent } = await tandem.as.agent(ada);
    for (const id of [agent.id, ada.user.id, 999_999]) {
      for (const name of ["deleteAgent", "openAgentSession"] as const) {
        expect(await bob.call(name, { id })).toMatchObject({ status: 404, body: { code: "not_found" } });
      }
    }
    const path = `/api/agents?id=${agent.id}`;
    const response = await sendRequest(tandem.baseUrl, {
      method: "DELETE",
      path,
      headers: { ...ada.options.headers },
    });
    expect(response).toMatchObject({ status: 200, body: { deleted: true } });
  });

  once("let their operator open a session as them", async () => {
    const { agent } = await tandem.as.agent(ada, "robot");
    const session = await tandem.as.agentSession(ada, agent.id);
    expect((await session.me()).user).toMatchObject({ id: agent.id, username: "robot", role: "agent" });
    const { post } = await session.createPost({ title: "By hand, as robot", provenance: "human" });
    expect(post).toMatchObject({ author: "robot", provenance: "ai_generated" });
    expect((await ada.me()).user.username).toBe("ada");
  });
});
