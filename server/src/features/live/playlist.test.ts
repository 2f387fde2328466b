import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { stoppedClock } from "@tandem/testing/clock";
import { until } from "@tandem/testing/ports";
import { programOf } from "@tandem/testing/programs";
import { temporaryDirectory } from "@tandem/testing/storage";
import { HOOK_SECRET, sendStreamEvent, streamOf } from "@tandem/testing/streaming";
import { engines, startTandem } from "@tandem/testing/tandem";
import sharp from "sharp";
import { describe, expect, test, vi } from "vitest";

const execute = promisify(execFile);

/** A playlist's lines, and the number of each segment. */
async function read(url: string) {
  const response = await fetch(url);
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "application/vnd.apple.mpegurl",
  ]);
  const text = await response.text();
  const numberOf = (tag: string) => Number(new RegExp(`^#${tag}:(\\d+)$`, "m").exec(text)?.[1]);
  const first = numberOf("EXT-X-MEDIA-SEQUENCE");
  const segments = text.split("\n").filter((line) => /^[^#]/.test(line));
  return {
    text,
    segments,
    isSlate: segments.every((segment) => segment === "slate.ts"),
    last: first + segments.length - 1,
    /** By segment number: which stretch of continuous timestamps it belongs to. */
    stretches: stretchesOf(text, first, numberOf("EXT-X-DISCONTINUITY-SEQUENCE")),
  };
}

function stretchesOf(text: string, first: number, stretch: number): Record<number, string> {
  const found: Record<number, string> = {};
  for (const line of text.split("\n"))
    if (line === "#EXT-X-DISCONTINUITY") stretch++;
    else if (/^[^#]/.test(line)) found[first++] = `${stretch} ${line}`;
  return found;
}

/** Sizes of the first pictures that ffmpeg decodes from a playlist. The slate has five of them per second. */
async function sizesIn(url: string, frames: number): Promise<string[]> {
  const args = [
    "-live_start_index",
    "0",
    "-i",
    url,
    "-frames:v",
    String(frames),
    "-vf",
    "showinfo",
    "-f",
    "null",
    "-",
  ];
  const { stderr } = await execute(await programOf("ffmpeg"), args, { maxBuffer: 2 ** 24, timeout: 30_000 });
  return [...new Set(Array.from(stderr.matchAll(/ s:(\d+x\d+) /g), ([, size]) => String(size)))];
}

/** A streaming server that shows a real stream through a window, or fails. */
async function streamingServer() {
  const directory = await temporaryDirectory();
  const source = [
    "-f",
    "lavfi",
    "-i",
    "testsrc=size=160x120:rate=10",
    "-f",
    "lavfi",
    "-i",
    "sine",
    "-t",
    "12",
  ];
  const coding = [
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-g",
    "10",
    "-pix_fmt",
    "yuv420p",
    "-c:a",
    "aac",
  ];
  const hls = [
    "-f",
    "hls",
    "-hls_time",
    "2",
    "-hls_list_size",
    "0",
    "-hls_segment_filename",
    "%d.ts",
    "all.m3u8",
  ];
  const cwd = directory.path;
  await execute(await programOf("ffmpeg"), ["-v", "error", ...source, ...coding, ...hls], { cwd });
  const entries = (await readFile(join(cwd, "all.m3u8"), "utf8")).match(/^#EXTINF.*\n.*$/gm) ?? [];
  const state = {
    first: 0,
    answers: "nothing" as "nothing" | "media" | "multivariant",
    requests: 0,
    segments: 0,
    isDamaged: false,
  };
  const server = createServer(async ({ url = "" }, response) => {
    const segment = /^\/hls\/\w+\/(\d+\.ts)$/.exec(url)?.[1];
    if (segment) {
      state.segments++;
      return void response.end(state.isDamaged ? "no video" : await readFile(join(cwd, segment)));
    }
    state.requests++;
    response.statusCode = state.answers === "nothing" ? 500 : 200;
    const isMain = state.answers === "multivariant" && url.endsWith("/index.m3u8");
    const lines = isMain
      ? ["#EXT-X-STREAM-INF:BANDWIDTH=1", "main.m3u8"]
      : [
          "#EXT-X-TARGETDURATION:2",
          `#EXT-X-MEDIA-SEQUENCE:${state.first}`,
          ...entries.slice(state.first, state.first + 3),
        ];
    response.end(
      ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES", ...lines, ""].join("\n"),
    );
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hls`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await directory[Symbol.asyncDispose]();
    },
  };
}

test("without a streaming server, hlsUrl plays the slate as long as the account exists", async () => {
  await using tandem = await startTandem();
  const ada = await tandem.as.human("ada");
  const { live } = await ada.startLive({ title: "Tea" });
  const before = await read(live.hlsUrl);
  expect(before.isSlate).toBe(true);
  // Longer than one playlist, so it is read again.
  expect(await sizesIn(live.hlsUrl, 90)).toEqual(["320x180"]);
  const after = await read(live.hlsUrl);
  expect(after.last).toBeGreaterThan(before.last);
  expect({ ...before.stretches, ...after.stretches }).toEqual({ ...after.stretches, ...before.stretches });
  await ada.endLive();
  expect((await read(live.hlsUrl)).isSlate).toBe(true);
  const head = await fetch(live.hlsUrl, { method: "HEAD" });
  expect([head.status, head.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  for (const name of ["no_account", "x", "%00%00", "%F0%9F%8D%B5", "..%2fada"])
    expect((await fetch(`${tandem.baseUrl}/live/${name}/index.m3u8`)).status).toBe(404);
});

describe.each(engines)("with a streaming server, on %s", (engine) => {
  test("hlsUrl goes from the slate to the stream and back, and numbers don't go back", async () => {
    await using upstream = await streamingServer();
    const clock = stoppedClock();
    const env = {
      LIVE_INGEST_URL: "rtmp://stream.example/live",
      LIVE_URL: upstream.url,
      LIVE_HOOK_SECRET: HOOK_SECRET,
    };
    await using tandem = await startTandem(engine, { env, now: clock.now });
    const ada = await tandem.as.human("ada");
    const { live, ingest } = await ada.startLive({ title: "Tea" });
    const stream = streamOf(ingest);
    const { state } = upstream;
    // What was read from the streaming server is used for a second, and for five if it fails; let that pass without waiting.
    let passed = 0;
    const measured = performance.now.bind(performance);
    using _ = vi.spyOn(performance, "now").mockImplementation(() => measured() + passed);
    const shows = (isSlate: boolean) => until(async () => (await read(live.hlsUrl)).isSlate === isSlate);
    const seen: Awaited<ReturnType<typeof read>>[] = [];
    const look = async () => seen.push(await read(live.hlsUrl));
    await look();
    expect(state.requests).toBe(0);

    await sendStreamEvent(tandem, "publish", stream);
    clock.pass(3000);
    await look();
    state.answers = "media";
    passed += 1001;
    await shows(false);
    await look();
    expect(seen[2]?.segments).toEqual([
      ...Array(15).fill("slate.ts"),
      `${upstream.url}/${stream.stream}/2.ts`,
    ]);
    expect(seen[2]?.text).not.toContain("SERVER-CONTROL");
    expect(await sizesIn(live.hlsUrl, 90)).toContain("160x120");
    clock.pass(2000);
    state.first = 1;
    passed += 1001;
    await until(async () => (await read(live.hlsUrl)).last > Number(seen[2]?.last));
    await look();
    // Viewers share what is read from the streaming server.
    const requests = state.requests;
    await Promise.all(Array.from({ length: 20 }, () => read(live.hlsUrl)));
    expect(state.requests - requests).toBeLessThan(5);

    // It fails, and comes back in another form and with numbers that begin again.
    state.answers = "nothing";
    clock.pass(4000);
    passed += 5001;
    await shows(true);
    await look();
    Object.assign(state, { answers: "multivariant", first: 0 });
    passed += 1001;
    await shows(false);
    await look();
    clock.pass(6000);
    await sendStreamEvent(tandem, "publish_done", stream);
    await look();
    expect(seen.map(({ isSlate }) => isSlate)).toEqual([true, true, false, false, true, false, true]);
    const untilItFailed = seen.slice(0, 4);
    const all = Object.assign({}, ...untilItFailed.map(({ stretches }) => stretches));
    for (const { stretches } of untilItFailed) expect(all).toMatchObject(stretches);
    const lasts = seen.map(({ last }) => last);
    expect(lasts).toEqual([...lasts].sort((a, b) => a - b));
  });
});

test("the thumbnail shows the latest segment, is marked for an agent, and stays while nothing can be read", async () => {
  await using upstream = await streamingServer();
  const clock = stoppedClock();
  await using tandem = await startTandem("sqlite", { env: { LIVE_URL: upstream.url }, now: clock.now });
  const ada = await tandem.as.human("ada");
  const agent = await tandem.as.agent(ada, "robot");
  const session = await tandem.as.agentSession(ada, agent.agent.id);
  expect((await fetch(`${tandem.baseUrl}/live/robot/thumbnail.webp`)).status).toBe(404);
  const { live } = await session.startLive({ title: "Beep" });
  const { state } = upstream;
  const show = () => fetch(String(live.thumbnailUrl));
  expect((await show()).status).toBe(204);
  state.answers = "media";
  let first = new Response();
  await until(async () => {
    clock.pass(3_000);
    first = await show();
    return first.status !== 204;
  });
  expect([first.status, first.headers.get("content-type")]).toEqual([200, "image/webp"]);
  const picture = Buffer.from(await first.arrayBuffer());
  expect((await sharp(picture).metadata()).xmpAsString).toContain("trainedAlgorithmicMedia");
  // Drawn once per period, however many ask.
  const { requests } = state;
  await Promise.all(Array.from({ length: 10 }, show));
  expect(state.requests).toBe(requests);
  state.answers = "nothing";
  clock.pass(15_000);
  expect(Buffer.from(await (await show()).arrayBuffer())).toEqual(picture);
  await session.endLive();
  expect((await show()).status).toBe(404);
  // The next stream doesn't begin with a picture of the last one.
  state.isDamaged = true;
  clock.pass(1);
  await session.startLive({ title: "Beep again" });
  expect((await show()).status).toBe(204);
});

test("a stream that can't be decoded is read once per period, and its broadcaster pays for decoding", async () => {
  await using upstream = await streamingServer();
  const clock = stoppedClock();
  const env = { LIVE_URL: upstream.url };
  await using tandem = await startTandem("sqlite", { env, now: clock.now });
  const [, ada] = [await tandem.as.human(), await tandem.as.human("ada")];
  const { state } = upstream;
  const { live } = await ada.startLive({ title: "Tea" });
  Object.assign(state, { answers: "media", isDamaged: true });
  const show = async () => {
    clock.pass(15_000);
    return (await fetch(String(live.thumbnailUrl))).status;
  };
  await until(async () => (await show()) === 204 && state.segments > 0);
  const { segments } = state;
  clock.pass(3_000);
  await fetch(String(live.thumbnailUrl));
  expect(state.segments).toBe(segments);
  state.isDamaged = false;
  expect(await show()).toBe(200);
  // Until the processor time of this hour is used up, also for uploads.
  const upload = () => {
    const body = new FormData();
    body.set("nothing", "to decode");
    return fetch(`${tandem.baseUrl}/api/users/avatar`, {
      method: "POST",
      body,
      headers: ada.options.headers,
    });
  };
  expect((await upload()).status).toBe(400);
  // Only now, because on a busy machine what came before may take longer.
  Object.assign(tandem.limits, { mediaSecondsPerHour: 1 });
  await until(async () => {
    expect(await show()).toBe(200);
    return (await upload()).status === 429;
  });
  const picture = async () => Buffer.from(await (await fetch(String(live.thumbnailUrl))).arrayBuffer());
  const last = await picture();
  state.first = 3;
  expect(await show()).toBe(200);
  expect(await picture()).toEqual(last);
});
