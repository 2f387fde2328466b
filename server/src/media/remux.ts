/** What is done with videos in a process of its own; `video.ts` says what for. Nothing of them is decoded. */
import { appendFile, type FileHandle, open, stat } from "node:fs/promises";
import { limits } from "@tandem/contract/limits";
import * as bunny from "mediabunny";
import { InvalidMedia, wrapDecodeErrors } from "./invalid-media.ts";
import { kindOf, type VideoKind } from "./kind.ts";
import { framingOf, quietConfiguration, withoutUserData } from "./sei.ts";
import { type SourceType, xmpOf } from "./source-type.ts";
import { countTables, judgeCounts, mostPackets } from "./tables.ts";

export interface VideoFacts {
  type: VideoKind;
  /** Seconds. */
  duration: number;
  /** As it is seen: a player turns it first, if it says so. */
  width: number;
  height: number;
  codec: string;
  hasAudio: boolean;
}

export interface QuickStart {
  path: string;
  outPath: string;
  mark: SourceType | null;
}

// What it would warn of is told to the sender.
bunny.Logging.level = bunny.LogLevel.Silent;

const DAMAGED = "The video is damaged, or isn't what it begins as.";
const CUT_OFF = "The video is cut off: its end is missing.";

export async function inspectVideo({ path }: { path: string }): Promise<VideoFacts> {
  return reading(path, async ({ type, picture, sound }) => {
    const [width, height] = [await picture.track.getDisplayWidth(), await picture.track.getDisplayHeight()];
    if (!(Math.min(width, height) >= 1 && Math.max(width, height) <= limits.videoSide))
      throw new InvalidMedia(
        `The video is ${width} × ${height}; a side has up to ${limits.videoSide} pixels.`,
      );
    const duration = await picture.track.computeDuration();
    if (!(duration > 0 && duration <= limits.videoSeconds))
      throw new InvalidMedia(
        `The video lasts ${Math.round(duration)} seconds; it may be up to ${limits.videoSeconds}.`,
      );
    return { type, duration, width, height, codec: picture.codec, hasAudio: sound !== null };
  });
}

/** Writes the coded pictures and sound, as they are, into an MP4 with its index first; all else stays behind. */
export async function quickStart({ path, outPath, mark }: QuickStart): Promise<void> {
  await reading(path, async (video) => {
    const file = await open(outPath, "w");
    try {
      await copy(video, file);
    } finally {
      await file.close();
    }
  });
  if (mark) await appendFile(outPath, xmpBox(mark));
}

async function copy({ picture, sound }: Video, file: FileHandle): Promise<void> {
  const stream = new WritableStream<bunny.StreamTargetChunk>({
    write: ({ data, position }) => writeAll(file, data, position),
  });
  const output = new bunny.Output({
    format: new bunny.Mp4OutputFormat({ fastStart: "reserve" }),
    target: new bunny.StreamTarget(stream, { chunked: true, chunkSize: CHUNK }),
  });
  try {
    const lines = [await pictureLine(output, picture), ...(sound ? [await soundLine(output, sound)] : [])];
    await output.start();
    await interleave(lines);
    await output.finalize();
  } finally {
    if (output.state !== "finalized") await output.cancel();
  }
}

/** Bytes that are written at a time: so much of the new file waits in memory, and a few more that are on their way. */
const CHUNK = 2 ** 20;

async function writeAll(file: FileHandle, data: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < data.length; ) {
    const { bytesWritten } = await file.write(data, done, data.length - done, position + done);
    done += bytesWritten;
  }
}

interface Video {
  type: VideoKind;
  picture: Track<bunny.InputVideoTrack, bunny.VideoCodec>;
  sound: Track<bunny.InputAudioTrack, bunny.AudioCodec> | null;
}

interface Track<Of extends bunny.InputTrack, Codec> {
  track: Of;
  codec: Codec;
  packets: number;
}

/** What browsers play, some of them at least. */
const pictureCodecs: bunny.VideoCodec[] = ["avc", "hevc", "vp9", "av1"];
const soundCodecs: bunny.AudioCodec[] = ["aac", "mp3", "opus", "flac", "ac3", "eac3"];

async function reading<Result>(path: string, use: (video: Video) => Promise<Result>): Promise<Result> {
  const type = await kindOf(path);
  if (type !== "mp4" && type !== "mov") throw new InvalidMedia("It isn't an MP4 or MOV video.");
  const { size } = await stat(path);
  const counts = await countTables(path);
  const input = new bunny.Input({
    formats: [bunny.MP4, bunny.QTFF],
    source: new bunny.FilePathSource(path, { maxCacheSize: CHUNK, handleUnhandledError: () => {} }),
  });
  return wrapDecodeErrors(DAMAGED, async () => {
    try {
      const [picture, sound] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
      if (!picture) throw new InvalidMedia("There are no pictures in the video.");
      const [pictureCodec, soundCodec] = [known(picture, pictureCodecs), sound && known(sound, soundCodecs)];
      judgeCounts(counts);
      return await use({
        type,
        picture: { track: picture, codec: pictureCodec, packets: await countPackets(picture, size) },
        sound: sound &&
          soundCodec && { track: sound, codec: soundCodec, packets: await countPackets(sound, size) },
      });
    } finally {
      input.dispose();
    }
  });
}

function known<Codec>(track: bunny.InputTrack, codecs: Codec[]): Codec {
  const codec = codecs.find((one) => one === track.codec);
  if (!codec)
    throw new InvalidMedia(
      `Browsers don't play what the video's ${track.isAudioTrack() ? "sound is" : "pictures are"} coded in (${codecName(track)}).`,
    );
  return codec;
}

function codecName(track: bunny.InputTrack): string {
  return String(track.codec ?? track.internalCodecId)
    .replace(/[^\w .-]/g, "?")
    .slice(0, 16);
}

/**
 * Counts what the track's index tells of, and looks whether its last piece is there. An index may tell of the same
 * bytes again and again: what is more than the whole file isn't copied.
 */
async function countPackets(track: bunny.InputTrack, size: number): Promise<number> {
  const sink = new bunny.EncodedPacketSink(track);
  let [packets, bytes, last] = [0, 0, null as bunny.EncodedPacket | null];
  for await (const packet of sink.packets(undefined, undefined, { metadataOnly: true })) {
    packets += 1;
    bytes += packet.byteLength;
    last = packet;
    if (bytes > size || packets > mostPackets) throw new InvalidMedia(CUT_OFF);
  }
  if (last && !(await sink.getPacket(last.timestamp))) throw new InvalidMedia(CUT_OFF);
  return packets;
}

/** Where a track's packets come from, and where they go. */
interface Line {
  from: AsyncGenerator<bunny.EncodedPacket, void>;
  left: number;
  add: (packet: bunny.EncodedPacket) => Promise<void>;
  close: () => void;
}

async function pictureLine(output: bunny.Output, { track, codec, packets }: Video["picture"]): Promise<Line> {
  const told = await track.getDecoderConfig();
  if (!told) throw new InvalidMedia(DAMAGED);
  const { decoderConfig, quiet } = quietening(codec, told);
  const source = new bunny.EncodedVideoPacketSource(codec);
  const [rotation, flip] = [await track.getRotation(), await track.getFlip()];
  output.addVideoTrack(source, { rotation, flip, maximumPacketCount: packets });
  return {
    from: new bunny.EncodedPacketSink(track).packets(),
    left: packets,
    add: (packet) => source.add(quiet(packet), { decoderConfig }),
    close: () => source.close(),
  };
}

/** What encoders said to users between the pictures stays behind: with cameras it is the place and the device. */
function quietening(codec: bunny.VideoCodec, decoderConfig: VideoDecoderConfig) {
  if (codec !== "avc" && codec !== "hevc")
    return { decoderConfig, quiet: (packet: bunny.EncodedPacket) => packet };
  const configuration = decoderConfig.description ? bytesOf(decoderConfig.description) : null;
  const framing = framingOf(codec, configuration);
  return {
    decoderConfig: configuration
      ? { ...decoderConfig, description: quietConfiguration(codec, configuration) }
      : decoderConfig,
    quiet(packet: bunny.EncodedPacket) {
      const { type, timestamp, duration, sequenceNumber } = packet;
      const data = withoutUserData(packet.data, framing);
      if (data === packet.data) return packet;
      return new bunny.EncodedPacket(data, type, timestamp, duration, sequenceNumber);
    },
  };
}

function bytesOf(source: AllowSharedBufferSource): Buffer {
  return ArrayBuffer.isView(source)
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.from(source);
}

async function soundLine(
  output: bunny.Output,
  { track, codec, packets }: NonNullable<Video["sound"]>,
): Promise<Line> {
  const decoderConfig = await track.getDecoderConfig();
  if (!decoderConfig) throw new InvalidMedia(DAMAGED);
  const source = new bunny.EncodedAudioPacketSource(codec);
  output.addAudioTrack(source, { maximumPacketCount: packets });
  return {
    from: new bunny.EncodedPacketSink(track).packets(),
    left: packets,
    add: (packet) => source.add(packet, { decoderConfig }),
    close: () => source.close(),
  };
}

/** Whichever is due first goes first, so that a player finds picture and sound side by side. */
async function interleave(lines: Line[]): Promise<void> {
  const due = [];
  for (const line of lines) due.push({ line, packet: await next(line) });
  for (;;) {
    const [first] = due.filter(({ packet }) => packet).sort((a, b) => timeOf(a.packet) - timeOf(b.packet));
    if (!first?.packet) return;
    await first.line.add(first.packet);
    first.packet = await next(first.line);
  }
}

function timeOf(packet: bunny.EncodedPacket | null): number {
  return packet?.timestamp ?? Number.POSITIVE_INFINITY;
}

/** The index has told how many there are: fewer means that their bytes aren't in the file. */
async function next(line: Line): Promise<bunny.EncodedPacket | null> {
  const { value } = await line.from.next();
  if (!value && line.left > 0) throw new InvalidMedia(CUT_OFF);
  line.left -= 1;
  if (!value) line.close();
  return value ?? null;
}

/** Where readers of XMP look in an MP4: a box of this type, at its end as well as elsewhere. */
const XMP_TYPE = Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex");

function xmpBox(mark: SourceType): Buffer {
  const xmp = Buffer.from(xmpOf(mark));
  const head = Buffer.from("\0\0\0\0uuid");
  head.writeUInt32BE(head.length + XMP_TYPE.length + xmp.length);
  return Buffer.concat([head, XMP_TYPE, xmp]);
}
