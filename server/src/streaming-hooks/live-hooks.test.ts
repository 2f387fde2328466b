import { limits } from "@tandem/contract/limits";
import { createApp } from "@tandem/server/app";
import {
  HOOK_SECRET,
  type Stream,
  sendHook,
  startTandemWithStreaming,
  streamingSettings,
  streamOf,
} from "@tandem/testing/streaming";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";
import { readConfig } from "../config.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const FORM = "application/x-www-form-urlencoded";

type Spoken = [call: string, body: (stream: Stream) => string, type: string][];

const form = (call: string) => (one: Stream) =>
  `app=live&flashver=&swfurl=&tcurl=rtmp://127.0.0.1/live%3Fname=zz&pageurl=&addr=10.0.0.1&clientid=7&call=${call}&name=${one.stream}&type=live&key=${one.key}`;
const srs = (action: string) => (one: Stream) =>
  JSON.stringify({
    action,
    client_id: "9308h583",
    app: "live",
    stream: one.stream,
    param: `?key=${one.key}`,
  });
const asks = ({ stream, key }: Stream) =>
  JSON.stringify({
    action: "publish",
    path: `live/${stream}`,
    query: `key=${key}`,
    id: "7",
    protocol: "rtmp",
  });

/** The calls of each server during one stream. */
const dialects: Record<string, Spoken> = {
  "nginx-rtmp": ["publish", "update_publish", "publish_done"].map((call) => [call, form(call), FORM]),
  SRS: ["on_publish", "on_hls", "on_unpublish"].map((call) => [call, srs(call), "application/json"]),
  MediaMTX: [
    ["publish", asks, JSON_TYPE],
    ["update_publish", form("update_publish"), FORM],
    ["publish_done", form("publish_done"), FORM],
  ],
};

const onAir = async ({ as }: Tandem) => (await as.anonymous().listLives()).lives.length;

async function withStream(tandem: Tandem) {
  const ada = await tandem.as.human();
  return streamOf((await ada.startLive({ title: "Tea" })).ingest);
}

describe("the hooks of streaming servers", () => {
  test("accept the calls of each server", async () => {
    await using tandem = await startTandemWithStreaming();
    for (const [server, publish] of Object.entries(dialects)) {
      const stream = await withStream(tandem);
      const counts: number[] = [];
      for (const [call, body, type] of publish) {
        const wrong = await sendHook(tandem, body({ ...stream, key: "wrong" }), type);
        expect([server, call, wrong.status]).toEqual([
          server,
          call,
          call.endsWith("done") || call === "on_unpublish" ? 200 : 403,
        ]);
        expect(await sendHook(tandem, body(stream), type)).toMatchObject({ status: 200, body: { code: 0 } });
        counts.push(await onAir(tandem));
      }
      expect([server, counts]).toEqual([server, [1, 1, 0]]);
    }
  });

  test("reject all other calls, and name the invalid field", async () => {
    await using tandem = await startTandemWithStreaming();
    const stream = await withStream(tandem);
    const good = form("publish")(stream);
    const publish = JSON.parse(srs("on_publish")(stream));
    const but = (change: object) => JSON.stringify({ ...publish, ...change });
    const bad: [body: string | Uint8Array<ArrayBuffer>, type: string, status: number, field?: string][] = [
      ["", FORM, 400, "name"],
      ["", "application/json", 400],
      ["", "", 415],
      [good, "text/plain", 415],
      [good, "multipart/form-data; boundary=x", 415],
      [good.replace("call=publish", "call=play"), FORM, 400, "call"],
      [good.replace("call=publish", "call=toString"), FORM, 400, "call"],
      [good.replace("call=publish", "call="), FORM, 400, "call"],
      [good.replace("&clientid=7", ""), FORM, 400, "clientid"],
      [good.replace(/&key=.*/, ""), FORM, 400, "key"],
      [good.replace("clientid=7", "clientid=%00"), FORM, 400, "clientid"],
      [good.replace("clientid=7", `clientid=${"7".repeat(2001)}`), FORM, 400, "clientid"],
      [good.replace("clientid=7", "clientid=%ff"), FORM, 400, "clientid"],
      // What a sender adds to the name of a stream can't take the server's word.
      [`${good}&name=other`, FORM, 400, "name"],
      [`${good}&call=publish_done`, FORM, 400, "call"],
      [`${good}&clientid=8`, FORM, 400, "clientid"],
      [good.replace("&name=", "&name=x/"), FORM, 403],
      [new Uint8Array([0, 255, 254]), FORM, 400, "name"],
      ["{", "application/json", 400],
      ["null", "application/json", 400],
      ["[]", "application/json", 400, "stream"],
      [new Uint8Array([0, 255, 254]), "application/json", 400],
      [but({ action: "on_play" }), "application/json", 400, "action"],
      [but({ action: ["on_publish"] }), "application/json", 400, "action"],
      [but({ stream: { $ne: "" } }), "application/json", 400, "stream"],
      [but({ stream: "' or 1=1 --" }), "application/json", 403],
      [but({ param: "" }), "application/json", 400, "param"],
      [but({ param: "?token=x" }), "application/json", 400, "key"],
      [but({ param: "?key=a&key=b" }), "application/json", 400, "key"],
      [but({ client_id: 1.5 }), "application/json", 400, "client_id"],
      [but({ client_id: "\0" }), "application/json", 400, "client_id"],
      [but({ client_id: "\ud800" }), "application/json", 200],
      ["x".repeat(20_000), FORM, 413],
    ];
    for (const [body, type, status, field] of bad) {
      const response = await sendHook(tandem, body, type);
      expect([body, response.status, response.body.field]).toEqual([body, status, field]);
    }
  });

  test("accept only POST with the secret", async () => {
    await using tandem = await startTandemWithStreaming();
    const stream = await withStream(tandem);
    const good = form("publish")(stream);
    for (const query of [
      "",
      "?",
      "?secret=",
      "?secret=wrong",
      `?secret=${HOOK_SECRET}x`,
      `?Secret=${HOOK_SECRET}`,
    ])
      expect(await sendHook(tandem, good, FORM, query)).toMatchObject({
        status: 403,
        body: { code: "forbidden" },
      });
    const twice = `?secret=${HOOK_SECRET}&secret=${HOOK_SECRET}`;
    for (const query of [twice, "?secret=%ff"])
      expect(await sendHook(tandem, good, FORM, query)).toMatchObject({
        status: 400,
        body: { field: "secret" },
      });
    // However long, it isn't read.
    const long = "x".repeat(limits.jsonBytes * 2);
    expect((await sendHook(tandem, long, FORM, "?secret=wrong")).status).toBe(403);
    const read = await fetch(`${tandem.baseUrl}/hooks/live?secret=${HOOK_SECRET}`);
    expect([read.status, read.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await onAir(tandem)).toBe(0);
  });
});

test("without a configured streaming server the hooks don't exist", async () => {
  await using tandem = await startTandem("sqlite");
  expect((await sendHook(tandem, "call=publish")).status).toBe(404);
});

test("no document mentions the hooks, and no log contains the secret or a key", async () => {
  await using tandem = await startTandemWithStreaming("sqlite");
  const stream = await withStream(tandem);
  for (const path of ["/openapi.json", "/developers.md", "/llms.txt"])
    expect(await (await fetch(tandem.baseUrl + path)).text()).not.toContain("hooks/live");
  const lines: string[] = [];
  const logger = { level: "trace", stream: { write: (line: string) => void lines.push(line) } };
  const { server } = createApp({ config: readConfig(streamingSettings), storage: tandem.storage, logger });
  const payload = form("publish")(stream);
  const statuses: number[] = [];
  for (const [secret, body] of [
    [HOOK_SECRET, payload],
    [HOOK_SECRET, `${payload}&call=`],
    [`${HOOK_SECRET}x`, payload],
  ]) {
    const url = `/hooks/live?secret=${secret}`;
    const headers = { "content-type": FORM };
    statuses.push((await server.inject({ method: "POST", url, headers, payload: String(body) })).statusCode);
  }
  await server.close();
  expect(statuses).toEqual([200, 400, 403]);
  expect(lines.filter((line) => line.includes('"msg"'))).not.toHaveLength(0);
  expect(lines.join("")).not.toMatch(new RegExp(`${HOOK_SECRET}|${stream.key}`));
});
