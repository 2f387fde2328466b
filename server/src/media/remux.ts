/** Inspects and rewrites videos without decoding them, in a worker process; see `video.ts`. */
import { appendFile, type FileHandle, open, stat } from "node:fs/promises";
import { limits } from "@tandem/contract/limits";
import * as bunny from "mediabunny";
import { InvalidMedia, wrapDecodeErrors } from "./invalid-media.ts";
import { kindOf, type VideoKind } from "./kind.ts";
import { framingOf, withoutUserData, withoutUserDataInConfig } from "./sei.ts";
import { type SourceType, strongest, xmpOf } from "./source-type.ts";
import { sourceTypeOfVideo, XMP_TYPE } from "./stated-source.ts";
import { checkCounts, countTables, maxPackets } from "./tables.ts";

export interface VideoFacts {
  type: VideoKind;
  /** In seconds. */
  duration: number;
  /** In pixels, after applying the rotation. */
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

// The uploader gets an error instead of its warnings.
bunny.Logging.level = bunny.LogLevel.Silent;

const DAMAGED = "The video is damaged or isn't what its first bytes claim.";
const CUT_OFF = "The video is truncated: its end is missing.";

export async function inspectVideo({ path }: { path: string }): Promise<VideoFacts> {
  return withVideo(path, async ({ type, picture, sound }) => {
    const [width, height] = [await picture.track.getDisplayWidth(), await picture.track.getDisplayHeight()];
    if (!(Math.min(width, height) >= 1 && Math.max(width, height) <= limits.videoSide))
      throw new InvalidMedia(
        `The video is ${width} × ${height} pixels; each side can have up to ${limits.videoSide}.`,
      );
    const duration = await picture.track.computeDuration();
    if (!(duration > 0 && duration <= limits.videoSeconds))
      throw new InvalidMedia(
        `The video is ${Math.round(duration)} seconds long; the limit is ${limits.videoSeconds}.`,
      );
    return { type, duration, width, height, codec: picture.codec, hasAudio: sound !== null };
  });
}

/**
 * Copies the encoded video and audio unchanged into an MP4 with its index first. Everything else is dropped, but an AI mark
 * stays. Returns the mark in the new file: the requested one or the video's own.
 */
export async function quickStart({ path, outPath, mark: asked }: QuickStart): Promise<SourceType | null> {
  const mark = strongest(asked, await sourceTypeOfVideo(path));
  await withVideo(path, async (video) => {
    const file = await open(outPath, "w");
    try {
      await copy(video, file);
    } finally {
      await file.close();
    }
  });
  if (mark) await appendFile(outPath, xmpBox(mark));
  return mark;
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
    const copies = [await copyPictures(output, picture), ...(sound ? [await copySound(output, sound)] : [])];
    await output.start();
    await interleave(copies);
    await output.finalize();
  } finally {
    if (output.state !== "finalized") await output.cancel();
  }
}

/** Bytes per write, and about the memory that the output takes. */
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

/** Codecs that at least some browsers play. */
const pictureCodecs: bunny.VideoCodec[] = ["avc", "hevc", "vp9", "av1"];
const soundCodecs: bunny.AudioCodec[] = ["aac", "mp3", "opus", "flac", "ac3", "eac3"];

async function withVideo<Result>(path: string, use: (video: Video) => Promise<Result>): Promise<Result> {
  const type = await kindOf(path);
  if (type !== "mp4" && type !== "mov") throw new InvalidMedia("The file isn't an MP4 or MOV video.");
  const { size } = await stat(path);
  const counts = await countTables(path);
  const input = new bunny.Input({
    formats: [bunny.MP4, bunny.QTFF],
    source: new bunny.FilePathSource(path, { maxCacheSize: CHUNK, handleUnhandledError: () => {} }),
  });
  return wrapDecodeErrors(DAMAGED, async () => {
    try {
      const [picture, sound] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
      if (!picture) throw new InvalidMedia("The file has no video track.");
      const [pictureCodec, soundCodec] = [
        requireCodec(picture, pictureCodecs),
        sound && requireCodec(sound, soundCodecs),
      ];
      checkCounts(counts);
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

function requireCodec<Codec>(track: bunny.InputTrack, codecs: Codec[]): Codec {
  const codec = codecs.find((candidate) => candidate === track.codec);
  if (!codec)
    throw new InvalidMedia(
      `Browsers don't support the video's ${track.isAudioTrack() ? "audio" : "video"} codec (${codecName(track)}).`,
    );
  return codec;
}

function codecName(track: bunny.InputTrack): string {
  return String(track.codec ?? track.internalCodecId)
    .replace(/[^\w .-]/g, "?")
    .slice(0, 16);
}

/**
 * Counts the packets in the track's index and checks that the last one is present. Throws if they add up to more than
 * the file, because an index can reference the same bytes many times.
 */
async function countPackets(track: bunny.InputTrack, size: number): Promise<number> {
  const sink = new bunny.EncodedPacketSink(track);
  let [packets, bytes, last] = [0, 0, null as bunny.EncodedPacket | null];
  for await (const packet of sink.packets(undefined, undefined, { metadataOnly: true })) {
    packets += 1;
    bytes += packet.byteLength;
    last = packet;
    if (bytes > size || packets > maxPackets) throw new InvalidMedia(CUT_OFF);
  }
  if (last && !(await sink.getPacket(last.timestamp))) throw new InvalidMedia(CUT_OFF);
  return packets;
}

/** Copies one track's packets. */
interface TrackCopy {
  from: AsyncGenerator<bunny.EncodedPacket, void>;
  left: number;
  add: (packet: bunny.EncodedPacket) => Promise<void>;
  close: () => void;
}

async function copyPictures(
  output: bunny.Output,
  { track, codec, packets }: Video["picture"],
): Promise<TrackCopy> {
  const config = await track.getDecoderConfig();
  if (!config) throw new InvalidMedia(DAMAGED);
  const { decoderConfig, strip } = stripUserData(codec, config);
  const source = new bunny.EncodedVideoPacketSource(codec);
  const [rotation, flip] = [await track.getRotation(), await track.getFlip()];
  output.addVideoTrack(source, { rotation, flip, maximumPacketCount: packets });
  return {
    from: new bunny.EncodedPacketSink(track).packets(),
    left: packets,
    add: (packet) => source.add(strip(packet), { decoderConfig }),
    close: () => source.close(),
  };
}

/** Removes user data between the frames, where cameras record place and device. */
function stripUserData(codec: bunny.VideoCodec, decoderConfig: VideoDecoderConfig) {
  if (codec !== "avc" && codec !== "hevc")
    return { decoderConfig, strip: (packet: bunny.EncodedPacket) => packet };
  const configuration = decoderConfig.description ? bytesOf(decoderConfig.description) : null;
  const framing = framingOf(codec, configuration);
  return {
    decoderConfig: configuration
      ? { ...decoderConfig, description: withoutUserDataInConfig(codec, configuration) }
      : decoderConfig,
    strip(packet: bunny.EncodedPacket) {
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

async function copySound(
  output: bunny.Output,
  { track, codec, packets }: NonNullable<Video["sound"]>,
): Promise<TrackCopy> {
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

/** Writes packets in order of time, so that a player finds video and audio next to each other. */
async function interleave(copies: TrackCopy[]): Promise<void> {
  const due = [];
  for (const copy of copies) due.push({ copy, packet: await next(copy) });
  for (;;) {
    const [first] = due.filter(({ packet }) => packet).sort((a, b) => timeOf(a.packet) - timeOf(b.packet));
    if (!first?.packet) return;
    await first.copy.add(first.packet);
    first.packet = await next(first.copy);
  }
}

function timeOf(packet: bunny.EncodedPacket | null): number {
  return packet?.timestamp ?? Number.POSITIVE_INFINITY;
}

/** The next packet. Throws if there are fewer than the index says, because the file is truncated. */
async function next(copy: TrackCopy): Promise<bunny.EncodedPacket | null> {
  const { value } = await copy.from.next();
  if (!value && copy.left > 0) throw new InvalidMedia(CUT_OFF);
  copy.left -= 1;
  if (!value) copy.close();
  return value ?? null;
}

/** It can be at the end of the file. */
function xmpBox(mark: SourceType): Buffer {
  const xmp = Buffer.from(xmpOf(mark));
  const type = Buffer.from(XMP_TYPE, "hex");
  const head = Buffer.from("\0\0\0\0uuid");
  head.writeUInt32BE(head.length + type.length + xmp.length);
  return Buffer.concat([head, type, xmp]);
}
