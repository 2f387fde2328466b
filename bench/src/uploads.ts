import { execFileSync } from "node:child_process";
import { existsSync, openAsBlob, readFileSync, renameSync } from "node:fs";
import { appendFile, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@tandem/client/create-client";
import { MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { Callers } from "@tandem/testing/callers";
import { programOf } from "@tandem/testing/programs";
import { startS3 } from "@tandem/testing/s3";
import { type StoreName, stores } from "@tandem/testing/tandem";
import { readUntil } from "./background-reader.ts";
import { watchMemory } from "./memory.ts";
import { option } from "./options.ts";
import { startServer } from "./server-process.ts";

/*
 * Uploads many videos of the maximum size at the same time and measures peak memory, the longest event loop delay and
 * concurrent reads. Then it aborts uploads and counts the leftovers.
 *
 *   npm run bench:uploads [-- --uploads 20]
 */

const uploads = option("uploads", 20);
const MB = 2 ** 20;

const video = await largeVideo();
for (const store of stores) await measure(store);

async function measure(store: StoreName): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "tandem-uploads-"));
  const s3 = store === "s3" ? await startS3() : null;
  const beat = join(dataDir, "beat");
  const env = {
    DATA_DIR: dataDir,
    PORT: "0",
    LOG_LEVEL: "warn",
    MEDIA_URL: s3?.mediaUrl ?? "",
    NODE_OPTIONS: `--import ${fileURLToPath(new URL("./event-loop-probe.mjs", import.meta.url))}`,
    PROBE_FILE: beat,
  };
  const { baseUrl, pid, ...service } = await startServer("../../server/src/main.ts", env);
  const { options } = await new Callers(baseUrl).human();
  const client = createClient(options);
  await client.createPost({ title: "To warm up", video: await openAsBlob(video) });
  await maxLag(baseUrl);
  const memory = watchMemory(pid);
  const began = performance.now();
  let over = false;
  const reading = readUntil(baseUrl, () => over);
  const results = await Promise.allSettled(
    Array.from({ length: uploads }, async (_, i) =>
      client.createPost({ title: `Video ${i}`, video: await openAsBlob(video) }),
    ),
  );
  over = true;
  const seconds = (performance.now() - began) / 1000;
  const { service: held, children } = memory.stop();
  const refused = results.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
  console.log(
    [
      `${store}: ${uploads - refused.length} of ${uploads} videos of ${((await stat(video)).size / MB).toFixed(0)} MiB in ${seconds.toFixed(1)} s`,
      `  peak memory: service ${(held / MB).toFixed(0)} MiB, worker processes ${(children / MB).toFixed(0)} MiB`,
      `  event loop blocked for up to ${Number(readFileSync(beat, "utf8")).toFixed(0)} ms of CPU time, ${((await maxLag(baseUrl)) * 1000).toFixed(0)} ms including waits for CPU and disk`,
      `  slowest of ${(await reading).count} concurrent reads: ${(await reading).slowest.toFixed(0)} ms`,
      ...refused.slice(0, 3),
    ].join("\n"),
  );
  await abortUploads(baseUrl, options.headers ?? {}, dataDir);
  await service[Symbol.asyncDispose]();
  await s3?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
}

/** Maximum event loop lag in seconds since the last call. */
async function maxLag(baseUrl: string): Promise<number> {
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(metrics)?.[1]);
}

async function abortUploads(
  baseUrl: string,
  headers: Record<string, string>,
  dataDir: string,
): Promise<void> {
  const file = await openAsBlob(video);
  await Promise.all(
    Array.from({ length: uploads }, async (_, i) => {
      const form = new FormData();
      form.set("title", "Never");
      form.set("video", file);
      const signal = AbortSignal.timeout(20 + i * 5);
      await fetch(`${baseUrl}/api/posts`, { method: "POST", headers, body: form, signal }).catch(() => {});
    }),
  );
  const left = async () =>
    (await readdir(join(dataDir, "incoming"))).filter((name) => name.startsWith("form-")).length;
  for (const ends = Date.now() + MINUTE; (await left()) > 0 && Date.now() < ends; );
  console.log(`  ${uploads} aborted uploads left ${await left()} folders`);
}

/** A video of the maximum accepted size. It shows noise, which doesn't compress. Generated once per machine. */
async function largeVideo(): Promise<string> {
  const place = join(tmpdir(), "tandem-large-video.mp4");
  if (existsSync(place)) return place;
  const unfinished = join(tmpdir(), "tandem-large-video.unfinished.mp4");
  const noise = "color=gray:size=1280x720:rate=25:duration=60,noise=alls=100:allf=t";
  // The encoder exceeds the requested size by some megabytes.
  const size = ["-fs", String(limits.videoBytes - 8 * MB)];
  const coding = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-qp", "20"];
  execFileSync(await programOf("ffmpeg"), [
    ...["-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i", noise],
    ...[...coding, ...size, unfinished],
  ]);
  const missing = limits.videoBytes - (await stat(unfinished)).size;
  const padding = Buffer.alloc(missing);
  padding.writeUInt32BE(missing);
  padding.write("free", 4, "latin1");
  await appendFile(unfinished, padding);
  renameSync(unfinished, place);
  return place;
}
