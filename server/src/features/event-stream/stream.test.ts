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
import { testOnce } from "@tandem/testing/test-once";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

describe.each(engines)("the notification stream on %s", (engine) => {
  const once = testOnce(engine);
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
    (await caller.listNotifications()).notifications.map((notification) => notification.id).toReversed();
  const isNotification = ({ event }: StreamListener["events"][number]) => event === "notification";
  const alone = () => until(async () => tandem.services.streams.size === 0);

  once("sends notifications as the list shows them, and the unread count", async () => {
    await say("Before");
    await using stream = await listenToStream(ada);
    await stream.has(1);
    expect(stream.events).toEqual([{ event: "unread", data: { unread: 1 }, id: expect.any(String) }]);
    await bob.likePost({ id });
    await stream.has(3);
    const [latest] = (await ada.listNotifications()).notifications;
    expect(stream.events.slice(1)).toEqual([
      { event: "notification", data: latest, id: String(latest?.id) },
      { event: "unread", data: { unread: 2 }, id: String(latest?.id) },
    ]);
    await ada.markNotificationsRead();
    await stream.has(4);
    expect(stream.events.at(-1)).toMatchObject({ event: "unread", data: { unread: 0 } });
    await bob.unlikePost({ id });
    await say("After");
    await stream.has(6);
    expect(stream.events.at(-1)).toMatchObject({ event: "unread", data: { unread: 1 } });
  });

  test("sends each count after the notifications that it counts", async () => {
    await using stream = await listenToStream(ada);
    for (let burst = 0; burst < 20; burst++) await Promise.all(Array.from({ length: 5 }, () => say()));
    await until(async () => stream.events.at(-1)?.event === "unread" && stream.ids.length === 100);
    const counts = stream.events.flatMap(({ event, data }, at) =>
      event === "unread" ? [[data.unread, stream.events.slice(0, at).filter(isNotification).length]] : [],
    );
    for (const [unread, sent] of counts) expect(unread).toBe(sent);
  });

  once("sends message events to sessions only", async () => {
    const key = await tandem.as.key([], ada);
    await using stream = await listenToStream(ada);
    await using keyed = await listenToStream(key);
    const counts = ({ events }: StreamListener) =>
      events.flatMap(({ event, data }) => (event === "message" ? [data.unread] : []));
    for (const body of ["One", "Two"]) {
      await bob.sendMessage({ username: ada.user.username, body });
      await until(async () => counts(stream).at(-1) === (await ada.listConversations()).unread);
    }
    await ada.markConversationRead({ username: bob.user.username });
    await until(async () => counts(stream).length === 3);
    await ada.sendMessage({ username: bob.user.username, body: "Three" });
    await until(async () => counts(stream).length === 4);
    expect(counts(stream)).toEqual([1, 2, 0, 0]);
    // A message event has the id of the last notification, so resuming after it misses no notification.
    expect(new Set(stream.events.map((event) => event.id)).size).toBe(1);
    await say();
    await keyed.has(3);
    expect(counts(keyed)).toEqual([]);
    // A client that reconnects gets a message event, so that it fetches the messages.
    await using again = await listenToStream(ada);
    await until(async () => counts(again).length === 1);
    await using his = await listenToStream(bob);
    await until(async () => counts(his)[0] === 1);
  });

  test("resumes after the last event, by header or query", async () => {
    const first = await say("One");
    const [seen = 0] = await ids(ada);
    await say("Two");
    await say("Three");
    const missed = (await ids(ada)).slice(1);
    for (const lastEventId of [seen, seen - 1]) {
      await using stream = await listenToStream(ada, { lastEventId });
      await stream.has(lastEventId === seen ? 3 : 4);
      expect(stream.ids).toEqual(lastEventId === seen ? missed : [seen, ...missed]);
    }
    await using stream = await listenToStream(
      ada,
      { lastEventId: 0 },
      { headers: { "last-event-id": String(seen) } },
    );
    await stream.has(3);
    expect(stream.ids).toEqual(missed);
    // Notifications that were removed meanwhile aren't sent, and a future id hides nothing.
    await bob.deleteComment({ id: first });
    await using ahead = await listenToStream(ada, { lastEventId: Number.MAX_SAFE_INTEGER });
    await say("Four");
    await ahead.has(2);
    expect(ahead.ids).toEqual((await ids(ada)).slice(-1));
  });

  test("delivers every notification exactly once, wherever the connection breaks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("happen", "break", "wait"), { maxLength: 25 }),
        async (steps) => {
          const reader = await tandem.as.human();
          const { post } = await reader.createPost({ title: "By the reader" });
          const received: number[] = [];
          let last = "0";
          let stream = await listenToStream(reader, { lastEventId: 0 });
          const hangUp = async () => {
            last = stream.last || last;
            received.push(...stream.ids);
            await stream[Symbol.asyncDispose]();
          };
          for (const step of [...steps, "happen"] as const) {
            if (step === "happen") await bob.createComment({ id: post.id, body: "Said" });
            if (step === "wait") await stream.has(1);
            if (step === "break") {
              await hangUp();
              stream = await listenToStream(reader, {}, { headers: { "last-event-id": last } });
            }
          }
          const shown = await ids(reader);
          await until(async () => received.length + stream.ids.length >= shown.length);
          await hangUp();
          expect(received).toEqual(shown);
        },
      ),
      { numRuns: engine === "sqlite" ? 15 : 5 },
    );
  });

  test("sends the latest notifications if very many were missed", async () => {
    await tandem.storage.write(async (tx) => {
      const about = { user_id: ada.user.id, actor_id: bob.user.id, post_id: id, comment_id: null };
      for (let i = 0; i < limits.streamCatchUp + 20; i++)
        await tx
          .insertInto("notifications")
          .values({ ...about, type: "comment", key_hint: null, created_at: i })
          .execute();
    });
    await using stream = await listenToStream(ada, { lastEventId: 0 });
    await stream.has(limits.streamCatchUp + 1);
    expect(stream.ids).toHaveLength(limits.streamCatchUp);
    expect(stream.ids).toEqual(stream.ids.toSorted((a, b) => a - b));
    expect(stream.ids.slice(-50)).toEqual(await ids(ada));
  });

  once("ends when the key is revoked, the session ends or the account is deleted", async () => {
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

  once("limits streams per account, and frees a slot immediately", async () => {
    await alone();
    const streams = await Promise.all(
      Array.from({ length: limits.streamsPerAccount }, () => listenToStream(ada, {}, { maxWait: 0 })),
    );
    await Promise.all(streams.map((stream) => stream.has(1)));
    const refused = await ada.call("notificationStream");
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await bob.call("notificationStream")).status).toBe(200);
    await streams[0]?.[Symbol.asyncDispose]();
    await until(async () => (await ada.call("notificationStream")).status === 200);
    for (const stream of streams) await stream[Symbol.asyncDispose]();
    await alone();
  });

  once("rejects an invalid id, sends no events for HEAD, and refuses anonymous clients", async () => {
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

  once("cleans up after a client that disconnects before the stream begins", async () => {
    await alone();
    for (let i = 0; i < 3 * limits.streamsPerAccount; i++) await openAndHangUp(tandem.baseUrl, ada);
    // This request is handled after everything that is still pending for those.
    for (let i = 0; i < 20; i++) await ada.countNotifications();
    await alone();
    expect((await ada.call("notificationStream")).status).toBe(200);
  });

  test("pauses for a client that doesn't read, and then sends everything", async () => {
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

test("returns 503 beyond the process limit, and closes all streams on shutdown", async () => {
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

test("cleans up after many clients that vanish", async () => {
  await using tandem = await startTandem("sqlite");
  const people = await Promise.all(Array.from({ length: 20 }, () => tandem.as.human()));
  await openAndDropStreams(tandem, people);
  await until(async () => tandem.services.streams.size === 0);
  await using stream = await listenToStream(people[0] as Person);
  await stream.has(1);
  expect(tandem.services.streams.size).toBe(1);
});
