import { type ChildProcess, spawn } from "node:child_process";
import { open, readFile, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { decode, fromPixels, openBytes, write } from "./draw.ts";
import type { SourceType } from "./source-type.ts";

/** Extracts a poster frame, in a worker process; see `video.ts`. */
export async function drawPoster({
  path,
  outPath,
}: {
  path: string;
  outPath: string;
}): Promise<string | null> {
  for (const second of ["1", "0"]) {
    const args = commandFor("mov", { path, outPath, second, limit: SECONDS });
    if ((await ffmpeg(args)) && (await hasContent(outPath))) return outPath;
  }
  await rm(outPath, { force: true });
  return null;
}

/** Pixels; twice what a card shows, for dense screens. */
const STILL = { width: 720, height: 720, fit: "inside", withoutEnlargement: true } as const;

/** Draws the first frame of a segment of a live stream as WebP, in a worker process; see `video.ts`. */
export async function drawStill({
  path,
  outDir,
  mark,
}: {
  path: string;
  outDir: string;
  mark: SourceType | null;
}): Promise<string | null> {
  const frame = join(outDir, "frame.png");
  const format = (await firstByte(path)) === SYNC_BYTE ? "mpegts" : "mov";
  const args = commandFor(format, { path, outPath: frame, second: "0", limit: STILL_SECONDS });
  if (!((await ffmpeg(args)) && (await hasContent(frame)))) return null;
  const picture = await openBytes("png", await readFile(frame));
  const pixels = fromPixels(await decode(picture, STILL));
  return (await write(pixels, { outDir, variant: "remote", mark })).path;
}

/** With which every packet of MPEG-TS begins. */
const SYNC_BYTE = 0x47;

async function firstByte(path: string): Promise<number | undefined> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1));
  return bytesRead === 1 ? buffer[0] : undefined;
}

/** Seconds of CPU time for a stream's picture, which every other picture waits for. */
const STILL_SECONDS = 5;

/** ffmpeg's limit of CPU time, which it enforces itself, and of wall-clock time. */
const SECONDS = 20;

/** Restricts ffmpeg to this one file in one format: no playlists, no network, no files that the video references. */
function commandFor(
  format: "mov" | "mpegts",
  { path, outPath, second, limit }: { path: string; outPath: string; second: string; limit: number },
): string[] {
  return [
    ...[
      "-timelimit",
      String(limit),
      "-nostdin",
      "-loglevel",
      "quiet",
      "-y",
      "-threads",
      "1",
      "-max_alloc",
      String(2 ** 29),
    ],
    ...["-protocol_whitelist", "file", "-f", format, "-ss", second, "-i", `file:${resolve(path)}`],
    ...["-map", "0:v:0", "-frames:v", "1", "-an", "-sn", "-dn", "-map_metadata", "-1"],
    ...[
      "-vf",
      "scale='min(2048,iw)':-2",
      "-threads",
      "1",
      "-c:v",
      "png",
      "-f",
      "image2",
      `file:${resolve(outPath)}`,
    ],
  ];
}

/** Runs ffmpeg. False if it fails, times out or isn't installed. */
function ffmpeg(args: string[]): Promise<boolean> {
  return new Promise((settle) => {
    const { PATH } = process.env;
    const program: ChildProcess = spawn("ffmpeg", args, {
      stdio: "ignore",
      env: PATH ? { PATH } : {},
      timeout: SECONDS * 1000,
      killSignal: "SIGKILL",
    });
    program.once("error", () => settle(false)).once("exit", (code) => settle(code === 0));
  });
}

async function hasContent(path: string): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );
}
