import { waitForAgent } from "@tandem/client/wait-for-agent";
import { HOUR, MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { scopeNames } from "@tandem/contract/scopes";
import { type Caller, type Person, uniqueName } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sweepOut } from "../../housekeeping.ts";
import { insertRows } from "../../storage/bulk.ts";

describe.each(engines)("an agent that asks for an account on %s", (engine) => {
  const once = testOnce(engine);
  const clock = stoppedClock(Date.UTC(2026, 0, 31, 12));
  let tandem: Tandem;
  let ada: Person;
  let anonymous: Caller;

  beforeAll(async () => {
    tandem = await startTandem(engine, { now: clock.now, env: { TRUST_PROXY: "1" } });
    ada = await tandem.as.human();
    anonymous = tandem.as.anonymous();
  });
  afterAll(() => tandem.stop());

  const ask = async (more: object = {}) => {
    const { request, ...rest } = await anonymous.requestAgent({ username: uniqueName("asker"), ...more });
    return { ...request, ...rest };
  };
  const claim = (token: string) => anonymous.claimAgent({ token });
  const verdict = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
    [status, body.code, body.field].filter((part) => part !== undefined).join(" ");
  const rows = () => tandem.storage.read.selectFrom("agent_requests").selectAll().execute();
  const sweep = () => sweepOut(tandem.services, new AbortController().signal, 100);

  once("gets its key by polling, once a person approved it", async () => {
    const username = uniqueName("Asker");
    const about = { username, displayName: "A.", bio: "Beep", scopes: "comments:write" };
    const { request, url, token, interval } = await anonymous.requestAgent(about);
    const { code } = request;
    expect(code).toMatch(/^[B-Z]{4}-[B-Z]{4}$/);
    expect([url, interval]).toEqual([`${tandem.baseUrl}/claim/${code}`, 5]);
    const times = { createdAt: "2026-01-31T12:00:00.000Z", expiresAt: "2026-01-31T13:00:00.000Z" };
    expect(request).toEqual({ ...about, ...times, code });
    expect(await claim(token)).toEqual({ state: "pending", agent: null, key: null, secret: null });
    const typed = code.toLowerCase().replace("-", "");
    expect((await ada.readAgentRequest({ code: typed })).request).toEqual(request);
    const approved = await ada.approveAgentRequest({ code });
    expect(approved).toMatchObject({ agent: { username }, key: { scopes: "comments:write" } });
    expect(approved).not.toHaveProperty("secret");
    // A lost response doesn't lose the key.
    const [first, second] = [await claim(token), await claim(token)];
    expect(second).toEqual(first);
    expect(first).toMatchObject({ state: "approved", agent: approved.agent, key: approved.key });
    const agent = tandem.as.bearer(String(first.secret));
    expect((await agent.me()).user).toMatchObject({
      username,
      displayName: "A.",
      bio: "Beep",
      // The agent wrote them before it had an account, not the person who approved it.
      aiGeneratedFields: ["displayName", "bio"],
      role: "agent",
    });
    // An agent that used the key has it.
    await expect.poll(async () => (await claim(token)).secret).toBeNull();
    expect((await claim(token)).state).toBe("approved");
    await sweep();
    expect(verdict(await anonymous.call("claimAgent", { token }))).toBe("404 not_found token");
  });

  test("stores no secret that can be read, and keeps the key for a day", async () => {
    const { code, token } = await ask();
    await ada.approveAgentRequest({ code });
    const { secret } = await claim(token);
    const stored = JSON.stringify(await rows());
    for (const text of [token, code, code.replace("-", ""), String(secret)])
      expect(stored).not.toContain(text);
    clock.pass(limits.agentKeyHours * HOUR);
    expect(verdict(await anonymous.call("claimAgent", { token }))).toBe("404 not_found token");
    await sweep();
    expect(await rows()).toEqual([]);
  });

  once("learns that it was declined, or that no one decided in time", async () => {
    await ada.reauthenticate({ password: ada.password });
    const [declined, late] = [await ask(), await ask()];
    expect(await ada.declineAgentRequest({ code: declined.code })).toEqual({ declined: true });
    expect((await claim(declined.token)).state).toBe("declined");
    for (const name of ["readAgentRequest", "approveAgentRequest", "declineAgentRequest"] as const)
      expect(verdict(await ada.call(name, { code: declined.code }))).toBe("404 not_found");
    clock.pass(limits.agentRequestMinutes * MINUTE);
    await sweep();
    expect(await claim(late.token)).toMatchObject({ state: "expired", secret: null });
    expect(verdict(await ada.call("approveAgentRequest", { code: late.code }))).toBe("404 not_found");
    clock.pass(limits.agentKeyHours * HOUR);
    await sweep();
    expect(verdict(await anonymous.call("claimAgent", { token: late.token }))).toBe("404 not_found token");
  });

  test("is approved by one person, and by a retry of the same call", async () => {
    const [{ code }, bob] = [await ask(), await tandem.as.human()];
    await ada.reauthenticate({ password: ada.password });
    const idempotencyKey = "approve";
    const approve = (caller: Caller) => caller.call("approveAgentRequest", { code }, { idempotencyKey });
    const responses = await Promise.all([approve(ada), approve(bob)]);
    expect(responses.map(verdict).sort()).toEqual(["200", "404 not_found"]);
    const [winner, first] = responses[0].status === 200 ? [ada, responses[0]] : [bob, responses[1]];
    expect((await approve(winner)).body).toEqual(first.body);
  });

  once("gets another name or fewer scopes if the person says so", async () => {
    const bob = await tandem.as.human();
    const taken = uniqueName("late");
    const { code, token } = await ask({ username: taken });
    await tandem.as.human(taken);
    expect(verdict(await bob.call("approveAgentRequest", { code }))).toBe("400 username_taken username");
    const username = uniqueName("other");
    await bob.approveAgentRequest({ code, username, scopes: [] });
    expect(await claim(token)).toMatchObject({ agent: { username }, key: { scopes: "" } });
    const all = await ask();
    await bob.approveAgentRequest({ code: all.code });
    expect((await claim(all.token)).key?.scopes).toBe(scopeNames.join(","));
  });

  if (runsOnceTests(engine))
    test.each([
      ["400 invalid_name username", { username: "a b" }],
      ["400 invalid_name username", { username: "Admin" }],
      ["400 invalid_scope scopes", { scopes: "everything" }],
      ["400 invalid_input bio", { bio: "x".repeat(501) }],
    ])("%s: %j", async (expected, input) => {
      expect(verdict(await anonymous.call("requestAgent", { username: uniqueName("asker"), ...input }))).toBe(
        expected,
      );
    });

  once("is refused a taken name before it waits", async () => {
    const input = { username: ada.user.username.toUpperCase() };
    expect(verdict(await anonymous.call("requestAgent", input))).toBe("400 username_taken username");
    // Agents have addresses that are made from their names, which no one asks for.
    const { agent } = await tandem.as.agent(ada);
    const { body } = await anonymous.call("requestAgent", { username: agent.username });
    expect(body).toMatchObject({ errors: [{ code: "username_taken" }] });
  });

  once("can't be approved by agents, keys, suspended people, or after a long session", async () => {
    const { code } = await ask();
    const [bob, eve] = [await tandem.as.human(), await tandem.as.human()];
    const agent = await tandem.as.agent(bob);
    const approve = async (caller: Caller) => verdict(await caller.call("approveAgentRequest", { code }));
    expect(await approve(agent)).toBe("403 session_required");
    expect(await approve(await tandem.as.agentSession(bob, agent.agent.id))).toBe("403 agent_forbidden");
    await tandem.storage.write((tx) =>
      tx
        .updateTable("users")
        .set({ suspended_until: clock.now() + HOUR })
        .where("id", "=", eve.user.id)
        .execute(),
    );
    expect(await approve(eve)).toBe("403 suspended");
    clock.pass(limits.provenHours * HOUR);
    const again = await ask();
    const late = await bob.call("approveAgentRequest", { code: again.code });
    expect(verdict(late)).toBe("403 reauthentication_required");
    const others = limits.agentsPerPerson - 1;
    for (let i = 0; i < others; i++) await tandem.as.agent(bob);
    expect(verdict(await bob.call("approveAgentRequest", { code: again.code }))).toBe("403 agent_limit");
    expect((await ada.readAgentRequest({ code: again.code })).request.code).toBe(again.code);
  });

  test("can't guess codes", async () => {
    const [{ code }, eve] = [await ask(), await tandem.as.human()];
    const { limit } = tandem.services.config.limits.throttles.wrongCodesPerAccount;
    const guesses = Array.from({ length: limit }, () => eve.call("readAgentRequest", { code: "BBBB-BBBB" }));
    for (const response of await Promise.all(guesses)) expect(verdict(response)).toBe("404 not_found");
    expect(verdict(await eve.call("readAgentRequest", { code }))).toBe("429 rate_limited");
  });

  test("can't fill the list from one address, nor from many", async () => {
    const { limit } = tandem.services.config.limits.throttles.agentRequestsPerAddress;
    const from = (address: string) =>
      tandem.as.with({ "x-forwarded-for": address }).call("requestAgent", { username: uniqueName("many") });
    for (let i = 0; i < limit; i++) expect((await from("203.0.113.7")).status).toBe(200);
    expect(verdict(await from("203.0.113.7"))).toBe("429 rate_limited");
    expect((await from("203.0.113.8")).status).toBe(200);
    // A line with IPv6 has a /48 at most: its networks count on their own and together.
    const { limit: perSite } = tandem.services.config.limits.throttles.agentRequestsPerSite;
    const network = (n: number) => from(`2001:db8:1:${n.toString(16)}::1`);
    for (let n = 0; n < perSite; n++) expect((await network(n)).status).toBe(200);
    expect(verdict(await network(perSite))).toBe("429 rate_limited");
    expect((await from("2001:db8:2::1")).status).toBe(200);
    const key = { salt: "", key_hash: "", key_hint: "" };
    const row = { ...key, username: "many", scopes: "", state: "pending" as const, created_at: clock.now() };
    const waiting = Array.from({ length: limits.agentRequests }, (_, i) => ({
      ...{ ...row, token_hash: `t${i}`, code_hash: `c${i}`, expires_at: clock.now() + MINUTE },
    }));
    await tandem.storage.write((tx) => insertRows(tx, "agent_requests", waiting));
    expect(verdict(await from("203.0.113.9"))).toBe("429 rate_limited");
    clock.pass(MINUTE);
    expect((await from("203.0.113.9")).status).toBe(200);
  });

  once("is counted if it fails, but not if it is a dry run", async () => {
    const { limit } = tandem.services.config.limits.throttles.agentRequestsPerAddress;
    const client = tandem.as.with({ "x-forwarded-for": "203.0.113.70" });
    const taken = { username: ada.user.username };
    const attempt = async (input: { username: string }, dryRun = false) =>
      verdict(await client.call("requestAgent", input, { dryRun }));
    expect(await attempt({ username: uniqueName("dry") }, true)).toBe("200");
    for (let i = 0; i < limit; i++) expect(await attempt(taken)).toBe("400 username_taken username");
    expect(await attempt(taken)).toBe("429 rate_limited");
    expect(await attempt({ username: uniqueName("dry") }, true)).toBe("429 rate_limited");
  });

  once("waits for its key with the client's helper", async () => {
    const bob = await tandem.as.human();
    const [yes, no] = [await ask(), await ask()];
    const waiting = [yes, no].map((request) => waitForAgent(anonymous, { ...request, interval: 0.01 }));
    await bob.declineAgentRequest({ code: no.code });
    await bob.approveAgentRequest({ code: yes.code });
    const [approved, declined] = await Promise.all(waiting);
    expect((await tandem.as.bearer(String(approved?.secret)).me()).user.role).toBe("agent");
    expect(declined).toMatchObject({ state: "declined", secret: null });
    const aborted = waitForAgent(anonymous, await ask(), { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toThrow();
  });
});
