import { limits } from "@tandem/contract/limits";
import { addBulkUsers } from "@tandem/testing/bulk-users";
import type { Caller, CallResponse, Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { engines, manyConnections, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertRows } from "../../storage/bulk.ts";
import { removeAccount } from "../account-deletion/remove-account.ts";

describe.each(engines)("friends on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  const clock = stoppedClock();
  beforeAll(async () => {
    tandem = await startTandem(engine, { now: clock.now, env: manyConnections });
    ada = await tandem.as.human("ada");
  });
  afterAll(() => tandem.stop());

  const makePair = async () => {
    const [first, second] = await addBulkUsers(tandem.storage, 2, clock.now());
    if (!first || !second) throw new Error("expected two users");
    const asCaller = (user: typeof first) => ({ ...user, caller: tandem.as.with({ cookie: user.cookie }) });
    return [asCaller(first), asCaller(second)] as const;
  };
  const friendsOf = async (caller: Caller) =>
    (await caller.listFriends()).friends.map(({ username }) => username);

  once("notifies both sides of a request and its acceptance", async () => {
    const bob = await tandem.as.human("Bob");
    await bob.editProfile({ displayName: "Bobby" });
    const sent = await ada.requestFriend({ username: "bob" });
    expect(sent).toEqual({
      request: {
        id: expect.any(Number),
        from: "ada",
        fromDisplayName: null,
        fromAvatarUrl: null,
        to: "Bob",
        toDisplayName: "Bobby",
        toAvatarUrl: null,
        createdAt: "2026-01-15T12:00:00.000Z",
      },
      friends: false,
    });
    const { request } = sent;
    expect(await bob.listFriendRequests()).toEqual({ incoming: [request], outgoing: [] });
    expect(await ada.listFriendRequests()).toEqual({ incoming: [], outgoing: [request] });
    expect(await bob.acceptFriend({ id: request.id })).toEqual({ request, friends: true });
    expect((await ada.listFriends()).friends).toEqual([
      { username: "Bob", displayName: "Bobby", avatarUrl: null, since: "2026-01-15T12:00:00.000Z" },
    ]);
    expect(await friendsOf(bob)).toEqual(["ada"]);
    const notificationsOf = async (caller: Caller) =>
      (await caller.listNotifications()).notifications.map(({ type, actor }) => [type, actor.username]);
    expect(await notificationsOf(bob)).toEqual([["friend_request", "ada"]]);
    expect(await notificationsOf(ada)).toEqual([["friend_accept", "Bob"]]);
    await bob.removeFriend({ username: "ada" });
    expect([await friendsOf(ada), await notificationsOf(ada), await notificationsOf(bob)]).toEqual([
      [],
      [],
      [],
    ]);
  });

  once("excludes agents", async () => {
    const agent = await tandem.as.agent(ada);
    const session = await tandem.as.agentSession(ada, agent.agent.id);
    expect(outcomeOf(await session.call("requestFriend", { username: "ada" }))).toBe("403 agent_forbidden");
    expect(outcomeOf(await agent.call("requestFriend", { username: "ada" }))).toBe("403 session_required");
    const sent = await ada.call("requestFriend", { username: agent.agent.username });
    expect(outcomeOf(sent)).toBe("400 invalid_input username");
  });

  if (runsOnceTests(engine))
    test.each(["requestFriend", "removeFriend"] as const)(
      "%s returns 404 for an unknown account and 400 for the caller's own",
      async (name) => {
        expect(outcomeOf(await ada.call(name, { username: "missing.account" }))).toBe(
          "404 not_found username",
        );
        expect(outcomeOf(await ada.call(name, { username: "ADA" }))).toBe("400 invalid_input username");
      },
    );

  once("hides other accounts' requests", async () => {
    const [sender, recipient] = await makePair();
    const { request } = await sender.caller.requestFriend({ username: recipient.username });
    for (const name of ["acceptFriend", "declineFriend", "withdrawFriendRequest"] as const)
      expect(outcomeOf(await ada.call(name, { id: request.id }))).toBe("404 not_found");
  });

  if (runsOnceTests(engine))
    test("refuses a new request for a while after a decline, but not one by the account that declined", async () => {
      const [sender, recipient] = await makePair();
      const ask = () => sender.caller.call("requestFriend", { username: recipient.username });
      const { request } = await sender.caller.requestFriend({ username: recipient.username });
      await recipient.caller.declineFriend({ id: request.id });
      expect((await recipient.caller.listNotifications()).unread).toBe(0);
      const refused = await ask();
      expect(outcomeOf(refused)).toBe("429 rate_limited");
      expect(refused.headers.get("retry-after")).toBe(String(limits.friendRequestCooldownDays * 86_400));
      // Waiting in two steps keeps the sessions alive.
      clock.passDays(limits.friendRequestCooldownDays - 1);
      await ada.me();
      expect(outcomeOf(await ask())).toBe("429 rate_limited");
      const sent = await recipient.caller.requestFriend({ username: sender.username });
      expect(sent.friends).toBe(false);
      expect((await ask()).body).toMatchObject({ friends: true });
    });

  once("lets a withdrawn request be sent again, with one notification", async () => {
    const [sender, recipient] = await makePair();
    for (let i = 0; i < 3; i++) {
      const { request } = await sender.caller.requestFriend({ username: recipient.username });
      expect((await recipient.caller.listNotifications()).unread).toBe(1);
      await sender.caller.withdrawFriendRequest({ id: request.id });
      expect((await recipient.caller.listNotifications()).notifications).toEqual([]);
    }
  });

  test("removes a deleted account from its friends' lists", async () => {
    const [sender, recipient] = await makePair();
    await sender.caller.requestFriend({ username: recipient.username });
    await recipient.caller.requestFriend({ username: sender.username });
    await tandem.storage.write((tx) => removeAccount(tx, sender.id));
    expect(await friendsOf(recipient.caller)).toEqual([]);
    expect((await recipient.caller.listNotifications()).unread).toBe(0);
  });

  /** Repeated often, so that the calls interleave in every order. */
  const times = 15;

  test("either accepts or withdraws a request if both come at the same time", async () => {
    for (let i = 0; i < times; i++) {
      const [sender, recipient] = await makePair();
      const { request } = await sender.caller.requestFriend({ username: recipient.username });
      const { id } = request;
      const answers = await Promise.all([
        recipient.caller.call("acceptFriend", { id }),
        sender.caller.call("withdrawFriendRequest", { id }),
      ]);
      expect(answers.map(outcomeOf).toSorted()).toEqual(["200", "404 not_found"]);
      const friends = answers[0].status === 200 ? [recipient.username] : [];
      expect(await friendsOf(sender.caller)).toEqual(friends);
      expect((await sender.caller.listNotifications()).unread).toBe(friends.length);
    }
  });

  test("accepts a request once if accepted concurrently", async () => {
    const [sender, recipient] = await makePair();
    const { request } = await sender.caller.requestFriend({ username: recipient.username });
    const answers = await Promise.all(
      Array.from({ length: times }, () => recipient.caller.call("acceptFriend", { id: request.id })),
    );
    expect(answers.map(outcomeOf).toSorted()).toEqual(["200", ...Array(times - 1).fill("404 not_found")]);
    expect((await sender.caller.listNotifications()).unread).toBe(1);
  });

  test("makes friends of two accounts that ask each other concurrently", async () => {
    for (let i = 0; i < times; i++) {
      const [sender, recipient] = await makePair();
      const answers = await Promise.all([
        sender.caller.requestFriend({ username: recipient.username }),
        recipient.caller.requestFriend({ username: sender.username }),
      ]);
      expect(answers.map(({ friends }) => friends).toSorted()).toEqual([false, true]);
      expect([await friendsOf(sender.caller), await friendsOf(recipient.caller)]).toEqual([
        [recipient.username],
        [sender.username],
      ]);
    }
  });

  test("creates one request if it is sent concurrently", async () => {
    const [sender, recipient] = await makePair();
    const answers = await Promise.all(
      Array.from({ length: times }, () => sender.caller.requestFriend({ username: recipient.username })),
    );
    expect(new Set(answers.map(({ request }) => request.id)).size).toBe(1);
    expect((await recipient.caller.listNotifications()).unread).toBe(1);
  });

  test("ends a friendship or request by a concurrent block", async () => {
    for (let i = 0; i < times; i++) {
      const [sender, recipient] = await makePair();
      const { request } = await sender.caller.requestFriend({ username: recipient.username });
      await Promise.all([
        recipient.caller.call("acceptFriend", { id: request.id }),
        sender.caller.block({ username: recipient.username }),
        recipient.caller.call("requestFriend", { username: sender.username }),
        recipient.caller.call("follow", { platform: "native", author: sender.username }),
      ]);
      expect(await friendsOf(sender.caller)).toEqual([]);
      expect(await sender.caller.listFriendRequests()).toEqual({ incoming: [], outgoing: [] });
      expect((await recipient.caller.listFollows()).follows).toEqual([]);
    }
  });

  test("limits pending requests", async () => {
    const [sender, recipient] = await makePair();
    const crowd = await addBulkUsers(tandem.storage, limits.pendingFriendRequestsPerAccount, clock.now());
    await tandem.storage.write(async (tx) => {
      const rows = crowd.map(({ id }) => ({ from_id: sender.id, to_id: id, created_at: 1 }));
      await insertRows(tx, "friend_requests", rows);
    });
    const refused = await sender.caller.call("requestFriend", { username: recipient.username });
    expect(outcomeOf(refused)).toBe("400 invalid_input username");
  });

  once("limits friends", async () => {
    const [sender, recipient] = await makePair();
    const crowd = await addBulkUsers(tandem.storage, limits.friendsPerAccount, clock.now());
    await tandem.storage.write((tx) =>
      insertRows(
        tx,
        "friendships",
        crowd.map(({ id }) => ({ user_id: sender.id, friend_id: id, since: 1 })),
      ),
    );
    const { request } = await recipient.caller.requestFriend({ username: sender.username });
    expect(outcomeOf(await sender.caller.call("acceptFriend", { id: request.id }))).toBe("403 forbidden");
    await sender.caller.removeFriend({ username: String(crowd[0]?.username) });
    expect(await sender.caller.acceptFriend({ id: request.id })).toMatchObject({ friends: true });
    expect((await sender.caller.listFriends()).friends).toHaveLength(limits.longList);
  });
});

describe("friend requests", () => {
  test("are limited per day", async () => {
    const env = { LIMIT_THROTTLES_FRIEND_REQUESTS_PER_ACCOUNT_LIMIT: "1" };
    await using tandem = await startTandem("sqlite", { env });
    const [ada] = await Promise.all(["ada", "bob", "eve"].map((name) => tandem.as.human(name)));
    const ask = async (username: string) =>
      outcomeOf(await (ada as Person).call("requestFriend", { username }));
    expect([await ask("bob"), await ask("bob"), await ask("eve")]).toEqual([
      "200",
      "200",
      "429 rate_limited",
    ]);
  });
});

function outcomeOf({ status, body: { code, field } }: CallResponse): string {
  return [status, code, field].filter((part) => part !== undefined).join(" ");
}
