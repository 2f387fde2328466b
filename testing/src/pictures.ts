import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { programOf } from "./programs.ts";

const execute = promisify(execFile);

/** Colors of the quadrants of the upright picture, clockwise from the top left. */
export const corners = [
  { r: 220, g: 30, b: 30 },
  { r: 30, g: 180, b: 30 },
  { r: 240, g: 240, b: 240 },
  { r: 30, g: 30, b: 220 },
] as const;

export interface Picture {
  type?: "jpeg" | "png" | "webp" | "heic";
  /** Of the upright picture. */
  width?: number;
  height?: number;
  /** EXIF orientation, 1 to 8. */
  orientation?: number;
  /** Whether its metadata contain place and device. */
  withLocation?: boolean;
  /** Adds noise, so that it is as large as a photo. */
  noisy?: boolean;
  /** Whether it has a Display P3 profile, like a phone's pictures. */
  wide?: boolean;
}

/** A picture with four colored quadrants, as bytes. HEIC needs Debian's `heif-enc`, and `exiftool` for metadata. */
export async function drawPicture(wanted: Picture = {}): Promise<Buffer> {
  const { type = "jpeg", width = 64, height = 48, orientation = 1, withLocation: located = false } = wanted;
  const base = await fourCorners(width, height, wanted.noisy ?? false);
  const upright = wanted.wide ? await sharp(base).withIccProfile("p3").png().toBuffer() : base;
  if (type === "heic") return toHeic(upright, located);
  const turned = sharp(await turnAway(upright, orientation)).keepIccProfile();
  const stored = orientation === 1 ? turned : turned.withMetadata({ orientation });
  return (located ? stored.withExifMerge(whereabouts) : stored).toFormat(type, { quality: 90 }).toBuffer();
}

const whereabouts = {
  IFD0: { Make: "Acme", Model: "Acme Phone 9" },
  IFD2: { BodySerialNumber: "SN-4711" },
  IFD3: {
    GPSLatitudeRef: "N",
    GPSLatitude: "52/1 31/1 12/1",
    GPSLongitudeRef: "E",
    GPSLongitude: "13/1 24/1 36/1",
  },
};

async function fourCorners(width: number, height: number, noisy: boolean): Promise<Buffer> {
  const [left, top] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const [red, green, white, blue] = corners;
  const quadrants: (typeof corners)[number][][] = [
    [red, green],
    [blue, white],
  ];
  const rows = quadrants.slice(0, height);
  const pixels = rows.flatMap((row) => row.slice(0, width)).flatMap(({ r, g, b }) => [r, g, b]);
  // Enlarging a pixel per quadrant takes a tenth of the time of drawing them.
  const plain = sharp(Uint8Array.from(pixels), {
    raw: { width: Math.min(2, width), height: rows.length, channels: 3 },
  }).extend({
    left: left - 1,
    top: top - 1,
    right: Math.max(0, width - left - 1),
    bottom: Math.max(0, height - top - 1),
    extendWith: "copy",
  });
  if (!noisy) return plain.png({ compressionLevel: 1 }).toBuffer();
  const noise = { create: { width, height, channels: 3 as const, background: "grey", noise: NOISE } };
  const grain = await sharp(noise).png({ compressionLevel: 1 }).toBuffer();
  return sharp(await plain.png({ compressionLevel: 1 }).toBuffer())
    .composite([{ input: grain, blend: "soft-light" }])
    .removeAlpha()
    .png({ compressionLevel: 1 })
    .toBuffer();
}

const NOISE = { type: "gaussian" as const, mean: 128, sigma: 24 };

/** Clockwise rotation and mirroring that each EXIF orientation undoes. */
const ways: Record<number, { by: number; mirrored: boolean }> = {
  2: { by: 0, mirrored: true },
  3: { by: 180, mirrored: false },
  4: { by: 180, mirrored: true },
  5: { by: 90, mirrored: true },
  6: { by: 270, mirrored: false },
  7: { by: 270, mirrored: true },
  8: { by: 90, mirrored: false },
};

/** In separate steps, because sharp applies operations in its own order. */
async function turnAway(upright: Buffer, orientation: number): Promise<Buffer> {
  const way = ways[orientation];
  if (!way) return upright;
  const turned = await sharp(upright).keepIccProfile().rotate(way.by).png().toBuffer();
  return way.mirrored ? sharp(turned).keepIccProfile().flop().png().toBuffer() : turned;
}

async function toHeic(png: Buffer, located: boolean): Promise<Buffer> {
  return inFolder(async (folder) => {
    const [from, to] = [join(folder, "in.png"), join(folder, "out.heic")];
    await writeFile(from, png);
    await execute(await programOf("heif-enc"), ["-q", "80", from, "-o", to]);
    if (located) await execute(await programOf("exiftool"), [...LOCATED, "-overwrite_original", to]);
    return readFile(to);
  });
}

const LOCATED = ["-GPSLatitude=52.52", "-GPSLatitudeRef=N", "-GPSLongitude=13.41", "-GPSLongitudeRef=E"];

type Facts = Record<string, string | number>;

/** All metadata that `exiftool` finds in files, such as `XMP:DigitalSourceType` and `EXIF:GPSLatitude`. */
export async function factsOfEach(paths: string[]): Promise<Facts[]> {
  const { stdout } = await execute(await programOf("exiftool"), ["-json", "-G", "-n", "-ee", ...paths]);
  return JSON.parse(stdout);
}

export async function factsOf(path: string): Promise<Facts> {
  const [facts = {}] = await factsOfEach([path]);
  return facts;
}

export async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "tandem-media-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A PNG whose header claims these dimensions, with compressed zeros that inflate to `bytes`. */
export function pngBomb({ width, height, bytes = 1000 }: { width: number; height: number; bytes?: number }) {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const body = deflateSync(Buffer.alloc(bytes));
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk("IHDR", header),
    pngChunk("IDAT", body),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

const PNG_SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

export function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(named.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  named.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(named), named.length + 4);
  return chunk;
}

/** The same JPEG with other dimensions in its header. */
export function claimSides(jpeg: Buffer, { width, height }: { width: number; height: number }): Buffer {
  const changed = Buffer.from(jpeg);
  const frame = jpegSegments(jpeg).find(({ marker }) => marker === 0xc0 || marker === 0xc2);
  if (!frame) throw new Error("this JPEG has no frame");
  changed.writeUInt16BE(height, frame.at + 5);
  changed.writeUInt16BE(width, frame.at + 7);
  return changed;
}

/** The segments before the image data. */
function jpegSegments(jpeg: Buffer): { marker: number; at: number }[] {
  const found = [];
  for (let at = 2; jpeg[at] === 0xff && jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2))
    found.push({ marker: Number(jpeg[at + 1]), at });
  return found;
}

/** The same picture with an invalid C2PA manifest, in the place where its format stores one. */
export function withManifest(type: "jpeg" | "png" | "webp" | "heic", picture: Buffer, says = ""): Buffer {
  const store = manifest(says);
  if (type === "heic") return Buffer.concat([picture, box("uuid", Buffer.concat([C2PA, store]))]);
  if (type === "png") return withPngChunk(picture, "caBX", store);
  if (type === "webp") return withWebpChunk(picture, "C2PA", store);
  return withSegment(picture, 0xeb, Buffer.concat([Buffer.from("JP\0\x01\0\0\0\x01"), store]));
}

/** The same PNG with another chunk after its header. */
export function withPngChunk(png: Buffer, type: string, data: Buffer): Buffer {
  return Buffer.concat([png.subarray(0, 33), pngChunk(type, data), png.subarray(33)]);
}

/** The same JPEG with another segment at its start. */
export function withSegment(jpeg: Buffer, marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, data, jpeg.subarray(2)]);
}

/** The same WebP with that many empty animation frames. */
export function withFrames(webp: Buffer, frames: number): Buffer {
  const frame = Buffer.concat([Buffer.from("ANMF"), uint32LE(16), Buffer.alloc(16)]);
  const riff = Buffer.concat([webp, ...Array<Buffer>(frames).fill(frame)]);
  riff.writeUInt32LE(riff.length - 8, 4);
  return riff;
}

/** The same WebP with another chunk at its end. */
export function withWebpChunk(webp: Buffer, type: string, data: Buffer): Buffer {
  const padding = Buffer.alloc(data.length % 2);
  const riff = Buffer.concat([webp, Buffer.from(type), uint32LE(data.length), data, padding]);
  riff.writeUInt32LE(riff.length - 8, 4);
  return riff;
}

const C2PA = Buffer.from("d8fec3d61b0e483c92975828877ec481", "hex");

/** A `jumb` box with a `jumd` box: the type and label of a C2PA store. */
function manifest(says: string): Buffer {
  const type = Buffer.from("6332706100110010800000aa00389b71", "hex");
  const label = Buffer.concat([Buffer.from([3]), Buffer.from("c2pa\0")]);
  const described = box("jumd", Buffer.concat([type, label]));
  return box("jumb", Buffer.concat([described, box("free", Buffer.from(says.padEnd(64)))]));
}

function box(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, body]);
}

function uint32LE(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value, 0);
  return bytes;
}
