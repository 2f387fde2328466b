import { limits } from "@tandem/contract/limits";
import type { Caller, Person } from "@tandem/testing/callers";
import { until } from "@tandem/testing/ports";
import { sendRequest } from "@tandem/testing/raw-http";
import {
  listenToStream,
  openAndDropStreams,
  openAndHangUp,
  openStalledStream,
  type StreamListener,
} from "@tandem/testing/stream-listener";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

describe.each(engines)("the stream of notifications on %s", (engine) => {
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  let id: number;
  beforeAll(async () => {
    tandem = await startTandem(engine);
  });
  beforeEach(async () => {
    [ada, bob] = await Promise.all([tandem.as.human(), tandem.as.human()]);
    id = (await ada.createPost({ title: "By ada" })).post.id;
  });
  afterAll(() => tandem.stop());

  const say = async (body = "Said") => (await bob.createComment({ id, body })).comment.id;
  const ids = async (caller: Caller) =>
    (await caller.listNotifications()).notifications.map((one) => one.id).toReversed();
  const isNotification = ({ event }: StreamListener["events"][number]) => event === "notification";
  const alone = () => until(async () => tandem.services.streams.size === 0);

  test("tells what happens as the list does, and how many are unread", async () => {
    await say("Before");
    await using line = await listenToStream(ada);
    await line.has(1);
    expect(line.events).toEqual([{ event: "unread", data: { unread: 1 }, id: expect.any(String) }]);
    await bob.likePost({ id });
    await line.has(3);
    const [latest] = (await ada.listNotifications()).notifications;
    expect(line.events.slice(1)).toEqual([
      { event: "notification", data: latest, id: String(latest?.id) },
      { event: "unread", data: { unread: 2 }, id: String(latest?.id) },
    ]);
    await ada.readNotifications();
    await line.has(4);
    expect(line.events.at(-1)).toMatchObject({ event: "unread", data: { unread: 0 } });
    await bob.unlikePost({ id });
    await say("After");
    await line.has(6);
    expect(line.events.at(-1)).toMatchObject({ event: "unread", data: { unread: 1 } });
  });

  test("sends each count after the notifications that it counts", async () => {
    await using line = await listenToStream(ada);
    for (let burst = 0; burst < 20; burst++) await Promise.all(Array.from({ length: 5 }, () => say()));
    await until(async () => line.events.at(-1)?.event === "unread" && line.ids.length === 100);
    const counts = line.events.flatMap(({ event, data }, at) =>
      event === "unread" ? [[data.unread, line.events.slice(0, at).filter(isNotification).length]] : [],
    );
    for (const [unread, sent] of counts) expect(unread).toBe(sent);
  });

  test("says that a message came, was read or was sent, to sessions alone", async () => {
    const key = await tandem.as.key([], ada);
    await using line = await listenToStream(ada);
    await using keyed = await listenToStream(key);
    const counts = ({ events }: StreamListener) =>
      events.flatMap(({ event, data }) => (event === "message" ? [data.unread] : []));
    for (const body of ["One", "Two"]) {
      await bob.sendMessage({ username: ada.user.username, body });
      await until(async () => counts(line).at(-1) === (await ada.listConversations()).unread);
    }
    await ada.readMessages({ username: bob.user.username });
    await until(async () => counts(line).length === 3);
    await ada.sendMessage({ username: bob.user.username, body: "Three" });
    await until(async () => counts(line).length === 4);
    expect(counts(line)).toEqual([1, 2, 0, 0]);
    // It moves no stream on: what is missed of notifications is found from where the last of those left off.
    expect(new Set(line.events.map((one) => one.id)).size).toBe(1);
    await say();
    await keyed.has(3);
    expect(counts(keyed)).toEqual([]);
    // Who comes again is told that there is something to ask for.
    await using again = await listenToStream(ada);
    await until(async () => counts(again).length === 1);
    await using his = await listenToStream(bob);
    await until(async () => counts(his)[0] === 1);
  });

  test("goes on behind the last event that came, by header or query", async () => {
    const first = await say("One");
    const [seen = 0] = await ids(ada);
    await say("Two");
    await say("Three");
    const missed = (await ids(ada)).slice(1);
    for (const lastEventId of [seen, seen - 1]) {
      await using line = await listenToStream(ada, { lastEventId });
      await line.has(lastEventId === seen ? 3 : 4);
      expect(line.ids).toEqual(lastEventId === seen ? missed : [seen, ...missed]);
    }
    await using line = await listenToStream(
      ada,
      { lastEventId: 0 },
      { headers: { "last-event-id": String(seen) } },
    );
    await line.has(3);
    expect(line.ids).toEqual(missed);
    // What was taken back meanwhile isn't told, and ids that nobody had yet hide nothing.
    await bob.deleteComment({ id: first });
    await using ahead = await listenToStream(ada, { lastEventId: Number.MAX_SAFE_INTEGER });
    await say("Four");
    await ahead.has(2);
    expect(ahead.ids).toEqual((await ids(ada)).slice(-1));
  });

  test("every notification is told exactly once, wherever the line breaks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("happen", "break", "wait"), { maxLength: 25 }),
        async (steps) => {
          const reader = await tandem.as.human();
          const { post } = await reader.createPost({ title: "By the reader" });
          const told: number[] = [];
          let last = "0";
          let line = await listenToStream(reader, { lastEventId: 0 });
          const hangUp = async () => {
            last = line.last || last;
            told.push(...line.ids);
            await line[Symbol.asyncDispose]();
          };
          for (const step of [...steps, "happen"] as const) {
            if (step === "happen") await bob.createComment({ id: post.id, body: "Said" });
            if (step === "wait") await line.has(1);
            if (step === "break") {
              await hangUp();
              line = await listenToStream(reader, {}, { headers: { "last-event-id": last } });
            }
          }
          const shown = await ids(reader);
          await until(async () => told.length + line.ids.length >= shown.length);
          await hangUp();
          expect(told).toEqual(shown);
        },
      ),
      { numRuns: 15 },
    );
  });

  test("of very much that was missed the latest are told", async () => {
    await tandem.storage.write(async (tx) => {
      const about = { user_id: ada.user.id, actor_id: bob.user.id, post_id: id, comment_id: null };
      for (let i = 0; i < limits.streamCatchUp + 20; i++)
        await tx
          .insertInto("notifications")
          .values({ ...about, type: "comment", key_hint: null, created_at: i })
          .execute();
    });
    await using line = await listenToStream(ada, { lastEventId: 0 });
    await line.has(limits.streamCatchUp + 1);
    expect(line.ids).toHaveLength(limits.streamCatchUp);
    expect(line.ids).toEqual(line.ids.toSorted((a, b) => a - b));
    expect(line.ids.slice(-50)).toEqual(await ids(ada));
  });

  test("ends with its credential: a key that is revoked, a session that is over, an account that is gone", async () => {
    const key = await tandem.as.key([], ada);
    const agent = await tandem.as.agent(ada);
    const session = await tandem.as.agentSession(ada, agent.agent.id);
    await using byKey = await listenToStream(key, {}, { maxWait: 0 });
    await using bySession = await listenToStream(session, {}, { maxWait: 0 });
    await using byAgent = await listenToStream(agent, {}, { maxWait: 0 });
    await Promise.all([byKey.has(1), bySession.has(1), byAgent.has(1)]);
    await ada.revokeKey({ id: key.keyId });
    await say();
    await byKey.ended;
    expect(byKey.ids).toEqual([]);
    await session.logOut();
    await bySession.ended;
    await ada.deleteAgent({ id: agent.agent.id });
    await byAgent.ended;
    const again = await key.call("notificationStream");
    expect([again.status, again.body.code]).toEqual([401, "unauthorized"]);
  });

  test("an account has so many at a time, and gets a place back at once", async () => {
    await alone();
    const lines = await Promise.all(
      Array.from({ length: limits.streamsPerAccount }, () => listenToStream(ada, {}, { maxWait: 0 })),
    );
    await Promise.all(lines.map((line) => line.has(1)));
    const refused = await ada.call("notificationStream");
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await bob.call("notificationStream")).status).toBe(200);
    await lines[0]?.[Symbol.asyncDispose]();
    await until(async () => (await ada.call("notificationStream")).status === 200);
    for (const line of lines) await line[Symbol.asyncDispose]();
    await alone();
  });

  test("what is no id is refused, HEAD has no events, and strangers have none", async () => {
    const path = "/api/notifications/stream";
    const headers = { ...ada.options.headers };
    for (const bad of ["x", "-1", "1.5", "9007199254740993", "1 2", "١"]) {
      const inQuery = await sendRequest(tandem.baseUrl, {
        path: `${path}?lastEventId=${encodeURIComponent(bad)}`,
        headers,
      });
      expect([bad, inQuery.status, inQuery.body.field]).toEqual([bad, 400, "lastEventId"]);
      if (!/^[\x20-\x7e]+$/.test(bad)) continue;
      const inHeader = await sendRequest(tandem.baseUrl, {
        path,
        headers: { ...headers, "last-event-id": bad },
      });
      expect([bad, inHeader.status, inHeader.body.field]).toEqual([bad, 400, "lastEventId"]);
    }
    const head = await sendRequest(tandem.baseUrl, { method: "HEAD", path, headers });
    expect([head.status, head.text]).toEqual([200, ""]);
    const open = await sendRequest(tandem.baseUrl, { path, headers });
    expect(Object.fromEntries(open.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
    });
    expect(open.text).toMatch(/^retry: \d+\n\n/);
    expect((await tandem.as.anonymous().call("notificationStream")).status).toBe(401);
  });

  test("who leaves before the stream has begun leaves nothing", async () => {
    await alone();
    for (let i = 0; i < 3 * limits.streamsPerAccount; i++) await openAndHangUp(tandem.baseUrl, ada);
    // Whatever those are still about is done before this.
    for (let i = 0; i < 20; i++) await ada.countNotifications();
    await alone();
    expect((await ada.call("notificationStream")).status).toBe(200);
  });

  test("a reader who takes nothing is sent no more, and finds all when it takes again", async () => {
    await using reader = await openStalledStream(tandem.baseUrl, ada);
    await tandem.storage.write(async (tx) => {
      const about = { user_id: ada.user.id, actor_id: bob.user.id, post_id: id, comment_id: null };
      const row = { ...about, type: "comment" as const, key_hint: null, created_at: 0 };
      for (let i = 0; i < 400; i++) await tx.insertInto("notifications").values(row).execute();
      tx.channels.add(`inbox ${ada.user.id}`);
    });
    const shown = (
      await tandem.storage.read
        .selectFrom("notifications")
        .select("id")
        .where("user_id", "=", ada.user.id)
        .orderBy("id")
        .execute()
    ).map((row) => String(row.id));
    reader.resume();
    await until(async () => reader.ids.length >= shown.length);
    expect(reader.ids).toEqual(shown);
  });
});

test("where a process has as many as it may, others are asked to come later; and at the end all are let go", async () => {
  const tandem = await startTandem("sqlite", { env: { STREAMS: "2" } });
  const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
  await using first = await listenToStream(ada, {}, { maxWait: 0 });
  await using second = await listenToStream(bob, {}, { maxWait: 0 });
  await Promise.all([first.has(1), second.has(1)]);
  const refused = await bob.call("notificationStream");
  expect([refused.status, refused.body.code]).toEqual([503, "overloaded"]);
  await tandem.stop();
  await Promise.all([first.ended, second.ended]);
});

test("many who vanish without a word leave nothing", async () => {
  await using tandem = await startTandem("sqlite");
  const people = await Promise.all(Array.from({ length: 20 }, () => tandem.as.human()));
  await openAndDropStreams(tandem, people);
  await until(async () => tandem.services.streams.size === 0);
  await using line = await listenToStream(people[0] as Person);
  await line.has(1);
  expect(tandem.services.streams.size).toBe(1);
});
