import { join } from "node:path";
import { makeAdmin } from "@tandem/testing/admins";
import { stoppedClock } from "@tandem/testing/clock";
import { dump } from "@tandem/testing/dump";
import { temporaryDirectory } from "@tandem/testing/storage";
import { sendHook, sendStreamEvent, startTandemWithStreaming, streamOf } from "@tandem/testing/streaming";
import { engines, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sweepOut } from "../../housekeeping.ts";

const SILENCE = 45_000;
const titles = async ({ as }: Tandem) => (await as.anonymous().listLives()).lives.map(({ title }) => title);

describe.each(engines)("live streams with a streaming server, on %s", (engine) => {
  const once = testOnce(engine);
  once("returns the stream key once, and lists the stream while it runs", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandemWithStreaming(engine, { now: clock.now });
    const [ada, bob] = await Promise.all([tandem.as.human("ada"), tandem.as.human("bob")]);
    const { live, ingest } = await ada.startLive({ title: "Tea" });
    const { stream, key } = streamOf(ingest);
    expect(ingest).toEqual({ url: "rtmp://stream.example/live", streamKey: `${stream}?key=${key}` });
    expect(stream).toMatch(/^[0-9a-f]{24}$/);
    expect(live).toEqual({
      username: "ada",
      displayName: null,
      avatarUrl: null,
      isAiGenerated: false,
      title: "Tea",
      hlsUrl: `${tandem.baseUrl}/live/ada/index.m3u8`,
      startedAt: null,
      viewers: 0,
      thumbnailUrl: null,
      postId: null,
    });
    expect(await titles(tandem)).toEqual([]);
    // Change the title before the stream begins, and while it runs.
    expect(await ada.startLive({ title: "More tea" })).toEqual({
      live: { ...live, title: "More tea" },
      ingest: null,
    });
    expect(await sendStreamEvent(tandem, "publish", { stream, key })).toBe(200);
    expect(await titles(tandem)).toEqual(["More tea"]);
    await ada.startLive({ title: "Last tea" });
    clock.pass(1);
    const bobs = streamOf((await bob.startLive({ title: "Milk" })).ingest);
    expect(await sendStreamEvent(tandem, "publish", bobs, 2)).toBe(200);
    expect(await titles(tandem)).toEqual(["Milk", "Last tea"]);
    expect(await sendStreamEvent(tandem, "publish_done", { stream, key })).toBe(200);
    expect(await titles(tandem)).toEqual(["Milk"]);
    // The key is also valid for the next stream.
    expect(await sendStreamEvent(tandem, "publish", { stream, key }, 3)).toBe(200);
    expect(await titles(tandem)).toHaveLength(2);
    expect(JSON.stringify(await dump(tandem.storage))).not.toContain(key);
  });

  test("returns the key neither in replays nor twice in concurrent calls; a dry run stores nothing", async () => {
    await using tandem = await startTandemWithStreaming(engine);
    const ada = await tandem.as.human("ada");
    const dry = await ada.call("startLive", { title: "Tea" }, { dryRun: true });
    expect(dry.body).toMatchObject({ dryRun: true });
    expect(await sendStreamEvent(tandem, "publish", streamOf(dry.body.ingest as never))).toBe(403);
    const once = { idempotencyKey: "tea" };
    const first = await ada.call("startLive", { title: "Tea" }, once);
    const again = await ada.call("startLive", { title: "Tea" }, once);
    expect(again.body).toEqual({ live: first.body.live, ingest: null });
    await ada.endLive();
    const both = await Promise.all(["One", "Two"].map((title) => ada.startLive({ title })));
    const withKey = both.filter(({ ingest }) => ingest !== null);
    expect(withKey).toHaveLength(1);
    expect(await sendStreamEvent(tandem, "publish", streamOf(withKey[0]?.ingest ?? null))).toBe(200);
  });

  once("ends a paused agent's stream, and allows it again when resumed", async () => {
    await using tandem = await startTandemWithStreaming(engine);
    const ada = await tandem.as.human("ada");
    const { agent } = await tandem.as.agent(ada);
    const session = await tandem.as.agentSession(ada, agent.id);
    const own = streamOf((await session.startLive({ title: "Tea" })).ingest);
    expect(await sendStreamEvent(tandem, "publish", own)).toBe(200);
    await ada.editAgent({ id: agent.id, paused: true });
    expect(await titles(tandem)).toEqual([]);
    expect(await sendStreamEvent(tandem, "update_publish", own)).toBe(403);
    await ada.pauseAll({ paused: false });
    expect(await sendStreamEvent(tandem, "publish", own)).toBe(200);
    expect(await titles(tandem)).toEqual(["Tea"]);
  });

  once("ends a suspended account's stream, and allows it again when the suspension is lifted", async () => {
    await using tandem = await startTandemWithStreaming(engine);
    const [ada, moderator] = await Promise.all([tandem.as.human("ada"), tandem.as.human()]);
    await makeAdmin(tandem.storage, moderator);
    const own = streamOf((await ada.startLive({ title: "Tea" })).ingest);
    expect(await sendStreamEvent(tandem, "publish", own)).toBe(200);
    await moderator.suspendAccount({ id: ada.user.id, reason: "Advertising", until: null });
    expect(await titles(tandem)).toEqual([]);
    expect(await sendStreamEvent(tandem, "update_publish", own)).toBe(403);
    await moderator.liftSuspension({ id: ada.user.id });
    expect(await sendStreamEvent(tandem, "publish", own)).toBe(200);
    expect(await titles(tandem)).toEqual(["Tea"]);
  });

  test("allows one stream per key, and only its own end ends it", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandemWithStreaming(engine, { now: clock.now });
    const ada = await tandem.as.human("ada");
    const own = streamOf((await ada.startLive({ title: "Tea" })).ingest);
    const clients = [1, 2, 3, 4];
    const responses = await Promise.all(
      clients.map((client) => sendStreamEvent(tandem, "publish", own, client)),
    );
    expect([...responses].sort()).toEqual([200, 403, 403, 403]);
    const [first, ...others] = clients.sort((a, b) => Number(responses[a - 1]) - Number(responses[b - 1]));
    for (const other of others) {
      expect(await sendStreamEvent(tandem, "publish_done", own, other)).toBe(200);
      expect(await sendStreamEvent(tandem, "update_publish", own, other)).toBe(403);
    }
    expect(await titles(tandem)).toEqual(["Tea"]);
    // After the silence timeout another stream may begin.
    clock.pass(SILENCE);
    expect(await sendStreamEvent(tandem, "publish", own, others[0])).toBe(200);
    expect(await sendStreamEvent(tandem, "update_publish", own, first)).toBe(403);
    expect(await titles(tandem)).toEqual(["Tea"]);
  });

  test("removes a silent stream, and lists it again with its next event", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandemWithStreaming(engine, { now: clock.now });
    const ada = await tandem.as.human("ada");
    const own = streamOf((await ada.startLive({ title: "Tea" })).ingest);
    await sendStreamEvent(tandem, "publish", own);
    const countRows = async () =>
      (await tandem.storage.read.selectFrom("lives").select("user_id").execute()).length;
    const sweep = () => sweepOut(tandem.services, new AbortController().signal, 10);
    for (const wait of [SILENCE - 1, SILENCE - 1]) {
      clock.pass(wait);
      await sweep();
      expect([await titles(tandem), await countRows()]).toEqual([["Tea"], 1]);
      expect(await sendStreamEvent(tandem, "update_publish", own)).toBe(200);
    }
    clock.pass(SILENCE);
    expect([await titles(tandem), await countRows()]).toEqual([[], 1]);
    await sweep();
    expect(await countRows()).toBe(0);
    expect(await sendStreamEvent(tandem, "update_publish", own)).toBe(200);
    expect(await titles(tandem)).toEqual(["Tea"]);
  });

  once("ignores late events after a stream's end, and times out a stream that sends no media", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandemWithStreaming(engine, { now: clock.now });
    const ada = await tandem.as.human("ada");
    const own = streamOf((await ada.startLive({ title: "Tea" })).ingest);
    for (const _ of "ab") {
      expect(await sendStreamEvent(tandem, "publish", own)).toBe(200);
      expect(await sendStreamEvent(tandem, "update_publish", own)).toBe(200);
      expect(await sendStreamEvent(tandem, "publish_done", own)).toBe(200);
      expect(await sendStreamEvent(tandem, "update_publish", own)).toBe(403);
      expect(await titles(tandem)).toEqual([]);
    }
    const waits = (key: string) => {
      const fields = {
        clientid: "9",
        call: "update_publish",
        name: own.stream,
        key,
        time: "10",
        timestamp: "0",
      };
      return sendHook(tandem, new URLSearchParams(fields).toString());
    };
    expect(await sendStreamEvent(tandem, "publish", own, 9)).toBe(200);
    clock.pass(SILENCE - 1);
    expect([(await waits(own.key)).status, await titles(tandem)]).toEqual([200, ["Tea"]]);
    clock.pass(1);
    expect([(await waits(own.key)).status, await titles(tandem)]).toEqual([200, []]);
    expect((await waits("wrong")).status).toBe(403);
    expect(await sendStreamEvent(tandem, "update_publish", own, 9)).toBe(200);
    expect(await titles(tandem)).toEqual(["Tea"]);
  });

  test("ending the stream or deleting the account revokes the key", async () => {
    await using tandem = await startTandemWithStreaming(engine);
    const ada = await tandem.as.human("ada");
    const { agent } = await tandem.as.agent(ada, "robot");
    const robot = await tandem.as.agentSession(ada, agent.id);
    const [mine, its] = [await ada.startLive({ title: "Tea" }), await robot.startLive({ title: "Oil" })];
    const streams = [streamOf(mine.ingest), streamOf(its.ingest)];
    for (const [client, stream] of streams.entries())
      expect(await sendStreamEvent(tandem, "publish", stream, client)).toBe(200);
    expect(await titles(tandem)).toHaveLength(2);
    for (const _ of "ab") expect(await ada.endLive()).toEqual({ ended: true });
    expect(await titles(tandem)).toEqual(["Oil"]);
    // Nothing is left, whether the account is deleted before the event or after it.
    const [, gone] = await Promise.all([
      sendStreamEvent(tandem, "update_publish", streams[1] as never, 1),
      ada.deleteAgent({ id: agent.id }),
    ]);
    expect(gone).toEqual({ deleted: true });
    for (const [client, stream] of streams.entries()) {
      for (const call of ["publish", "update_publish"] as const)
        expect(await sendStreamEvent(tandem, call, stream, client)).toBe(403);
      expect(await sendStreamEvent(tandem, "publish_done", stream, client)).toBe(200);
    }
    expect(await titles(tandem)).toEqual([]);
    const restarted = await ada.startLive({ title: "Tea" });
    expect(streamOf(restarted.ingest).stream).not.toBe(streams[0]?.stream);
  });

  test("lists the streams with recent events, for any sequence of events", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandemWithStreaming(engine, { now: clock.now });
    const step = fc.oneof(
      fc.record({
        call: fc.constantFrom("publish" as const, "update_publish" as const, "publish_done" as const),
        client: fc.integer({ min: 1, max: 2 }),
        validKey: fc.integer({ min: 0, max: 4 }).map((n) => n > 0),
      }),
      fc.record({ wait: fc.constantFrom(1, 20_000, SILENCE - 1, SILENCE) }),
    );
    type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
    const check = async (steps: Step[]) => {
      const ada = await tandem.as.human();
      const own = streamOf((await ada.startLive({ title: "Tea" })).ingest);
      const last: { client: number | null; at: number } = { client: null, at: 0 };
      let ended: number | null = null;
      const runs = () => last.client !== null && clock.now() < last.at + SILENCE;
      for (const event of steps) {
        if ("wait" in event) clock.pass(event.wait);
        else {
          const { call, client, validKey } = event;
          const { stream, key } = own;
          const status = await sendStreamEvent(
            tandem,
            call,
            { stream, key: validKey ? key : `${key}x` },
            client,
          );
          const late = call === "update_publish" && ended === client;
          const free = validKey && !late && (!runs() || last.client === client);
          expect(status).toBe(call === "publish_done" || free ? 200 : 403);
          if (call !== "publish_done" && free) {
            Object.assign(last, { client, at: clock.now() });
            if (ended === client) ended = null;
          }
          if (call === "publish_done" && validKey && last.client === client) {
            last.client = null;
            ended = client;
          }
        }
        expect(await titles(tandem)).toEqual(runs() ? ["Tea"] : []);
      }
      await ada.endLive();
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), check), {
      numRuns: engine === "sqlite" ? 12 : 5,
    });
  });
});

test("a busy database doesn't disconnect running streams, but rejects new ones", async () => {
  await using directory = await temporaryDirectory();
  await using tandem = await startTandemWithStreaming("sqlite", { dataDir: directory.path });
  const ada = await tandem.as.human("ada");
  const own = streamOf((await ada.startLive({ title: "Tea" })).ingest);
  expect(await sendStreamEvent(tandem, "publish", own)).toBe(200);
  const other = new Database(join(directory.path, "tandem.db"));
  other.exec("begin immediate");
  const calls = ["publish", "update_publish", "publish_done"] as const;
  expect(await Promise.all(calls.map((call) => sendStreamEvent(tandem, call, own)))).toEqual([503, 200, 200]);
  other.exec("commit");
  other.close();
  expect(await titles(tandem)).toEqual(["Tea"]);
});
