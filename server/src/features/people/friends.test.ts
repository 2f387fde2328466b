import { limits } from "@tandem/contract/limits";
import { addBulkUsers } from "@tandem/testing/bulk-users";
import type { Caller, Person, RawAnswer } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertRows } from "../../storage/bulk.ts";
import { removeAccount } from "../account-deletion/remove-account.ts";

describe.each(engines)("friends on %s", (engine) => {
  let tandem: Tandem;
  let ada: Person;
  const clock = stoppedClock();
  beforeAll(async () => {
    tandem = await startTandem(engine, { now: clock.now });
    ada = await tandem.as.human("ada");
  });
  afterAll(() => tandem.stop());

  const two = async () => {
    const [one, other] = await addBulkUsers(tandem.storage, 2, clock.now());
    if (!one || !other) throw new Error("nobody came");
    const asCaller = (member: typeof one) => ({
      ...member,
      caller: tandem.as.with({ cookie: member.cookie }),
    });
    return [asCaller(one), asCaller(other)] as const;
  };
  const friendsOf = async (caller: Caller) => (await caller.listFriends()).friends.map((one) => one.username);

  test("one asks, the other accepts, and both are told", async () => {
    const bob = await tandem.as.human("Bob");
    await bob.editProfile({ displayName: "Bobby" });
    const asked = await ada.requestFriend({ username: "bob" });
    expect(asked).toEqual({
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
    const { request } = asked;
    expect(await bob.listFriendRequests()).toEqual({ incoming: [request], outgoing: [] });
    expect(await ada.listFriendRequests()).toEqual({ incoming: [], outgoing: [request] });
    expect(await bob.acceptFriend({ id: request.id })).toEqual({ request, friends: true });
    expect((await ada.listFriends()).friends).toEqual([
      { username: "Bob", displayName: "Bobby", avatarUrl: null, since: "2026-01-15T12:00:00.000Z" },
    ]);
    expect(await friendsOf(bob)).toEqual(["ada"]);
    const told = async (caller: Caller) =>
      (await caller.listNotifications()).notifications.map(({ type, actor }) => [type, actor.username]);
    expect(await told(bob)).toEqual([["friend_request", "ada"]]);
    expect(await told(ada)).toEqual([["friend_accept", "Bob"]]);
    await bob.removeFriend({ username: "ada" });
    expect([await friendsOf(ada), await told(ada), await told(bob)]).toEqual([[], [], []]);
  });

  test("agents have no part in it, and are no one's friends", async () => {
    const agent = await tandem.as.agent(ada);
    const session = await tandem.as.agentSession(ada, agent.agent.id);
    expect(said(await session.call("requestFriend", { username: "ada" }))).toBe("403 agent_forbidden");
    expect(said(await agent.call("requestFriend", { username: "ada" }))).toBe("403 session_required");
    const asked = await ada.call("requestFriend", { username: agent.agent.username });
    expect(said(asked)).toBe("400 invalid_input username");
  });

  test.each(["requestFriend", "removeFriend"] as const)("%s: nobody is 404, oneself 400", async (name) => {
    expect(said(await ada.call(name, { username: "nobody.here" }))).toBe("404 not_found");
    expect(said(await ada.call(name, { username: "ADA" }))).toBe("400 invalid_input username");
  });

  test("others' requests are nobody's business", async () => {
    const [one, other] = await two();
    const { request } = await one.caller.requestFriend({ username: other.username });
    for (const name of ["acceptFriend", "declineFriend", "withdrawFriendRequest"] as const)
      expect(said(await ada.call(name, { id: request.id }))).toBe("404 not_found");
  });

  test("who declined is left in peace for a while, and may ask himself", async () => {
    const [one, other] = await two();
    const ask = () => one.caller.call("requestFriend", { username: other.username });
    const { request } = await one.caller.requestFriend({ username: other.username });
    await other.caller.declineFriend({ id: request.id });
    expect((await other.caller.listNotifications()).unread).toBe(0);
    const refused = await ask();
    expect(said(refused)).toBe("429 rate_limited");
    expect(refused.headers.get("retry-after")).toBe(String(limits.friendRequestRestDays * 86_400));
    // A day before the end, sessions are as fresh as they need be.
    clock.passDays(limits.friendRequestRestDays - 1);
    await ada.me();
    expect(said(await ask())).toBe("429 rate_limited");
    const asked = await other.caller.requestFriend({ username: one.username });
    expect(asked.friends).toBe(false);
    expect((await ask()).body).toMatchObject({ friends: true });
  });

  test("a withdrawn request can be sent again, and tells once", async () => {
    const [one, other] = await two();
    for (let i = 0; i < 3; i++) {
      const { request } = await one.caller.requestFriend({ username: other.username });
      expect((await other.caller.listNotifications()).unread).toBe(1);
      await one.caller.withdrawFriendRequest({ id: request.id });
      expect((await other.caller.listNotifications()).notifications).toEqual([]);
    }
  });

  test("the friends of an account that is gone are fewer", async () => {
    const [one, other] = await two();
    await one.caller.requestFriend({ username: other.username });
    await other.caller.requestFriend({ username: one.username });
    await tandem.storage.write((tx) => removeAccount(tx, one.id));
    expect(await friendsOf(other.caller)).toEqual([]);
    expect((await other.caller.listNotifications()).unread).toBe(0);
  });

  /** Many times over, so that they meet in every order. */
  const times = 15;

  test("of a request that is accepted and withdrawn at once one comes true", async () => {
    for (let i = 0; i < times; i++) {
      const [one, other] = await two();
      const { request } = await one.caller.requestFriend({ username: other.username });
      const { id } = request;
      const answers = await Promise.all([
        other.caller.call("acceptFriend", { id }),
        one.caller.call("withdrawFriendRequest", { id }),
      ]);
      expect(answers.map(said).toSorted()).toEqual(["200", "404 not_found"]);
      const friends = answers[0].status === 200 ? [other.username] : [];
      expect(await friendsOf(one.caller)).toEqual(friends);
      expect((await one.caller.listNotifications()).unread).toBe(friends.length);
    }
  });

  test("a request that is accepted many times at once is accepted once", async () => {
    const [one, other] = await two();
    const { request } = await one.caller.requestFriend({ username: other.username });
    const answers = await Promise.all(
      Array.from({ length: times }, () => other.caller.call("acceptFriend", { id: request.id })),
    );
    expect(answers.map(said).toSorted()).toEqual(["200", ...Array(times - 1).fill("404 not_found")]);
    expect((await one.caller.listNotifications()).unread).toBe(1);
  });

  test("two who ask each other at once are friends", async () => {
    for (let i = 0; i < times; i++) {
      const [one, other] = await two();
      const answers = await Promise.all([
        one.caller.requestFriend({ username: other.username }),
        other.caller.requestFriend({ username: one.username }),
      ]);
      expect(answers.map(({ friends }) => friends).toSorted()).toEqual([false, true]);
      expect([await friendsOf(one.caller), await friendsOf(other.caller)]).toEqual([
        [other.username],
        [one.username],
      ]);
    }
  });

  test("a request is one, however often it is sent at once", async () => {
    const [one, other] = await two();
    const answers = await Promise.all(
      Array.from({ length: times }, () => one.caller.requestFriend({ username: other.username })),
    );
    expect(new Set(answers.map(({ request }) => request.id)).size).toBe(1);
    expect((await other.caller.listNotifications()).unread).toBe(1);
  });

  test("a block that comes at the same time ends it all the same", async () => {
    for (let i = 0; i < times; i++) {
      const [one, other] = await two();
      const { request } = await one.caller.requestFriend({ username: other.username });
      await Promise.all([
        other.caller.call("acceptFriend", { id: request.id }),
        one.caller.block({ username: other.username }),
        other.caller.call("requestFriend", { username: one.username }),
        other.caller.call("follow", { platform: "native", author: one.username }),
      ]);
      expect(await friendsOf(one.caller)).toEqual([]);
      expect(await one.caller.listFriendRequests()).toEqual({ incoming: [], outgoing: [] });
      expect((await other.caller.listFollows()).follows).toEqual([]);
    }
  });

  test("so many requests wait at a time, and no more", async () => {
    const [one, other] = await two();
    const crowd = await addBulkUsers(tandem.storage, limits.friendRequestsPerAccount, clock.now());
    await tandem.storage.write(async (tx) => {
      const rows = crowd.map(({ id }) => ({ from_id: one.id, to_id: id, created_at: 1 }));
      await insertRows(tx, "friend_requests", rows);
    });
    const refused = await one.caller.call("requestFriend", { username: other.username });
    expect(said(refused)).toBe("400 invalid_input username");
  });

  test("there are so many friends, and no more", async () => {
    const [one, other] = await two();
    const crowd = await addBulkUsers(tandem.storage, limits.friendsPerAccount, clock.now());
    await tandem.storage.write((tx) =>
      insertRows(
        tx,
        "friendships",
        crowd.map(({ id }) => ({ user_id: one.id, friend_id: id, since: 1 })),
      ),
    );
    const { request } = await other.caller.requestFriend({ username: one.username });
    expect(said(await one.caller.call("acceptFriend", { id: request.id }))).toBe("403 forbidden");
    await one.caller.removeFriend({ username: String(crowd[0]?.username) });
    expect(await one.caller.acceptFriend({ id: request.id })).toMatchObject({ friends: true });
    expect((await one.caller.listFriends()).friends).toHaveLength(limits.longList);
  });
});

describe.each(engines)("friend requests on %s", (engine) => {
  test("are so many a day", async () => {
    const env = { LIMIT_THROTTLES_FRIEND_REQUESTS_PER_ACCOUNT_LIMIT: "1" };
    await using tandem = await startTandem(engine, { env });
    const [ada] = await Promise.all(["ada", "bob", "eve"].map((name) => tandem.as.human(name)));
    const ask = async (username: string) => said(await (ada as Person).call("requestFriend", { username }));
    expect([await ask("bob"), await ask("bob"), await ask("eve")]).toEqual([
      "200",
      "200",
      "429 rate_limited",
    ]);
  });
});

function said({ status, body: { code, field } }: RawAnswer): string {
  return [status, code, field].filter((part) => part !== undefined).join(" ");
}
