import { execFileSync } from "node:child_process";
import { existsSync, openAsBlob, readFileSync, renameSync } from "node:fs";
import { appendFile, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@tandem/client/client";
import { limits } from "@tandem/contract/limits";
import { Callers } from "@tandem/testing/callers";
import { programOf } from "@tandem/testing/programs";
import { startS3 } from "@tandem/testing/s3";
import { type StoreName, stores } from "@tandem/testing/tandem";
import { watchMemory } from "./memory.ts";
import { option } from "./options.ts";
import { serve } from "./processes.ts";
import { readOn } from "./reader.ts";

/*
 * Many videos of the largest size at once: how much memory the service holds meanwhile, how long its event loop stood
 * still at worst, and whether it goes on answering. Then one upload after another is broken off.
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
    NODE_OPTIONS: `--import ${fileURLToPath(new URL("./beat.mjs", import.meta.url))}`,
    BEAT_FILE: beat,
  };
  const { baseUrl, pid, ...service } = await serve("../../server/src/main.ts", env);
  const { options } = await new Callers(baseUrl).human();
  const client = createClient(options);
  await client.createPost({ title: "To warm up", video: await openAsBlob(video) });
  await standstill(baseUrl);
  const memory = watchMemory(pid);
  const began = performance.now();
  let over = false;
  const reading = readOn(baseUrl, () => over);
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
      `  memory of the service at most ${(held / MB).toFixed(0)} MiB, of its helpers ${(children / MB).toFixed(0)} MiB`,
      `  its event loop was busy for ${Number(readFileSync(beat, "utf8")).toFixed(0)} ms on end at most, and, waiting for processor and disk too, stood still for ${((await standstill(baseUrl)) * 1000).toFixed(0)} ms`,
      `  the slowest of ${(await reading).count} reads meanwhile took ${(await reading).slowest.toFixed(0)} ms`,
      ...refused.slice(0, 3),
    ].join("\n"),
  );
  await breakOff(baseUrl, options.headers ?? {}, dataDir);
  await service[Symbol.asyncDispose]();
  await s3?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
}

/** The longest that the event loop stood still since this was asked last, in seconds. */
async function standstill(baseUrl: string): Promise<number> {
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(metrics)?.[1]);
}

async function breakOff(baseUrl: string, headers: Record<string, string>, dataDir: string): Promise<void> {
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
  for (const ends = Date.now() + 60_000; (await left()) > 0 && Date.now() < ends; );
  console.log(`  ${uploads} uploads that were broken off left ${await left()} folders`);
}

/** A video of noise, which no encoder makes small, of the largest size that is taken; made once on a machine. */
async function largeVideo(): Promise<string> {
  const place = join(tmpdir(), "tandem-large-video.mp4");
  if (existsSync(place)) return place;
  const unfinished = join(tmpdir(), "tandem-large-video.unfinished.mp4");
  const noise = "color=gray:size=1280x720:rate=25:duration=60,noise=alls=100:allf=t";
  // The encoder ends some megabytes after it was to.
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
