/** What is done with pictures in a process of its own; `pictures.ts` says what for. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { limits } from "@tandem/contract/limits";
import sharp, { type Metadata, type ResizeOptions, type Sharp } from "sharp";
import { isKeepable } from "./credentials.ts";
import { decodeHeic } from "./heic.ts";
import { webpChunksOf } from "./image-chunks.ts";
import { InvalidMedia, wrapDecodeErrors } from "./invalid-media.ts";
import { kindOf, type PictureKind } from "./kind.ts";
import { holdsMarkup } from "./markup.ts";
import { type SourceType, sourceTypeIn, strongest, xmpOf } from "./source-type.ts";
import { thumbHashOf } from "./thumb-hash.ts";

export interface PictureFacts {
  type: PictureKind;
  /** As it is seen, upright. */
  width: number;
  height: number;
}

export interface PictureFile {
  variant: "full" | "feed" | "large" | "small" | "original";
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
  /** What its files say of how it was made: what was asked for, or what the picture said itself. */
  mark: SourceType | null;
  files: PictureFile[];
}

export interface Preparation {
  path: string;
  outDir: string;
  mark: SourceType | null;
}

// One task at a time, in a few of these processes: more threads or a cache would only cost memory.
sharp.cache(false);
sharp.concurrency(1);
// Of all that libvips could read, only this.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Heif"].map((format) => `VipsForeignLoad${format}`),
});

const DAMAGED = "The picture is damaged, or isn't what it begins as.";

/** What was read of a picture without decoding it. */
interface Opened extends PictureFacts {
  bytes: Buffer;
  head: Metadata;
}

export async function inspectPicture({ path }: { path: string }): Promise<PictureFacts> {
  const { type, width, height } = await open(path);
  return { type, width, height };
}

/** A long strip may be four times as high as it is wide, and is still read from top to bottom. */
const sizes = { full: { width: 2048, height: 8192 }, feed: { width: 720, height: 2880 } };

export async function preparePicture({ path, outDir, mark: asked }: Preparation): Promise<PreparedPicture> {
  const picture = await open(path);
  const mark = strongest(asked, sourceTypeIn(picture.head.xmpAsString));
  const full = await decode(picture, { ...sizes.full, fit: "inside", withoutEnlargement: true });
  const files = [await write(again(full), { outDir, variant: "full", mark })];
  if (full.info.width > sizes.feed.width || full.info.height > sizes.feed.height)
    files.push(
      await write(again(full).resize({ ...sizes.feed, fit: "inside" }), { outDir, variant: "feed", mark }),
    );
  if (isKeepable(picture)) files.push(await keep(picture, outDir));
  const { width, height } = picture;
  return { width, height, thumbHash: await thumbHashOf(again(full)), mark, files };
}

/** Squares around what the eye goes to. */
export async function prepareAvatar({ path, outDir, mark: asked }: Preparation): Promise<PreparedPicture> {
  const picture = await open(path);
  const mark = strongest(asked, sourceTypeIn(picture.head.xmpAsString));
  const side = Math.min(512, picture.width, picture.height);
  const large = await decode(picture, { width: side, height: side, position: sharp.strategy.attention });
  const small = again(large).resize(Math.min(128, side));
  const files = [
    await write(again(large), { outDir, variant: "large", mark }),
    await write(small, { outDir, variant: "small", mark }),
  ];
  return { width: side, height: side, thumbHash: await thumbHashOf(again(large)), mark, files };
}

const formats: Record<PictureKind, string> = { jpeg: "jpeg", png: "png", webp: "webp", heic: "heif" };

/** Reads the header, and judges by it what decoding would cost. */
async function open(path: string): Promise<Opened> {
  const type = await kindOf(path);
  if (!type || !(type in formats)) throw new InvalidMedia("It isn't a JPEG, PNG, WebP or HEIC picture.");
  const kind = type as PictureKind;
  const bytes = await readFile(path);
  if (kind === "webp" && framesOf(bytes) > MOST_FRAMES)
    throw new InvalidMedia(`The picture moves for more than ${MOST_FRAMES} frames.`);
  const head = await headerOf(bytes);
  if (head.format !== formats[kind] || (kind === "heic" && head.compression !== "hevc"))
    throw new InvalidMedia(DAMAGED);
  const { width, height } = head.autoOrient;
  if (Math.max(width, height) > limits.pictureSide)
    throw new InvalidMedia(
      `The picture's longer side has ${Math.max(width, height)} pixels; ${limits.pictureSide} are allowed.`,
    );
  if (width * height > limits.picturePixels)
    throw new InvalidMedia(`The picture has ${width * height} pixels; ${limits.picturePixels} are allowed.`);
  if (holdsMarkup(bytes)) throw new InvalidMedia("The picture is something else too: there is markup in it.");
  return { type: kind, width, height, bytes, head };
}

/** libwebp looks through all frames for each: a hundred thousand take it half a minute. */
const MOST_FRAMES = 2000;

function framesOf(webp: Buffer): number {
  return webpChunksOf(webp).parts.filter(({ type }) => type === "ANMF").length;
}

/** A HEIC may hold several pictures, and says which of them it is. */
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

/** Decodes it once, upright, in sRGB and no larger than is needed. Of moving pictures it takes the first. */
async function decode(picture: Opened, size: ResizeOptions): Promise<Pixels> {
  const { bytes, type, head } = picture;
  return wrapDecodeErrors(DAMAGED, async () => {
    const input = type === "heic" ? await decodeHeic(bytes, head.icc, size) : upright(bytes);
    return input.resize(size).toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  });
}

function upright(bytes: Buffer): Sharp {
  return sharp(bytes, { failOn: "error", limitInputPixels: limits.picturePixels }).autoOrient();
}

function again({ data, info: { width, height, channels } }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

interface Output {
  outDir: string;
  variant: PictureFile["variant"];
  mark: SourceType | null;
}

/** Nothing of the sender's file but its pixels gets into this one. */
async function write(picture: Sharp, { outDir, variant, mark }: Output): Promise<PictureFile> {
  const marked = mark ? picture.withXmp(xmpOf(mark)) : picture;
  const { data, info } = await marked.webp({ quality: 80 }).toBuffer({ resolveWithObject: true });
  const path = join(outDir, `${variant}.webp`);
  await writeFile(path, data);
  return { variant, path, type: "webp", width: info.width, height: info.height, bytes: data.length };
}

async function keep({ bytes, type, width, height }: Opened, outDir: string): Promise<PictureFile> {
  const path = join(outDir, `original.${type}`);
  await writeFile(path, bytes);
  return { variant: "original", path, type, width, height, bytes: bytes.length };
}
