import { type ClientRequest, IncomingMessage, request } from "node:http";
import { Socket } from "node:net";
import { crc32, deflateSync } from "node:zlib";
import { SECOND } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { Caller } from "@tandem/testing/callers";
import { eventually } from "@tandem/testing/eventually";
import { formBytes, formType } from "@tandem/testing/forms";
import { drawPicture } from "@tandem/testing/pictures";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { watchPace } from "./upload-pace.ts";

afterEach(() => void vi.useRealTimers());

/** Begins an upload and sends only its start. `status` resolves with the response's status, or "closed". */
function beginUpload({ baseUrl }: Tandem, { options: { key, headers } }: Caller) {
  const credential = key === undefined ? headers : { authorization: `Bearer ${key}` };
  const sending: ClientRequest = request(`${baseUrl}/api/posts`, {
    method: "POST",
    headers: { ...credential, ...formType, "content-length": 2 ** 20 },
    agent: false,
  });
  const status = new Promise<number | string>((resolve) => {
    sending.on("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sending.on("error", () => resolve("closed"));
  });
  sending.write(formBytes([{ name: "title", content: "Slow" }], { open: true }));
  return { sending, status };
}

describe.each(engines)("before a body is read on %s", (engine) => {
  let tandem: Tandem;
  beforeAll(async () => {
    const env = {
      LIMIT_TIERS_PROBATION_POSTS: "1",
      LIMIT_DRY_RUNS_PER_MINUTE: "3",
      UPLOAD_TIMEOUT: "20",
    };
    tandem = await startTandem(engine, { env });
  });
  afterAll(() => tandem.stop());

  test("an upload is refused if the quota is used up, but not a retry of one that succeeded", async () => {
    const agent = await tandem.as.agent();
    const image = new Blob([new Uint8Array(await drawPicture())]);
    const input = { title: "First", image };
    const first = await agent.call("createPost", input, { idempotencyKey: "first" });
    expect(first.status).toBe(200);
    const { sending, status } = beginUpload(tandem, agent);
    expect(await status).toBe(429);
    sending.destroy();
    const again = await agent.call("createPost", input, { idempotencyKey: "first" });
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  test("dry runs have a quota of their own, over all operations, also if they fail", async () => {
    const [person, other] = [await tandem.as.human(), await tandem.as.human()];
    const dryRun = { dryRun: true };
    expect((await person.call("createPost", { title: "Dry" }, dryRun)).status).toBe(200);
    expect((await person.call("likePost", { id: 999_999 }, dryRun)).status).toBe(404);
    expect(
      (await person.call("follow", { platform: "native", author: other.user.username }, dryRun)).status,
    ).toBe(200);
    const { status, body, headers } = await person.call("createPost", { title: "Dry" }, dryRun);
    expect([status, body.code]).toEqual([429, "rate_limited"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await person.call("createPost", { title: "Wet" })).status).toBe(200);
    expect((await other.call("createPost", { title: "Dry" }, dryRun)).status).toBe(200);
  });
});

test("uploads are refused for the rest of the hour once a person's files were decoded for so long", async () => {
  await using tandem = await startTandem("sqlite", { env: { LIMIT_MEDIA_SECONDS_PER_HOUR: "1" } });
  // The time is counted per process, where other tests' accounts have low ids.
  await tandem.storage.write((tx) => tx.engine.catalog.setLastId(tx, "users", 1_000_000));
  const [operator, other] = [await tandem.as.human(), await tandem.as.human()];
  const agent = await tandem.as.agent(operator);
  const large = new Blob([new Uint8Array(await drawPicture({ width: 4000, height: 3000 }))]);
  const upload = (caller: Caller, image: Blob) => caller.call("createPost", { title: "A loom", image });
  const first = await upload(agent, large);
  expect(first.status).toBe(200);
  let last = first;
  // Faster machines need more than one.
  for (let i = 0; i < 20 && last.status === 200; i += 1) last = await upload(agent, large);
  expect([last.status, last.body.code]).toEqual([429, "rate_limited"]);
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(3500);
  const small = new Blob([new Uint8Array(await drawPicture())]);
  expect((await upload(operator, small)).status).toBe(429);
  expect((await upload(other, small)).status).toBe(200);
});

test("the uploads of a person and their agents share a few slots", async () => {
  await using tandem = await startTandem();
  const [mallory, ada] = [await tandem.as.human(), await tandem.as.human()];
  const agents = [await tandem.as.agent(mallory), await tandem.as.agent(mallory)];
  const uploads = Array.from({ length: limits.formsPerCallerAtOnce + 1 }, (_, i) =>
    beginUpload(tandem, i === 0 ? mallory : (agents[i % 2] as Caller)),
  );
  expect(await Promise.race(uploads.map(({ status }) => status))).toBe(503);
  const { status } = await ada.call("createPost", {
    title: "A loom",
    image: new Blob([new Uint8Array(await drawPicture())]),
  });
  expect(status).toBe(200);
  for (const { sending } of uploads) sending.destroy();
});

test("an upload that sends a byte now and then is disconnected", async () => {
  await using tandem = await startTandem("sqlite", { env: { UPLOAD_TIMEOUT: "1" } });
  const { sending, status } = beginUpload(tandem, await tandem.as.human());
  const trickle = setInterval(() => sending.write("x"), 100);
  await eventually(async () => expect(await Promise.race([status, "waiting"])).toBe("closed"));
  clearInterval(trickle);
});

test("an upload that isn't whole after half an hour is disconnected, however fast it is", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
  const upload = new IncomingMessage(new Socket()).on("error", () => {});
  const pace = watchPace(upload, 30 * SECOND);
  const passSecond = () => {
    pace.received(10 * limits.formBytesPerSecond);
    vi.advanceTimersByTime(SECOND);
  };
  for (let second = 0; second < 30 * 60; second += 1) passSecond();
  expect(upload.destroyed).toBe(false);
  passSecond();
  expect(upload.destroyed).toBe(true);
  pace.end();
});

test("a picture with more bits or channels can have fewer pixels", async () => {
  await using tandem = await startTandem();
  const ada = await tandem.as.human();
  const errorOf = async (...png: Parameters<typeof emptyPng>) => {
    const image = new Blob([new Uint8Array(emptyPng(...png))]);
    const { status, body } = await ada.call("createPost", { title: "Deep", image });
    expect([status, body.field]).toEqual([400, "image"]);
    return body.error;
  };
  expect(await errorOf(8192, { bits: 16 })).toContain("8 bits per channel");
  // Without transparency, its size is fine, and so only the lack of pixels is refused.
  expect(await errorOf(6400, { bits: 16 })).toContain("damaged");
  expect(await errorOf(6400, { bits: 16, isTransparent: true })).toContain("8 bits per channel");
});

/** A square PNG with a header and too few pixels: enough to be refused before it is decoded. */
function emptyPng(side: number, { bits, isTransparent = false }: { bits: number; isTransparent?: boolean }) {
  const chunk = (type: string, data: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(typed));
    return Buffer.concat([length, typed, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([bits, isTransparent ? 6 : 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(1000))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
