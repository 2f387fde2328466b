import { join } from "node:path";
import { makeAdmin } from "@tandem/testing/admins";
import { stoppedClock } from "@tandem/testing/clock";
import { dump } from "@tandem/testing/dump";
import { temporaryDirectory } from "@tandem/testing/storage";
import { sendHook, sendStreamEvent, startTandemWithStreaming, streamOf } from "@tandem/testing/streaming";
import { engines, type Tandem } from "@tandem/testing/tandem";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sweepOut } from "../../housekeeping.ts";

const SILENCE = 45_000;
const titles = async ({ as }: Tandem) => (await as.anonymous().listLives()).lives.map(({ title }) => title);

describe.each(engines)("beside a streaming server, on %s", (engine) => {
  test("who goes live is told once where to send the stream, and is listed while it runs", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandemWithStreaming(engine, { now: clock.now });
    const [ada, bob] = await Promise.all([tandem.as.human("ada"), tandem.as.human("bob")]);
    const { live, ingest } = await ada.startLive({ title: "Tea" });
    const { stream, key } = streamOf(ingest);
    expect(ingest).toEqual({ url: "rtmp://stream.example/live", streamKey: `${stream}?key=${key}` });
    expect(stream).toMatch(/^[0-9a-f]{24}$/);
    expect(live).toEqual({
      username: "ada",
      title: "Tea",
      hlsUrl: `https://stream.example/hls/${stream}/index.m3u8`,
    });
    expect(await titles(tandem)).toEqual([]);
    // A new title before it begins, and one while it runs.
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
    // The key holds for the next stream.
    expect(await sendStreamEvent(tandem, "publish", { stream, key }, 3)).toBe(200);
    expect(await titles(tandem)).toHaveLength(2);
    expect(JSON.stringify(await dump(tandem.storage))).not.toContain(key);
  });

  test("the key is in no repetition, of a dry run nothing is left, and of two at once one is told it", async () => {
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
    const told = both.filter(({ ingest }) => ingest !== null);
    expect(told).toHaveLength(1);
    expect(new Set(both.map(({ live }) => live.hlsUrl)).size).toBe(1);
    expect(await sendStreamEvent(tandem, "publish", streamOf(told[0]?.ingest ?? null))).toBe(200);
  });

  test("an agent that is paused is off the air, and on it again when it may", async () => {
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

  test("who is suspended is off the air, and on it again when that is lifted", async () => {
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

  test("of streams under one key the first is on air, and only its own end ends it", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandemWithStreaming(engine, { now: clock.now });
    const ada = await tandem.as.human("ada");
    const own = streamOf((await ada.startLive({ title: "Tea" })).ingest);
    const clients = [1, 2, 3, 4];
    const answers = await Promise.all(
      clients.map((client) => sendStreamEvent(tandem, "publish", own, client)),
    );
    expect([...answers].sort()).toEqual([200, 403, 403, 403]);
    const [first, ...others] = clients.sort((a, b) => Number(answers[a - 1]) - Number(answers[b - 1]));
    for (const other of others) {
      expect(await sendStreamEvent(tandem, "publish_done", own, other)).toBe(200);
      expect(await sendStreamEvent(tandem, "update_publish", own, other)).toBe(403);
    }
    expect(await titles(tandem)).toEqual(["Tea"]);
    // Once nothing is heard of it, another may.
    clock.pass(SILENCE);
    expect(await sendStreamEvent(tandem, "publish", own, others[0])).toBe(200);
    expect(await sendStreamEvent(tandem, "update_publish", own, first)).toBe(403);
    expect(await titles(tandem)).toEqual(["Tea"]);
  });

  test("whoever falls silent is forgotten, and is back with the next sign", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandemWithStreaming(engine, { now: clock.now });
    const ada = await tandem.as.human("ada");
    const own = streamOf((await ada.startLive({ title: "Tea" })).ingest);
    await sendStreamEvent(tandem, "publish", own);
    const kept = async () =>
      (await tandem.storage.read.selectFrom("lives").select("user_id").execute()).length;
    const sweep = () => sweepOut(tandem.services, new AbortController().signal, 10);
    for (const wait of [SILENCE - 1, SILENCE - 1]) {
      clock.pass(wait);
      await sweep();
      expect([await titles(tandem), await kept()]).toEqual([["Tea"], 1]);
      expect(await sendStreamEvent(tandem, "update_publish", own)).toBe(200);
    }
    clock.pass(SILENCE);
    expect([await titles(tandem), await kept()]).toEqual([[], 1]);
    await sweep();
    expect(await kept()).toBe(0);
    expect(await sendStreamEvent(tandem, "update_publish", own)).toBe(200);
    expect(await titles(tandem)).toEqual(["Tea"]);
  });

  test("what is said of a stream after its end came late; and one that sends no picture falls silent", async () => {
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

  test("who ends it, and an account that goes, takes the key along", async () => {
    await using tandem = await startTandemWithStreaming(engine);
    const ada = await tandem.as.human("ada");
    const { agent } = await tandem.as.agent(ada, "robot");
    const robot = await tandem.as.agentSession(ada, agent.id);
    const [mine, its] = [await ada.startLive({ title: "Tea" }), await robot.startLive({ title: "Oil" })];
    const streams = [streamOf(mine.ingest), streamOf(its.ingest)];
    for (const [client, one] of streams.entries())
      expect(await sendStreamEvent(tandem, "publish", one, client)).toBe(200);
    expect(await titles(tandem)).toHaveLength(2);
    for (const _ of "ab") expect(await ada.endLive()).toEqual({ ended: true });
    expect(await titles(tandem)).toEqual(["Oil"]);
    // Whether it goes before a sign or after it, nothing of it is left.
    const [, gone] = await Promise.all([
      sendStreamEvent(tandem, "update_publish", streams[1] as never, 1),
      ada.deleteAgent({ id: agent.id }),
    ]);
    expect(gone).toEqual({ deleted: true });
    for (const [client, one] of streams.entries()) {
      for (const call of ["publish", "update_publish"] as const)
        expect(await sendStreamEvent(tandem, call, one, client)).toBe(403);
      expect(await sendStreamEvent(tandem, "publish_done", one, client)).toBe(200);
    }
    expect(await titles(tandem)).toEqual([]);
    const anew = await ada.startLive({ title: "Tea" });
    expect(streamOf(anew.ingest).stream).not.toBe(streams[0]?.stream);
  });

  test("whatever is said in whatever order, the list is who was heard of last", {
    timeout: 120_000,
  }, async () => {
    const clock = stoppedClock();
    await using tandem = await startTandemWithStreaming(engine, { now: clock.now });
    const step = fc.oneof(
      fc.record({
        call: fc.constantFrom("publish" as const, "update_publish" as const, "publish_done" as const),
        client: fc.integer({ min: 1, max: 2 }),
        right: fc.integer({ min: 0, max: 4 }).map((n) => n > 0),
      }),
      fc.record({ wait: fc.constantFrom(1, 20_000, SILENCE - 1, SILENCE) }),
    );
    type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
    const law = async (steps: Step[]) => {
      const ada = await tandem.as.human();
      const own = streamOf((await ada.startLive({ title: "Tea" })).ingest);
      const last: { client: number | null; at: number } = { client: null, at: 0 };
      let ended: number | null = null;
      const runs = () => last.client !== null && clock.now() < last.at + SILENCE;
      for (const one of steps) {
        if ("wait" in one) clock.pass(one.wait);
        else {
          const { call, client, right } = one;
          const { stream, key } = own;
          const status = await sendStreamEvent(
            tandem,
            call,
            { stream, key: right ? key : `${key}x` },
            client,
          );
          const late = call === "update_publish" && ended === client;
          const free = right && !late && (!runs() || last.client === client);
          expect(status).toBe(call === "publish_done" || free ? 200 : 403);
          if (call !== "publish_done" && free) {
            Object.assign(last, { client, at: clock.now() });
            if (ended === client) ended = null;
          }
          if (call === "publish_done" && right && last.client === client) {
            last.client = null;
            ended = client;
          }
        }
        expect(await titles(tandem)).toEqual(runs() ? ["Tea"] : []);
      }
      await ada.endLive();
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), law), { numRuns: 25 });
  });
});

test("nobody is cut off because the database is busy; to begin has to wait", {
  timeout: 60_000,
}, async () => {
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
