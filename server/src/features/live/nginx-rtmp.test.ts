import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Live } from "@tandem/contract/resources";
import { stoppedClock } from "@tandem/testing/clock";
import { broadcast, reserveStreamingPorts, startNginxRtmp } from "@tandem/testing/nginx-rtmp";
import { freePort, until } from "@tandem/testing/ports";
import { programOf } from "@tandem/testing/programs";
import { temporaryDirectory } from "@tandem/testing/storage";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import sharp from "sharp";
import { expect, test } from "vitest";

const execute = promisify(execFile);

async function startWithNginx(now = Date.now) {
  const place = await reserveStreamingPorts();
  const tandem = await startTandem("sqlite", { env: place.env, now });
  const nginx = await startNginxRtmp(place, tandem.baseUrl);
  const ada = await tandem.as.human("ada");
  const goLive = async (title = "Tea") => {
    const { live, ingest } = await ada.startLive({ title });
    return { live, url: ingest?.url ?? "", streamKey: ingest?.streamKey ?? "" };
  };
  const stop = async () => {
    await nginx[Symbol.asyncDispose]();
    await tandem.stop();
  };
  return { tandem, nginx, ada, goLive, [Symbol.asyncDispose]: stop };
}

const listed = async ({ as }: Tandem) => (await as.anonymous().listLives()).lives;
const onAir = (tandem: Tandem) => until(async () => (await listed(tandem)).length === 1);
const offAir = (tandem: Tandem) => until(async () => (await listed(tandem)).length === 0);

test("lists a stream sent to nginx while it runs, and plays it", async () => {
  await using service = await startWithNginx();
  const { tandem, goLive } = service;
  const { live, url, streamKey } = await goLive();
  const [name, key] = streamKey.split("?key=");
  expect(await listed(tandem)).toEqual([]);

  for (const wrong of [`${name}?key=${"x".repeat(32)}`, `${name}`, `no-such-name?key=${key}`]) {
    await using refused = await broadcast(url, wrong);
    expect(await refused.ended).not.toBe(0);
  }
  // Parameters added to the stream's URL can't override what the server reports.
  await using forged = await broadcast(url, `${streamKey}&clientid=7`);
  expect(await forged.ended).not.toBe(0);
  expect(await listed(tandem)).toEqual([]);

  await using waiting = await play(live.hlsUrl);
  await until(async () => waiting.sizes().includes("320x180"));
  await using sender = await broadcast(url, streamKey);
  await onAir(tandem);
  const { startedAt: _, viewers: __, thumbnailUrl: ___, ...facts } = live;
  const [running] = await listed(tandem);
  expect(running).toMatchObject(facts);
  // A player that waits goes on to the stream.
  await until(async () => waiting.sizes().includes("160x120"));
  await until(async () => Number((await listed(tandem))[0]?.viewers) > 0);
  expect(await thumbnail(running)).toEqual({ format: "webp", width: 160, height: 120, xmp: undefined });
  expect(await probe(live.hlsUrl)).toEqual({ format: "mpegts", codecs: ["aac", "h264"] });

  // A second stream with the same key is rejected, and its end doesn't end the first.
  await using second = await broadcast(url, streamKey);
  expect(await second.ended).not.toBe(0);
  expect(await listed(tandem)).toMatchObject([facts]);

  sender.send("SIGTERM");
  await offAir(tandem);
});

test("a key is valid for several streams until its owner ends it, which disconnects the stream", async () => {
  await using service = await startWithNginx();
  const { tandem, ada, goLive } = service;
  const { live, url, streamKey } = await goLive();
  await using sender = await broadcast(url, streamKey);
  await onAir(tandem);
  await segmentsOf(live.hlsUrl);
  // The stream freezes, but its connection stays open.
  sender.send("SIGSTOP");
  await offAir(tandem);

  await using again = await broadcast(url, streamKey);
  await onAir(tandem);
  expect(await ada.endLive()).toEqual({ ended: true });
  expect(await listed(tandem)).toEqual([]);
  expect(await again.ended).not.toBe(0);
  await using late = await broadcast(url, streamKey);
  expect(await late.ended).not.toBe(0);
  expect((await goLive()).streamKey).not.toBe(streamKey);
});

test("removes streams from the list when their streaming server dies", async () => {
  const clock = stoppedClock();
  await using service = await startWithNginx(clock.now);
  const { tandem, nginx, goLive } = service;
  const { url, streamKey } = await goLive();
  await using _sender = await broadcast(url, streamKey);
  await onAir(tandem);
  await nginx.kill();
  clock.pass(44_999);
  expect(await listed(tandem)).toHaveLength(1);
  clock.pass(1);
  expect(await listed(tandem)).toEqual([]);
});

test("a stream continues while the service is down, and is listed again once it is back", async () => {
  const place = await reserveStreamingPorts();
  await using directory = await temporaryDirectory();
  const port = await freePort();
  const start = () =>
    startTandem("sqlite", { env: { ...place.env, PORT: String(port) }, dataDir: directory.path });
  const first = await start();
  const { ingest } = await (await first.as.human("ada")).startLive({ title: "Tea" });
  await using _nginx = await startNginxRtmp(place, first.baseUrl);
  await using sender = await broadcast(String(ingest?.url), String(ingest?.streamKey));
  await onAir(first);
  await first.stop();
  // Wait until the streaming server has failed to report twice.
  let failedReports = 0;
  const failingServer = createServer((socket) => {
    failedReports++;
    socket.destroy();
  }).listen(port, "127.0.0.1");
  await until(async () => failedReports >= 2);
  await new Promise((resolve) => failingServer.close(resolve));
  await using again = await start();
  await again.storage.write((tx) => tx.deleteFrom("lives").execute());
  await onAir(again);
  sender.send("SIGTERM");
  await offAir(again);
});

/** Waits until the playlist lists segments of the stream, and returns their addresses. */
async function segmentsOf(playlist: string): Promise<string[]> {
  let segments: string[] = [];
  await until(async () => {
    const response = await fetch(playlist);
    segments = (await response.text()).split("\n").filter((line) => /^https?:/.test(line));
    return segments.length > 0;
  });
  return segments;
}

/** A stream's thumbnail, as soon as there is one. */
async function thumbnail(live: Live | undefined) {
  let response = new Response();
  await until(async () => {
    response = await fetch(String(live?.thumbnailUrl));
    return response.status === 200;
  });
  const { format, width, height, xmpAsString } = await sharp(await response.arrayBuffer()).metadata();
  return { format, width, height, xmp: xmpAsString };
}

/** Starts a player, and tells the sizes of the pictures that it has decoded. */
async function play(playlist: string) {
  const args = ["-i", playlist, "-vf", "showinfo", "-f", "null", "-"];
  const player = spawn(await programOf("ffmpeg"), args, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(player, "exit");
  let log = "";
  player.stderr.on("data", (chunk) => {
    log += chunk;
  });
  return {
    sizes: () => Array.from(log.matchAll(/ s:(\d+x\d+) /g), ([, size]) => size),
    async [Symbol.asyncDispose]() {
      player.kill("SIGKILL");
      await ended;
    },
  };
}

/** Format and codecs of a playlist's first segment, according to ffprobe. */
async function probe(playlist: string) {
  const segments = await segmentsOf(playlist);
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "segment");
  const bytes = await (await fetch(new URL(String(segments[0]), playlist))).arrayBuffer();
  await writeFile(file, Buffer.from(bytes));
  const options = ["-v", "error", "-of", "json", "-show_entries", "format=format_name:stream=codec_name"];
  // ffprobe is installed next to ffmpeg.
  const ffprobe = (await programOf("ffmpeg")).replace(/ffmpeg$/, "ffprobe");
  const { format, streams } = JSON.parse((await execute(ffprobe, [...options, file])).stdout);
  const codecs = streams.map((stream: { codec_name: string }) => stream.codec_name).sort();
  return { format: format.format_name, codecs };
}
