import { DAY } from "@tandem/contract/durations";
import { makeAdmin } from "@tandem/testing/admins";
import type { Caller, Person } from "@tandem/testing/callers";
import { cookieOf } from "@tandem/testing/callers";
import { engines, manyConnections, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { blockWrites, queueWrite } from "@tandem/testing/write-lock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe.each(engines)("suspensions, roles and account search on %s", (engine) => {
  const once = testOnce(engine);
  let now = Date.parse("2026-06-01T12:00:00.000Z");
  let tandem: Tandem;
  let admin: Person;
  beforeAll(async () => {
    tandem = await startTandem(engine, { now: () => now, env: manyConnections });
    admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
  });
  afterAll(() => tandem.stop());

  const reason = "Advertising";
  const inDays = (days: number) => new Date(now + days * DAY).toISOString();
  const posting = async (caller: Caller) => {
    const { status, body } = await caller.call("createPost", { title: "May I?" });
    return body.code === undefined ? String(status) : `${status} ${body.code}`;
  };

  once("a suspension stops an account's and its agents' writes, and says until when and why", async () => {
    const person = await tandem.as.human();
    const agent = await tandem.as.agent(person);
    const key = await tandem.as.key(["posts:write"], person);
    const session = await tandem.as.agentSession(person, agent.agent.id);
    const { post } = await person.createPost({ title: "Stays" });
    const until = inDays(3);
    await admin.suspendAccount({ id: person.user.id, reason, until });
    for (const caller of [person, agent, key, session]) {
      expect(await posting(caller)).toBe("403 suspended");
      expect((await caller.call("me")).status).toBe(200);
      expect((await caller.call("listPosts", {})).status).toBe(200);
      expect((await caller.call("markNotificationsRead")).status).toBe(200);
    }
    const { body } = await agent.call("createPost", { title: "May I?" });
    expect(body.error).toContain(until);
    expect(body.error).toContain(reason);
    expect(body.hint).toContain("POST /api/appeals");
    expect((await admin.readPost({ id: post.id })).post.id).toBe(post.id);
    // It applies to every credential of the account.
    const login = await tandem.as
      .anonymous()
      .call("logIn", { username: person.user.username, password: person.password });
    expect(login.status).toBe(200);
    expect(await posting(tandem.as.with({ cookie: cookieOf(login) }))).toBe("403 suspended");
    expect((await person.call("mintKey", {})).body.code).toBe("suspended");
    expect((await person.call("createPost", { title: "" })).body.code).toBe("suspended");
    expect((await key.call("likePost", { id: post.id })).body.code).toBe("insufficient_scope");
    now += 3 * DAY;
    for (const caller of [person, agent, key, session]) expect(await posting(caller)).toBe("200");
  });

  if (runsOnceTests(engine))
    test("a suspended account can still delete, detach and take back what it published, and refuse friendship", async () => {
      const [person, other] = [await tandem.as.human(), await tandem.as.human()];
      const agent = await tandem.as.agent(person);
      const { post } = await person.createPost({ title: "Quotable" });
      const { post: quoting } = await other.createPost({ title: "See this", quoteId: post.id });
      const { comment } = await person.createComment({ id: quoting.id, body: "Oh" });
      await person.repostPost({ id: quoting.id });
      const { post: byAgent } = await agent.createPost({ title: "By the agent" });
      const { request } = await other.requestFriend({ username: person.user.username });
      await admin.suspendAccount({ id: person.user.id, reason });
      await person.detachQuote({ id: post.id, quotingId: quoting.id });
      await person.deleteComment({ id: comment.id });
      await person.unrepostPost({ id: quoting.id });
      await person.undoAgent({ id: agent.agent.id });
      await person.declineFriend({ id: Number(request?.id) });
      await person.deletePost({ id: post.id });
      expect((await other.call("readPost", { id: byAgent.id })).status).toBe(404);
      expect((await person.call("editPost", { id: quoting.id, title: "Mine" })).body.code).toBe("suspended");
      await admin.liftSuspension({ id: person.user.id });
      const { post: after } = await other.readPost({ id: quoting.id });
      expect(after).toMatchObject({ quote: null, commentCount: 0 });
      expect(after).not.toHaveProperty("repostCount");
    });

  test("a permanent suspension ends when lifted; an agent's own suspension stays", async () => {
    const person = await tandem.as.human();
    const agent = await tandem.as.agent(person);
    await admin.suspendAccount({ id: agent.agent.id, reason });
    await admin.suspendAccount({ id: person.user.id, reason, until: null });
    expect((await person.call("createPost", { title: "May I?" })).body.error).toContain("permanently");
    expect((await admin.readAccount({ id: person.user.id })).user.suspendedUntil).toMatch(/^9999/);
    expect((await admin.listAccounts({ suspended: 1 })).users.map(({ id }) => id)).toContain(person.user.id);
    expect((await admin.liftSuspension({ id: person.user.id })).user.suspendedUntil).toBe(null);
    expect(await posting(person)).toBe("200");
    expect(await posting(agent)).toBe("403 suspended");
    await admin.liftSuspension({ id: agent.agent.id });
    expect(await posting(agent)).toBe("200");
  });

  once("a new suspension replaces the current one", async () => {
    const person = await tandem.as.human();
    await admin.suspendAccount({ id: person.user.id, reason, until: inDays(9) });
    await admin.suspendAccount({ id: person.user.id, reason, until: inDays(1) });
    expect((await admin.readAccount({ id: person.user.id })).user.suspendedUntil).toBe(inDays(1));
    const { decisions } = await person.listDecisions({});
    expect(decisions.map(({ stands }) => stands)).toEqual([true, false]);
  });

  once("refuses to suspend unknown accounts and admins, or until a time in the past", async () => {
    const person = await tandem.as.human();
    for (const [input, expected] of [
      [{ id: 999_999 }, "404 not_found undefined"],
      [{ id: admin.user.id }, "403 forbidden undefined"],
      [{ id: person.user.id, until: inDays(-1) }, "400 invalid_input until"],
    ] as const) {
      const { status, body } = await admin.call("suspendAccount", { ...input, reason });
      expect(`${status} ${body.code} ${body.field}`).toBe(expected);
    }
  });

  test("a suspension can be appealed once, and ends when the appeal is accepted", async () => {
    const person = await tandem.as.human();
    const stranger = await tandem.as.human();
    const { decision } = await admin.suspendAccount({ id: person.user.id, reason });
    const appeal = { decisionId: decision.id, text: "It was someone else." };
    expect((await stranger.call("createAppeal", appeal)).status).toBe(404);
    expect((await person.createAppeal(appeal)).decision.appeal).toMatchObject({
      state: "open",
      answer: null,
    });
    expect((await person.call("createAppeal", appeal)).body.field).toBe("decisionId");
    expect((await admin.listAppeals({})).decisions.map(({ id }) => id)).toEqual([decision.id]);
    const answer = { id: decision.id, accept: true, answer: "So it was." };
    const { unread } = await person.countNotifications();
    const responses = await Promise.all([
      admin.call("answerAppeal", answer),
      admin.call("answerAppeal", answer),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect((await person.countNotifications()).unread).toBe(unread + 1);
    expect((await person.readDecision({ id: decision.id })).decision).toMatchObject({
      stands: false,
      appeal: { state: "accepted", answer: "So it was." },
    });
    expect(await posting(person)).toBe("200");
    expect((await admin.listAppeals({})).decisions).toEqual([]);
    expect((await person.call("createAppeal", appeal)).body.field).toBe("decisionId");
  });

  once("a suspension can't be appealed after it has ended", async () => {
    const person = await tandem.as.human();
    const { decision } = await admin.suspendAccount({ id: person.user.id, reason, until: inDays(1) });
    now += 2 * DAY;
    const { status, body } = await person.call("createAppeal", {
      decisionId: decision.id,
      text: "Too late.",
    });
    expect([status, body.field]).toEqual([400, "decisionId"]);
  });

  once("an operator appeals for an agent, and an accepted appeal restores the post", async () => {
    const operator = await tandem.as.human();
    const agent = await tandem.as.agent(operator);
    const { post } = await agent.createPost({ title: "By an agent" });
    const { decision } = await admin.removePost({ id: post.id, reason });
    expect((await agent.call("createAppeal", { decisionId: decision.id, text: "x" })).body.code).toBe(
      "session_required",
    );
    await operator.createAppeal({ decisionId: decision.id, text: "It was ours." });
    await admin.answerAppeal({ id: decision.id, accept: true, answer: "It was." });
    expect((await operator.readPost({ id: post.id })).post.title).toBe("By an agent");
    expect((await agent.readOwnKey()).strikes).toBe(0);
  });

  once("refuses to set the caller's own role or an agent's", async () => {
    await admin.reauthenticate({ password: admin.password });
    const person = await tandem.as.human();
    const agent = await tandem.as.agent(person);
    for (const id of [admin.user.id, agent.agent.id])
      expect((await admin.call("setRole", { id, role: "admin" })).body.code).toBe("forbidden");
    await admin.setRole({ id: person.user.id, role: "admin" });
    expect((await person.listAccounts({ role: "admin" })).users.map(({ id }) => id)).toContain(
      person.user.id,
    );
    await admin.setRole({ id: person.user.id, role: "user" });
    expect((await person.call("listAccounts")).body.code).toBe("forbidden");
  });

  test("two admins who demote each other at the same time don't leave none", async () => {
    const pair = await Promise.all([tandem.as.human(), tandem.as.human()]);
    for (const one of pair) await makeAdmin(tandem.storage, one);
    const [one, other] = pair;
    const lock = await blockWrites(tandem.storage);
    const queued = [
      (await queueWrite(one, "setRole", { id: other.user.id, role: "user" })).response,
      (await queueWrite(other, "setRole", { id: one.user.id, role: "user" })).response,
    ];
    await lock.release();
    const statuses = (await Promise.all(queued)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 403]);
    const { users } = await admin.listAccounts({ role: "admin", limit: 50 });
    expect(pair.filter(({ user }) => users.some(({ id }) => id === user.id))).toHaveLength(1);
  });

  test("finds accounts by the start of the username", async () => {
    for (const name of ["quill_a", "Quill.b", "quillc", "quil_d"]) await tandem.as.human(name);
    const { users } = await admin.listAccounts({ q: "QUILL" });
    expect(users.map(({ username }) => username).sort()).toEqual(["Quill.b", "quill_a", "quillc"]);
    expect((await admin.listAccounts({ q: "%" })).users).toEqual([]);
  });
});
