import { type ChildProcess, spawn } from "node:child_process";
import { rm, stat } from "node:fs/promises";
import { resolve } from "node:path";

/** Extracts a poster frame, in a worker process; see `video.ts`. */
export async function drawPoster({
  path,
  outPath,
}: {
  path: string;
  outPath: string;
}): Promise<string | null> {
  for (const second of ["1", "0"]) {
    if ((await ffmpeg(commandFor(path, outPath, second))) && (await hasContent(outPath))) return outPath;
  }
  await rm(outPath, { force: true });
  return null;
}

/** ffmpeg's limit of CPU time, which it enforces itself, and of wall-clock time. */
const SECONDS = 20;

/** Restricts ffmpeg to this one file as MP4 or MOV: no playlists, no network, no files that the video references. */
function commandFor(path: string, outPath: string, second: string): string[] {
  return [
    ...[
      "-timelimit",
      String(SECONDS),
      "-nostdin",
      "-loglevel",
      "quiet",
      "-y",
      "-threads",
      "1",
      "-max_alloc",
      String(2 ** 29),
    ],
    ...["-protocol_whitelist", "file", "-f", "mov", "-ss", second, "-i", `file:${resolve(path)}`],
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
