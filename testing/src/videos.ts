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
  /** As it is stored: a turned one is seen with its sides exchanged. */
  width?: number;
  height?: number;
  /** Degrees, clockwise, that a player turns it before it shows it. */
  rotation?: 0 | 90 | 180 | 270;
  codec?: "h264" | "hevc" | "vp9" | "mpeg4" | "prores" | null;
  sound?: "aac" | "mp3" | "pcm" | null;
  /** The index before the pictures, as a browser likes it. */
  quickStart?: boolean;
  /** In pieces, as cameras write that may lose their power. */
  fragmented?: boolean;
  /** Whether it says where, and with what, it was taken, at each place that phones use. */
  withLocation?: boolean;
  /** Words in a track of their own, as cameras keep the path they were carried along. */
  words?: string;
  /** Bits a second of the pictures. */
  rate?: string;
}

const encoders = {
  h264: ["libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-bf", "2"],
  // What it says of itself is in the track's configuration, and between the pictures once more.
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

/** A short video with moving pictures, as bytes, made by Debian's `ffmpeg`. */
export async function makeVideo(wanted: Video = {}): Promise<Buffer> {
  const { type = "mp4", rotation: turned = 0 } = wanted;
  return inFolder(async (folder) => {
    const [made, told] = [join(folder, `made.${type}`), join(folder, `told.${type}`)];
    const spoken = join(folder, "words.srt");
    if (wanted.words) await writeFile(spoken, `1\n00:00:00,000 --> 00:00:01,000\n${wanted.words}\n`);
    const words = wanted.words ? ["-i", spoken, "-c:s", "mov_text"] : [];
    await ffmpeg([...sources(wanted), ...words, ...coding(wanted), "-movflags", flags(wanted), made]);
    // How a picture is to be turned is written when it is copied: an encoder would turn it.
    // This word of ffmpeg 5 counts against the clock.
    if (turned === 0 && !wanted.withLocation) return readFile(made);
    const turn = ["-metadata:s:v:0", `rotate=${(360 - turned) % 360}`];
    const all = ["-i", made, "-map", "0", "-c", "copy"];
    await ffmpeg([...all, ...turn, ...whereabouts(wanted), "-movflags", flags(wanted), told]);
    return readFile(told);
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

/** What a camera says between the pictures, behind a name of whose data it is. */
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

/**
 * The pictures that Debian's `ffmpeg` decodes and the coded sounds that it finds, each with its track, its time in
 * milliseconds and a hash.
 */
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

/** The boxes at the top of an MP4 or MOV, in their order. */
export function boxesOf(video: Buffer): string[] {
  const found = [];
  for (let at = 0; at + 8 <= video.length; ) {
    const size = video.readUInt32BE(at);
    found.push(video.toString("latin1", at + 4, at + 8));
    at += size === 1 ? Number(video.readBigUInt64BE(at + 8)) : size || video.length;
  }
  return found;
}
