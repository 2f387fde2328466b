import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { adaptSample } from "./adapt-sample.ts";
import { freePort } from "./ports.ts";
import { programOf } from "./programs.ts";
import { type RunningProgram, startProgram } from "./start-program.ts";
import { temporaryDirectory } from "./storage.ts";
import { HOOK_SECRET } from "./streaming.ts";

const file = fileURLToPath(new URL("../../docs/deploy/nginx-rtmp.conf", import.meta.url));

/** Ports for a streaming server, and the matching settings of the service. */
export interface StreamingPorts {
  rtmp: number;
  http: number;
  env: Record<string, string>;
}

export async function reserveStreamingPorts(): Promise<StreamingPorts> {
  const [rtmp, http] = [await freePort(), await freePort()];
  const env = {
    LIVE_INGEST_URL: `rtmp://127.0.0.1:${rtmp}/live`,
    LIVE_URL: `http://127.0.0.1:${http}/live`,
    LIVE_HOOK_SECRET: HOOK_SECRET,
  };
  return { rtmp, http, env };
}

/** Starts nginx with docs/deploy/nginx-rtmp.conf, with other ports and shorter timeouts. */
export async function startNginxRtmp(place: StreamingPorts, tandem: string): Promise<RunningProgram> {
  const directory = await temporaryDirectory();
  const hls = join(directory.path, "hls");
  await mkdir(hls);
  const config = adaptSample(file, await readFile(file, "utf8"), [
    [/^pid \S+;$/gm, `pid ${directory.path}/pid;`, 1],
    [/\blisten 1935;/g, `listen 127.0.0.1:${place.rtmp};`, 1],
    [/\blisten 127\.0\.0\.1:8080;/g, `listen 127.0.0.1:${place.http};`, 1],
    [/\bnotify_update_timeout 10s;/g, "notify_update_timeout 1s;", 1],
    // Long enough for a sender that waits for a busy processor.
    [/\bdrop_idle_publisher 15s;/g, "drop_idle_publisher 6s;", 1],
    [/\bhttp:\/\/127\.0\.0\.1:3000\b/g, tandem, 3],
    [/\b127\.0\.0\.1:8081\b/g, `127.0.0.1:${await freePort()}`, 2],
    [/\bSECRET;/g, `${HOOK_SECRET};`, 3],
    [/\/var\/lib\/tandem-live\b/g, hls, 2],
  ]);
  const path = join(directory.path, "nginx.conf");
  await writeFile(path, config);
  // A single process, so that nothing survives it.
  const args = ["-p", directory.path, "-e", "stderr", "-c", path, "-g", "daemon off; master_process off;"];
  const server = await startProgram("nginx", args, place.rtmp);
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server.kill();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** A running broadcast. */
export interface Broadcast extends AsyncDisposable {
  /** Resolves with the sender's exit code; null if a signal ended it. */
  ended: Promise<number | null>;
  send(signal: NodeJS.Signals): void;
}

/** Broadcasts a test pattern with a tone until it is stopped or disconnected. */
export async function broadcast(url: string, streamKey: string): Promise<Broadcast> {
  const picture = ["-re", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=10"];
  const tone = ["-re", "-f", "lavfi", "-i", "sine"];
  const coding = ["-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "10"];
  const args = [...picture, ...tone, ...coding, "-pix_fmt", "yuv420p", "-c:a", "aac", "-f", "flv"];
  const sender = spawn(await programOf("ffmpeg"), ["-v", "quiet", ...args, `${url}/${streamKey}`], {
    stdio: "ignore",
  });
  const ended = once(sender, "exit").then(([code]) => code as number | null);
  return {
    ended,
    send: (signal) => void sender.kill(signal),
    async [Symbol.asyncDispose]() {
      sender.kill("SIGKILL");
      await ended;
    },
  };
}
