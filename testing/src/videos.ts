import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inFolder } from "./pictures.ts";
import { programOf } from "./programs.ts";

const execute = promisify(execFile);

export interface Video {
  type?: "mp4" | "mov";
  seconds?: number;
  /** As stored; rotation by 90 or 270 degrees swaps them on display. */
  width?: number;
  height?: number;
  /** Degrees, clockwise, that a player rotates it. */
  rotation?: 0 | 90 | 180 | 270;
  codec?: "h264" | "hevc" | "vp9" | "mpeg4" | "prores" | null;
  sound?: "aac" | "mp3" | "pcm" | null;
  /** Whether the index comes before the frames, so that it plays while loading. */
  quickStart?: boolean;
  /** Fragmented, as written by cameras that may lose power. */
  fragmented?: boolean;
  /** Whether it contains place and device, in every way that phones store them. */
  withLocation?: boolean;
  /** Text for a subtitle track, like those in which cameras store their path. */
  words?: string;
  /** Video bit rate. */
  rate?: string;
}

const encoders = {
  h264: ["libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-bf", "2"],
  // Headers are in the track's configuration and repeated between frames.
  hevc: [
    "libx265",
    "-preset",
    "ultrafast",
    "-x265-params",
    "log-level=none:repeat-headers=1",
    "-tag:v",
    "hvc1",
  ],
  vp9: ["libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"],
  mpeg4: ["mpeg4"],
  prores: ["prores_ks"],
  aac: ["aac"],
  mp3: ["libmp3lame"],
  pcm: ["pcm_s16le"],
};

const made = new Map<string, Promise<Buffer>>();

/** A short video of a moving test pattern, as bytes, made by `ffmpeg` once. */
export async function makeVideo(wanted: Video = {}): Promise<Buffer> {
  const key = JSON.stringify(wanted);
  const video = made.get(key) ?? encode(wanted);
  made.set(key, video);
  // After a failure, the next test tries again.
  video.catch(() => made.delete(key));
  return Buffer.from(await video);
}

async function encode(wanted: Video): Promise<Buffer> {
  const { type = "mp4", rotation: turned = 0 } = wanted;
  return inFolder(async (folder) => {
    const [plain, tagged] = [join(folder, `plain.${type}`), join(folder, `tagged.${type}`)];
    const subtitles = join(folder, "words.srt");
    if (wanted.words) await writeFile(subtitles, `1\n00:00:00,000 --> 00:00:01,000\n${wanted.words}\n`);
    const words = wanted.words ? ["-i", subtitles, "-c:s", "mov_text"] : [];
    await ffmpeg([...sources(wanted), ...words, ...coding(wanted), "-movflags", flags(wanted), plain]);
    // Rotation is added while copying: an encoder would rotate the frames. ffmpeg 5 takes it counterclockwise.
    if (turned === 0 && !wanted.withLocation) return readFile(plain);
    const turn = ["-metadata:s:v:0", `rotate=${(360 - turned) % 360}`];
    const all = ["-i", plain, "-map", "0", "-c", "copy"];
    await ffmpeg([...all, ...turn, ...whereabouts(wanted), "-movflags", flags(wanted), tagged]);
    return readFile(tagged);
  });
}

function sources({ seconds = 1, width = 128, height = 96, codec = "h264", sound = "aac" }: Video): string[] {
  const pictures = ["-f", "lavfi", "-i", `testsrc2=size=${width}x${height}:rate=25:duration=${seconds}`];
  const tone = ["-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds}`];
  return [...(codec ? pictures : []), ...(sound ? tone : [])];
}

function coding({ codec = "h264", sound = "aac", rate }: Video): string[] {
  return [
    ...(codec ? ["-c:v", ...encoders[codec], ...(rate ? ["-b:v", rate] : [])] : []),
    ...(sound ? ["-c:a", ...encoders[sound]] : []),
  ];
}

function flags({ quickStart, fragmented, withLocation: located }: Video): string {
  return [
    "disable_chpl",
    ...(quickStart ? ["faststart"] : []),
    ...(fragmented ? ["frag_keyframe", "empty_moov"] : []),
    ...(located ? ["use_metadata_tags"] : []),
  ].join("+");
}

const PLACE = "+52.5200+013.4100+034/";

/** Camera data between frames: a UUID that identifies the format, then text. */
const SAID = "086f3693b7b34f2c965321492feee5b8+Acme Camera 7 at 52.5200N";

function whereabouts({ withLocation: located, type = "mp4", codec = "h264" }: Video): string[] {
  if (!located) return [];
  const apple = type === "mov" ? ["-metadata", `com.apple.quicktime.location.ISO6709=${PLACE}`] : [];
  const between = codec === "h264" ? ["-bsf:v", `h264_metadata=sei_user_data=${SAID}`] : [];
  const words = ["-metadata", `location=${PLACE}`, "-metadata", "com.apple.quicktime.model=Acme Phone 9"];
  return [...apple, ...words, ...between];
}

async function ffmpeg(args: string[]): Promise<void> {
  await execute(await programOf("ffmpeg"), ["-nostdin", "-loglevel", "error", "-y", ...args]);
}

/** The decoded frames and encoded audio packets of a file, each with its track, time in milliseconds and hash. */
export async function framesOf(path: string): Promise<string[]> {
  const tell = "-map 0:v -map 0:a? -c:a copy -vsync passthrough -f framemd5 -".split(" ");
  const { stdout } = await execute(await programOf("ffmpeg"), ["-loglevel", "error", "-i", path, ...tell]);
  const bases = [...stdout.matchAll(/^#tb \d+: (\d+)\/(\d+)$/gm)].map(
    ([, over, under]) => Number(over) / Number(under),
  );
  const lines = stdout.split("\n").filter((line) => /^\d/.test(line));
  return lines.map((line) => {
    const [track, , time, , size, hash] = line.split(",").map((word) => word.trim());
    return `${track} at ${Math.round(Number(time) * Number(bases[Number(track)]) * 1000)}: ${size} ${hash}`;
  });
}

/** The top-level boxes of an MP4 or MOV, in order. */
export function boxesOf(video: Buffer): string[] {
  const found = [];
  for (let at = 0; at + 8 <= video.length; ) {
    const size = video.readUInt32BE(at);
    found.push(video.toString("latin1", at + 4, at + 8));
    at += size === 1 ? Number(video.readBigUInt64BE(at + 8)) : size || video.length;
  }
  return found;
}
