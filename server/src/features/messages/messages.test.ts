import { limits } from "@tandem/contract/limits";
import { addBulkUsers } from "@tandem/testing/bulk-users";
import type { Caller, CallResponse, Person } from "@tandem/testing/callers";
import { dump } from "@tandem/testing/dump";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addMessage, beginConversation, type Side } from "./messages.queries.ts";

describe.each(engines)("messages on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  beforeAll(async () => {
    const env = { LIMIT_THROTTLES_STRANGER_MESSAGES_PER_ACCOUNT_LIMIT: "1000" };
    tandem = await startTandem(engine, { env });
    [ada, bob] = await Promise.all([tandem.as.human("Ada"), tandem.as.human("Bob")]);
    await bob.editProfile({ displayName: "Bobby" });
  });
  beforeEach(() =>
    tandem.storage.write(async (tx) => {
      await tx.deleteFrom("conversations").execute();
      await tx.deleteFrom("blocks").execute();
    }),
  );
  afterAll(() => tandem.stop());

  const bodies = async (reader: Caller, username: string) =>
    (await reader.listMessages({ username })).messages.map(({ from, body }) => `${from}: ${body}`);
  const unread = async (reader: Caller) =>
    (await reader.listConversations()).conversations.map(
      (conversation) => `${conversation.with} ${conversation.unread}`,
    );
  const someone = async () => {
    const [member] = await addBulkUsers(tandem.storage, 1);
    if (!member) throw new Error("expected a user");
    return { ...member, caller: tandem.as.with({ cookie: member.cookie }) };
  };

  test("show a conversation from each side", async () => {
    const { message } = await ada.sendMessage({ username: "bOB", body: "Hello" });
    expect(message).toEqual({
      id: expect.any(Number),
      from: "Ada",
      body: "Hello",
      isAiGenerated: false,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await bob.sendMessage({ username: "ada", body: "Hello yourself" });
    for (const [reader, other] of [
      [ada, "Bob"],
      [bob, "Ada"],
    ] as const)
      expect(await bodies(reader, other)).toEqual(["Bob: Hello yourself", "Ada: Hello"]);
    const [conversation] = (await ada.listConversations()).conversations;
    expect(conversation).toEqual({
      with: "Bob",
      withDisplayName: "Bobby",
      withAvatarUrl: null,
      withIsAgent: false,
      withOperator: null,
      gone: false,
      lastMessage: expect.objectContaining({ from: "Bob", body: "Hello yourself" }),
      unread: 1,
    });
  });

  once("count unread messages per conversation, and aren't marked as read by listing", async () => {
    const carol = await someone();
    for (const body of ["one", "two"]) await ada.sendMessage({ username: "bob", body });
    await carol.caller.sendMessage({ username: "bob", body: "three" });
    await bodies(bob, "ada");
    expect(await unread(bob)).toEqual([`${carol.username} 1`, "Ada 2"]);
    expect(await unread(ada)).toEqual(["Bob 0"]);
    expect(await bob.markConversationRead({ username: "ada" })).toEqual({ unread: 0 });
    expect(await unread(bob)).toEqual([`${carol.username} 1`, "Ada 0"]);
    await ada.sendMessage({ username: "bob", body: "four" });
    expect(await unread(bob)).toEqual(["Ada 1", `${carol.username} 1`]);
  });

  once("count unread messages over all conversations, beyond the page", async () => {
    const carol = await someone();
    for (const body of ["one", "two"]) await ada.sendMessage({ username: "bob", body });
    await carol.caller.sendMessage({ username: "bob", body: "three" });
    const unreadOf = async (reader: Caller) => (await reader.listConversations({ limit: 1 })).unread;
    expect(await Promise.all([bob, ada, carol.caller].map(unreadOf))).toEqual([3, 0, 0]);
    await bob.markConversationRead({ username: "ada" });
    expect(await unreadOf(bob)).toBe(1);
    await bob.sendMessage({ username: carol.username, body: "four" });
    expect(await Promise.all([bob, ada, carol.caller].map(unreadOf))).toEqual([1, 0, 1]);
  });

  test("are paginated completely", async () => {
    for (let i = 0; i < 5; i++) await ada.sendMessage({ username: "bob", body: String(i) });
    const bodiesSeen = [];
    for await (const { body } of ada.pages.listMessages({ username: "bob", limit: 2 })) bodiesSeen.push(body);
    expect(bodiesSeen).toEqual(["4", "3", "2", "1", "0"]);
    const others = await Promise.all([someone(), someone(), someone()]);
    for (const { caller } of others) await caller.sendMessage({ username: "bob", body: "Me too" });
    const met = [];
    for await (const conversation of bob.pages.listConversations({ limit: 2 })) met.push(conversation.with);
    expect(met).toEqual([...others.map(({ username }) => username).reverse(), "Ada"]);
  });

  test("are an empty list for accounts that never wrote to each other", async () => {
    const none = { withOperator: null, messages: [], nextCursor: null };
    expect(await ada.listMessages({ username: "bob" })).toEqual(none);
    expect(await ada.markConversationRead({ username: "bob" })).toEqual({ unread: 0 });
    expect(await ada.listConversations()).toEqual({ conversations: [], unread: 0, nextCursor: null });
  });

  if (runsOnceTests(engine))
    test.each(["listMessages", "sendMessage", "markConversationRead"] as const)(
      "%s returns 404 for an unknown name and 400 for the caller's own or an invalid one",
      async (name) => {
        const body = name === "sendMessage" ? { body: "Hello?" } : {};
        const ask = async (username: string) => outcomeOf(await ada.call(name, { username, ...body }));
        expect(await ask("missing.account")).toBe("404 not_found");
        expect(await ask("[deleted-1]")).toBe("404 not_found");
        expect(await ask("ADA")).toBe("400 invalid_input username");
        for (const no of ["a b", "[deleted]", "[deleted-x]", "[deleted-1", `[deleted-${"9".repeat(16)}]`])
          expect(await ask(no)).toBe("400 invalid_input username");
      },
    );

  once("let an agent reply but not start a conversation, and mark its messages", async () => {
    const agent = await tandem.as.agent(ada);
    const robot = await tandem.as.agentSession(ada, agent.agent.id);
    const other = await tandem.as.agent(bob);
    const send = async (caller: Caller, username: string) =>
      outcomeOf(await caller.call("sendMessage", { username, body: "Beep" }));
    for (const username of ["bob", "ada", other.agent.username])
      expect(await send(robot, username)).toBe("403 agent_forbidden");
    expect(await send(agent, "bob")).toBe("403 session_required");
    const withOperator = { username: "Ada", displayName: null };
    const username = agent.agent.username;
    expect(await bob.listMessages({ username })).toEqual({ withOperator, messages: [], nextCursor: null });
    await bob.sendMessage({ username, body: "Are you there?" });
    expect(await bob.listMessages({ username })).toMatchObject({ withOperator, messages: [{}] });
    expect((await robot.listMessages({ username: "bob" })).withOperator).toBeNull();
    const { message } = await robot.sendMessage({ username: "bob", body: "Beep" });
    expect(message).toMatchObject({ from: agent.agent.username, isAiGenerated: true });
    expect((await bob.listConversations()).conversations).toMatchObject([
      { withIsAgent: true, withOperator, unread: 1, lastMessage: { isAiGenerated: true } },
    ]);
    // The agent doesn't see its operator's conversations, nor the other way round.
    expect(await unread(ada)).toEqual([]);
    expect((await bob.listNotifications()).unread).toBe(0);
  });

  if (runsOnceTests(engine))
    test.each([["by the first account"], ["by the second account"]])(
      "can be read but not sent after a block %s",
      async (by) => {
        await ada.sendMessage({ username: "bob", body: "Before" });
        const [blocker, blocked] = by === "by the first account" ? [ada, "bob"] : [bob, "ada"];
        await blocker.block({ username: blocked });
        const before = await dump(tandem.storage);
        for (const [caller, username] of [
          [ada, "bob"],
          [bob, "ada"],
        ] as const)
          expect(outcomeOf(await caller.call("sendMessage", { username, body: "After" }))).toBe(
            "403 forbidden",
          );
        expect(await dump(tandem.storage)).toEqual(before);
        expect(await bodies(bob, "ada")).toEqual(["Ada: Before"]);
        await blocker.unblock({ username: blocked });
        await bob.sendMessage({ username: "ada", body: "After" });
        expect(await bodies(ada, "bob")).toEqual(["Bob: After", "Ada: Before"]);
      },
    );

  test("stay when one participant is deleted, and are removed with both", async () => {
    const [first, second] = [await tandem.as.agent(ada), await tandem.as.agent(ada)];
    for (const { agent } of [first, second]) await bob.sendMessage({ username: agent.username, body: "Hi" });
    const robot = await tandem.as.agentSession(ada, first.agent.id);
    await robot.sendMessage({ username: "bob", body: "Beep" });
    await ada.deleteAgent({ id: first.agent.id });
    const [, gone] = (await bob.listConversations()).conversations.toSorted((a) => (a.gone ? 1 : -1));
    expect(gone).toMatchObject({ gone: true, withDisplayName: null, unread: 1 });
    const name = String(gone?.with);
    expect(name).toMatch(/^\[deleted-\d+\]$/);
    expect(await bodies(bob, name)).toEqual([`${name}: Beep`, "Bob: Hi"]);
    expect(outcomeOf(await bob.call("sendMessage", { username: name, body: "?" }))).toBe("404 not_found");
    expect(await bob.markConversationRead({ username: name })).toEqual({ unread: 0 });
    expect(outcomeOf(await ada.call("listMessages", { username: name }))).toBe("404 not_found");
    // The username is free again, and its new owner has no access to the old conversation.
    const next = await tandem.as.agent(ada, first.agent.username);
    expect(await bodies(bob, next.agent.username)).toEqual([]);
    expect(outcomeOf(await bob.call("listMessages", { username: first.agent.username }))).toBe("200");
  });

  test("are removed when both participants are deleted, concurrently or not", async () => {
    const left = async () => {
      const tables = await dump(tandem.storage);
      return ["conversations", "conversation_sides", "messages"].map((table) => tables[table]?.length);
    };
    for (let i = 0; i < 5; i++) {
      const [mine, theirs] = [await tandem.as.agent(ada), await tandem.as.agent(bob)];
      const ids = { from: mine.agent.id, to: theirs.agent.id };
      // Agents can't begin a conversation, so this is inserted directly.
      await tandem.storage.write(async (tx) => {
        const side = await beginConversation(tx, ids.from, ids.to, 1);
        await addMessage(tx, { ...idsOf(side), body: "Hello", is_ai: 0, created_at: 1 });
      });
      await Promise.all([ada.deleteAgent({ id: ids.from }), bob.deleteAgent({ id: ids.to })]);
      expect(await left()).toEqual([0, 0, 0]);
    }
  });

  test("are all stored and counted in one conversation if sent concurrently", async () => {
    const send = (from: Caller, username: string, i: number) =>
      from.sendMessage({ username, body: `${username} ${i}` });
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => [send(ada, "bob", i), send(bob, "ada", i)]).flat(),
    );
    expect(await unread(ada)).toEqual(["Bob 10"]);
    expect(await unread(bob)).toEqual(["Ada 10"]);
    const page = await ada.listMessages({ username: "bob", limit: 50 });
    expect(page.messages).toHaveLength(20);
    const [{ lastMessage } = {}] = (await bob.listConversations()).conversations;
    expect(lastMessage).toEqual(page.messages[0]);
  });

  once("can't be blank, too long or contain hidden characters", async () => {
    const send = async (body: unknown) => outcomeOf(await ada.call("sendMessage", { username: "bob", body }));
    for (const body of ["", " \n", "x".repeat(limits.messageBody + 1), "a\u202eb", null, 7])
      expect(await send(body)).toBe("400 invalid_input body");
    expect(await send("\u{1f600}".repeat(limits.messageBody))).toBe("200");
  });
});

describe("messages without a reply", () => {
  test("are limited per day, until the other replies or is a friend", async () => {
    const env = { LIMIT_THROTTLES_STRANGER_MESSAGES_PER_ACCOUNT_LIMIT: "2" };
    await using tandem = await startTandem("sqlite", { env });
    const [ada, bob] = await Promise.all([tandem.as.human("ada"), tandem.as.human("bob")]);
    const send = (username: string) => ada.call("sendMessage", { username, body: "Buy this" });
    await tandem.as.human("carol");
    const tried = await ada.call("sendMessage", { username: "bob", body: "x" }, { dryRun: true });
    expect(outcomeOf(tried)).toBe("200");
    expect([outcomeOf(await send("bob")), outcomeOf(await send("carol"))]).toEqual(["200", "200"]);
    const refused = await send("bob");
    expect(outcomeOf(refused)).toBe("429 rate_limited");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(86_000);
    await bob.sendMessage({ username: "ada", body: "Tell me more" });
    expect([outcomeOf(await send("bob")), outcomeOf(await send("carol"))]).toEqual([
      "200",
      "429 rate_limited",
    ]);
    const dora = await tandem.as.human("dora");
    await dora.requestFriend({ username: "ada" });
    await ada.requestFriend({ username: "dora" });
    expect(outcomeOf(await send("dora"))).toBe("200");
  });
});

function idsOf({ conversation_id, side }: Side) {
  return { conversation_id, side };
}

function outcomeOf({ status, body: { code, field } }: CallResponse): string {
  return [status, code, field].filter((part) => part !== undefined).join(" ");
}
