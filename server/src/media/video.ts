import type { VideoFacts } from "./remux.ts";
import type { SourceType } from "./source-type.ts";
import { runInWorker } from "./worker-pool.ts";

export type { VideoFacts } from "./remux.ts";

/**
 * Reads the video's index and checks the limits. Decodes nothing and reads little of the file. Throws `InvalidMedia` for
 * a file that isn't a video, can't be read, or uses a codec that no browser plays.
 */
export function inspectVideo(path: string): Promise<VideoFacts> {
  return runInWorker("inspectVideo", { path });
}

/**
 * Rewrites the video as an MP4 that plays while it loads. Video, audio and rotation stay the same; location, device,
 * further tracks and all other metadata are removed, including content credentials, which are only valid for the
 * original bytes. `mark` is embedded as XMP, or the video's own AI mark if that says more. Returns the embedded mark.
 */
export function quickStart(
  path: string,
  outPath: string,
  mark: SourceType | null = null,
): Promise<SourceType | null> {
  return runInWorker("quickStart", { path, outPath, mark }, REWRITING);
}

/** Seconds; the task reads and writes up to 95 MB. */
const REWRITING = 120;

/**
 * Extracts the frame at one second, or a shorter video's first, as a PNG that still needs `preparePicture`. Null if
 * ffmpeg isn't installed or can't decode the video.
 */
export function drawPoster(path: string, outPath: string): Promise<string | null> {
  return runInWorker("drawPoster", { path, outPath }, DRAWING);
}

/**
 * Draws the first frame of a live stream's segment (MPEG-TS, or MP4 with its initialization) as WebP in `outDir`, at most 720 pixels
 * wide, with `mark` as XMP. Null if ffmpeg isn't installed or can't decode it.
 */
export function drawStill(path: string, outDir: string, mark: SourceType | null): Promise<string | null> {
  return runInWorker("drawStill", { path, outDir, mark }, DRAWING);
}

/** Seconds; longer than ffmpeg's own limit, so that no ffmpeg process is left running. */
const DRAWING = 60;
