import type { Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Compares what three people ask, answer and block, in any sequence, with a naive model of the rules. */

const names = ["ada", "bob", "eve"] as const;
type Name = (typeof names)[number];

const who = fc.constantFrom(...names);
const pair = fc.tuple(who, who).filter(([one, other]) => one !== other);
const actArbitrary = fc.oneof(
  fc.record({ act: fc.constantFrom("ask", "ask", "ask", "remove", "block", "unblock"), pair }),
  fc.record({ act: fc.constantFrom("accept", "decline", "withdraw"), by: who, latest: fc.nat(2) }),
  fc.record({ act: fc.constant("wait") }),
);
type Act = typeof actArbitrary extends fc.Arbitrary<infer T> ? T : never;

interface Asked {
  id: number;
  from: Name;
  to: Name;
}

class Rules {
  /** Every request that was ever made, pending ones included. */
  readonly asked: Asked[] = [];
  waiting: Asked[] = [];
  readonly friends = new Set<string>();
  readonly blocked = new Set<string>();
  readonly declined = new Set<string>();
  notifications: { type: string; to: Name; by: Name }[] = [];

  ask(from: Name, to: Name): "asked" | "again" | "befriended" | number {
    if (this.blocked.has(`${from} ${to}`) || this.blocked.has(`${to} ${from}`)) return 403;
    const theirs = this.waiting.find((one) => one.from === to && one.to === from);
    if (theirs) {
      this.befriend(theirs);
      return "befriended";
    }
    if (this.waiting.some((one) => one.from === from && one.to === to)) return "again";
    if (this.friends.has(pairKey(from, to))) return 400;
    if (this.declined.has(`${from} ${to}`)) return 429;
    this.declined.delete(`${to} ${from}`);
    this.notifications.push({ type: "friend_request", to, by: from });
    return "asked";
  }

  answer(act: "accept" | "decline" | "withdraw", by: Name, request: Asked): number {
    if (!this.waiting.includes(request)) return 404;
    if (by !== (act === "withdraw" ? request.from : request.to)) return 404;
    if (act === "accept") this.befriend(request);
    else this.part(request.from, request.to);
    if (act === "decline") this.declined.add(`${request.from} ${request.to}`);
    return 200;
  }

  befriend({ from, to }: Asked): void {
    this.waiting = this.waiting.filter((one) => one.from !== from || one.to !== to);
    this.friends.add(pairKey(from, to));
    this.notifications.push({ type: "friend_accept", to: from, by: to });
  }

  part(one: Name, other: Name): void {
    const between = (a: Name, b: Name) => pairKey(a, b) === pairKey(one, other);
    this.waiting = this.waiting.filter(({ from, to }) => !between(from, to));
    this.notifications = this.notifications.filter(({ by, to }) => !between(by, to));
    this.friends.delete(pairKey(one, other));
  }
}

function pairKey(one: Name, other: Name): string {
  return [one, other].toSorted().join(" ");
}

describe.each(engines)("friendships on %s", (engine) => {
  let tandem: Tandem;
  let people: Record<Name, Person>;
  const clock = stoppedClock();
  beforeAll(async () => {
    const env = { LIMIT_THROTTLES_FRIEND_REQUESTS_PER_ACCOUNT_LIMIT: "1000000" };
    tandem = await startTandem(engine, { now: clock.now, env });
    const [ada, bob, eve] = await Promise.all(names.map((name) => tandem.as.human(name)));
    people = { ada, bob, eve } as Record<Name, Person>;
  });
  afterAll(() => tandem.stop());

  test("match the model after any sequence of operations", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(actArbitrary, { minLength: 5, maxLength: 25 }), async (acts) => {
        await clear();
        const rules = new Rules();
        for (const act of acts) await perform(rules, act);
        for (const name of names) expect(await seenBy(name)).toEqual(expected(rules, name));
      }),
      { numRuns: 12 },
    );
  });

  async function clear(): Promise<void> {
    await tandem.storage.write(async (tx) => {
      for (const table of ["blocks", "friendships", "friend_requests", "friend_declines"] as const)
        await tx.deleteFrom(table).execute();
      await tx.deleteFrom("notifications").execute();
      await tx.updateTable("users").set({ unread: 0 }).execute();
    });
  }

  async function perform(rules: Rules, act: Act): Promise<void> {
    if ("pair" in act) return performOnPair(rules, act.act, ...act.pair);
    if ("by" in act) return performAnswer(rules, act);
    // Waiting for weeks would expire the sessions too.
    await tandem.storage.write((tx) =>
      tx.updateTable("friend_declines").set({ ends_at: clock.now() }).execute(),
    );
    rules.declined.clear();
  }

  async function performOnPair(rules: Rules, act: string, one: Name, other: Name): Promise<void> {
    const input = { username: other.toUpperCase() };
    if (act === "ask") return performAsk(rules, one, other);
    if (act === "remove") {
      expect(await people[one].removeFriend(input)).toEqual({ friends: false });
      if (rules.friends.has(pairKey(one, other))) rules.part(one, other);
    } else if (act === "block") {
      expect(await people[one].block(input)).toEqual({ blocked: true });
      rules.blocked.add(`${one} ${other}`);
      rules.part(one, other);
    } else {
      expect(await people[one].unblock(input)).toEqual({ blocked: false });
      rules.blocked.delete(`${one} ${other}`);
    }
  }

  async function performAsk(rules: Rules, from: Name, to: Name): Promise<void> {
    const { status, body } = await people[from].call("requestFriend", { username: to });
    const outcome = rules.ask(from, to);
    expect(status).toBe(typeof outcome === "number" ? outcome : 200);
    if (typeof outcome === "number") return;
    const { request, friends } = body as { request: Asked; friends: boolean };
    expect(friends).toBe(outcome === "befriended");
    expect([request.from, request.to]).toEqual(outcome === "befriended" ? [to, from] : [from, to]);
    if (outcome !== "asked") return expect(rules.asked.map(({ id }) => id)).toContain(request.id);
    const asked = { id: request.id, from, to };
    rules.asked.push(asked);
    rules.waiting.push(asked);
  }

  async function performAnswer(rules: Rules, act: Extract<Act, { by: Name }>): Promise<void> {
    const request = rules.asked.at(-1 - act.latest);
    if (!request) return;
    const operation = {
      accept: "acceptFriend",
      decline: "declineFriend",
      withdraw: "withdrawFriendRequest",
    } as const;
    const kind = act.act as keyof typeof operation;
    const { status } = await people[act.by].call(operation[kind], { id: request.id });
    expect([act, status]).toEqual([act, rules.answer(kind, act.by, request)]);
  }

  async function seenBy(name: Name) {
    const person = people[name];
    const [friends, requests, blocks, inbox] = await Promise.all([
      person.listFriends(),
      person.listFriendRequests(),
      person.listBlocks(),
      person.listNotifications(),
    ]);
    return {
      friends: friends.friends.map((one) => one.username).toSorted(),
      incoming: requests.incoming.map(({ id }) => id),
      outgoing: requests.outgoing.map(({ id }) => id),
      blocks: blocks.blocks.map((one) => one.username).toSorted(),
      notified: inbox.notifications.map(({ type, actor }) => `${type} by ${actor.username}`).reverse(),
      unread: inbox.unread,
    };
  }

  function expected(rules: Rules, name: Name) {
    const others = names.filter((one) => one !== name);
    const ids = (end: "from" | "to") =>
      rules.waiting
        .filter((one) => one[end] === name)
        .map(({ id }) => id)
        .toSorted((a, b) => b - a);
    const notified = rules.notifications
      .filter(({ to }) => to === name)
      .map(({ type, by }) => `${type} by ${by}`);
    return {
      friends: others.filter((other) => rules.friends.has(pairKey(name, other))),
      incoming: ids("to"),
      outgoing: ids("from"),
      blocks: others.filter((other) => rules.blocked.has(`${name} ${other}`)),
      notified,
      unread: notified.length,
    };
  }
});
