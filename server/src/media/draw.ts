/** Decodes and converts pictures, in a worker process; see `pictures.ts`. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { limits } from "@tandem/contract/limits";
import sharp, { type Metadata, type ResizeOptions, type Sharp } from "sharp";
import { isPublishable } from "./credentials.ts";
import { decodeHeic } from "./heic.ts";
import { webpChunksOf } from "./image-chunks.ts";
import { InvalidMedia, wrapDecodeErrors } from "./invalid-media.ts";
import { kindOf, type PictureKind, type RemoteKind } from "./kind.ts";
import { containsMarkup } from "./markup.ts";
import { type SourceType, strongest, xmpOf } from "./source-type.ts";
import { sourceTypeOfPicture } from "./stated-source.ts";
import { thumbHashOf } from "./thumb-hash.ts";

export interface PictureFacts {
  type: PictureKind;
  /** In pixels, after applying the orientation. */
  width: number;
  height: number;
  /** Its own AI mark. */
  mark: SourceType | null;
}

export interface PictureFile {
  variant: "full" | "feed" | "large" | "small" | "original" | "remote";
  path: string;
  type: PictureKind;
  width: number;
  height: number;
  bytes: number;
}

export interface PreparedPicture {
  width: number;
  height: number;
  /** Base64. */
  thumbHash: string;
  /** The AI mark in its files: the requested one or the picture's own. */
  mark: SourceType | null;
  files: PictureFile[];
}

export interface Preparation {
  path: string;
  outDir: string;
  mark: SourceType | null;
}

const DAMAGED = "The image is damaged or isn't what its first bytes claim.";

/** A picture's file and header, not decoded yet. */
interface Opened<Kind extends RemoteKind = PictureKind> {
  type: Kind;
  /** In pixels, after applying the orientation. */
  width: number;
  height: number;
  bytes: Buffer;
  head: Metadata;
}

export async function inspectPicture({ path }: { path: string }): Promise<PictureFacts> {
  const picture = await open(path);
  const { type, width, height } = picture;
  return { type, width, height, mark: ownMark(picture) };
}

/** The height limits allow strips that are four times as high as wide. */
const sizes = { full: { width: 2048, height: 8192 }, feed: { width: 720, height: 2880 } };

export async function preparePicture({ path, outDir, mark: asked }: Preparation): Promise<PreparedPicture> {
  const picture = await open(path);
  const mark = strongest(asked, ownMark(picture));
  const full = await decode(picture, { ...sizes.full, fit: "inside", withoutEnlargement: true });
  const files = [await write(fromPixels(full), { outDir, variant: "full", mark })];
  if (full.info.width > sizes.feed.width || full.info.height > sizes.feed.height)
    files.push(
      await write(fromPixels(full).resize({ ...sizes.feed, fit: "inside" }), {
        outDir,
        variant: "feed",
        mark,
      }),
    );
  if (isPublishable(picture)) files.push(await copyOriginal(picture, outDir));
  const { width, height } = picture;
  return { width, height, thumbHash: await thumbHashOf(fromPixels(full)), mark, files };
}

/** Creates squares around the most salient region. */
export async function prepareAvatar({ path, outDir, mark: asked }: Preparation): Promise<PreparedPicture> {
  const picture = await open(path);
  const mark = strongest(asked, ownMark(picture));
  const side = Math.min(512, picture.width, picture.height);
  const large = await decode(picture, { width: side, height: side, position: sharp.strategy.attention });
  const small = fromPixels(large).resize(Math.min(128, side));
  const files = [
    await write(fromPixels(large), { outDir, variant: "large", mark }),
    await write(small, { outDir, variant: "small", mark }),
  ];
  return { width: side, height: side, thumbHash: await thumbHashOf(fromPixels(large)), mark, files };
}

/** Creates a strip around the most salient region, three times as wide as high. */
export async function prepareBanner({ path, outDir, mark: asked }: Preparation): Promise<PreparedPicture> {
  const picture = await open(path);
  const mark = strongest(asked, ownMark(picture));
  const height = Math.max(1, Math.min(500, picture.height, Math.floor(picture.width / 3)));
  const large = await decode(picture, { width: height * 3, height, position: sharp.strategy.attention });
  const files = [await write(fromPixels(large), { outDir, variant: "large", mark })];
  return { width: height * 3, height, thumbHash: await thumbHashOf(fromPixels(large)), mark, files };
}

/** The mark that the upload came with. It is preserved, whatever the uploader declares. */
export function ownMark({ type, bytes, head }: Opened<RemoteKind>): SourceType | null {
  return sourceTypeOfPicture(type, bytes, head.xmpAsString);
}

async function open(path: string): Promise<Opened> {
  const type = await kindOf(path);
  if (!type || !(type in formats)) throw new InvalidMedia("The file isn't a JPEG, PNG, WebP or HEIC image.");
  return openBytes(type as PictureKind, await readFile(path));
}

const formats: Record<RemoteKind, string> = {
  jpeg: "jpeg",
  png: "png",
  webp: "webp",
  heic: "heif",
  gif: "gif",
  avif: "heif",
};

const compressions: Partial<Record<RemoteKind, string>> = { heic: "hevc", avif: "av1" };

/** Reads the header and checks that decoding won't cost too much. */
export async function openBytes<Kind extends RemoteKind>(kind: Kind, bytes: Buffer): Promise<Opened<Kind>> {
  if (kind === "webp" && framesOf(bytes) > MAX_FRAMES)
    throw new InvalidMedia(`The animation has more than ${MAX_FRAMES} frames.`);
  const head = await headerOf(bytes);
  if (head.format !== formats[kind] || head.compression !== compressions[kind])
    throw new InvalidMedia(DAMAGED);
  const { width, height } = head.autoOrient;
  if (Math.max(width, height) > limits.pictureSide)
    throw new InvalidMedia(
      `The image's longer side is ${Math.max(width, height)} pixels; the limit is ${limits.pictureSide}.`,
    );
  if (width * height > limits.picturePixels)
    throw new InvalidMedia(`The image has ${width * height} pixels; the limit is ${limits.picturePixels}.`);
  const decoded = width * height * head.channels * (DEEP.has(head.depth) ? 2 : 1);
  if (decoded > limits.pictureDecodedBytes)
    throw new InvalidMedia(
      `The decoded image has ${decoded} bytes; the limit is ${limits.pictureDecodedBytes}. Save it with 8 bits per channel.`,
    );
  if (containsMarkup(bytes))
    throw new InvalidMedia("The image file contains markup, so it could be misread as a web page.");
  return { type: kind, width, height, bytes, head };
}

/** Depths of 16 bits and more: such a picture takes twice the memory, and several times the time. */
const DEEP: ReadonlySet<string> = new Set(["ushort", "short", "uint", "int", "float", "double"]);

/** libwebp's time is quadratic in the frames: 100,000 take half a minute. */
const MAX_FRAMES = 2000;

function framesOf(webp: Buffer): number {
  return webpChunksOf(webp).parts.filter(({ type }) => type === "ANMF").length;
}

/** Reads the header. A HEIC can contain several pictures; this returns the primary one's. */
async function headerOf(bytes: Buffer): Promise<Metadata> {
  return wrapDecodeErrors(DAMAGED, async () => {
    const head = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (!head.pagePrimary) return head;
    return sharp(bytes, { limitInputPixels: false, page: head.pagePrimary }).metadata();
  });
}

interface Pixels {
  data: Buffer;
  info: { width: number; height: number; channels: 1 | 2 | 3 | 4 };
}

/** Decodes the picture (an animation's first frame) upright, in sRGB and no larger than needed. */
export async function decode(picture: Opened<RemoteKind>, size: ResizeOptions): Promise<Pixels> {
  const { bytes, type, head } = picture;
  return wrapDecodeErrors(DAMAGED, async () => {
    const input = type === "heic" ? await decodeHeic(bytes, head.icc, size) : upright(bytes);
    return input.resize(size).toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  });
}

function upright(bytes: Buffer): Sharp {
  return sharp(bytes, { failOn: "error", limitInputPixels: limits.picturePixels }).autoOrient();
}

export function fromPixels({ data, info: { width, height, channels } }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

interface Output {
  outDir: string;
  variant: PictureFile["variant"];
  mark: SourceType | null;
}

/** Writes a file that takes nothing but pixels from the upload. */
export async function write(picture: Sharp, { outDir, variant, mark }: Output): Promise<PictureFile> {
  const marked = mark ? picture.withXmp(xmpOf(mark)) : picture;
  const { data, info } = await marked.webp({ quality: 80 }).toBuffer({ resolveWithObject: true });
  const path = join(outDir, `${variant}.webp`);
  await writeFile(path, data);
  return { variant, path, type: "webp", width: info.width, height: info.height, bytes: data.length };
}

async function copyOriginal({ bytes, type, width, height }: Opened, outDir: string): Promise<PictureFile> {
  const path = join(outDir, `original.${type}`);
  await writeFile(path, bytes);
  return { variant: "original", path, type, width, height, bytes: bytes.length };
}
