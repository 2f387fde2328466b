import type { VideoFacts } from "./remux.ts";
import type { SourceType } from "./source-type.ts";
import { apart } from "./worker-pool.ts";

export type { VideoFacts } from "./remux.ts";

/**
 * What the video's index says, once it is within the limits: nothing is decoded, and little of the file is read.
 * Throws `InvalidMedia` for a file that isn't a video, can't be read, or is in a form that no browser plays.
 */
export function inspectVideo(path: string): Promise<VideoFacts> {
  return apart("inspectVideo", { path });
}

/**
 * Writes the video anew, as an MP4 that plays while it loads. Its pictures and its sound are as they were, and turned
 * as before; places, devices, further tracks and whatever else lay in the file aren't there any more. Content
 * credentials aren't either: they hold for bytes that have changed. `mark` says in XMP how the video was made.
 */
export function quickStart(path: string, outPath: string, mark: SourceType | null = null): Promise<void> {
  return apart("quickStart", { path, outPath, mark }, REWRITING);
}

/** Seconds: it reads and writes up to 95 MB. */
const REWRITING = 120;

/**
 * Draws the picture at one second, or of a shorter video the first, as a PNG that is yet to be prepared like any
 * other. Null where the machine has no `ffmpeg`, or where that can't decode the video.
 */
export function drawPoster(path: string, outPath: string): Promise<string | null> {
  return apart("drawPoster", { path, outPath }, DRAWING);
}

/** Seconds: longer than `ffmpeg` is let work, so that none is left over. */
const DRAWING = 60;
