/** Finds what a file's own metadata says about AI: in XMP, and in content credentials (C2PA). */
import { type FileHandle, open } from "node:fs/promises";
import { type AiProvenance, digitalSourceTypes } from "@tandem/contract/digital-source-types";
import { boxAt, boxesIn } from "./boxes.ts";
import { provenanceInC2pa } from "./c2pa.ts";
import { pngChunksOf, segmentsOf, webpChunksOf } from "./image-chunks.ts";
import type { RemoteKind } from "./kind.ts";
import { type SourceType, sourceTypeIn, strongest } from "./source-type.ts";

/** The AI mark in a picture; null if it has none. */
export function sourceTypeOfPicture(
  type: RemoteKind,
  bytes: Buffer,
  xmp: string | undefined,
): SourceType | null {
  const stated = stores[type](bytes).map(provenanceInC2pa).map(asSourceType);
  return stated.reduce(strongest, sourceTypeIn(xmp));
}

function asSourceType(provenance: AiProvenance | null): SourceType | null {
  return provenance && digitalSourceTypes[provenance];
}

/** Where each format has its manifest stores. */
const stores: Record<RemoteKind, (bytes: Buffer) => Buffer[]> = {
  jpeg: storesInJpeg,
  png: (bytes) => partsOf(pngChunksOf(bytes), "caBX"),
  webp: (bytes) => partsOf(webpChunksOf(bytes), "C2PA"),
  heic: storesInBoxes,
  avif: storesInBoxes,
  gif: () => [],
};

const MAX_BOXES = 10_000;

function storesInBoxes(bytes: Buffer): Buffer[] {
  return boxesIn(bytes, MAX_BOXES).flatMap(({ type, content }) => (type === "uuid" ? storeIn(content) : []));
}

function partsOf({ parts }: ReturnType<typeof pngChunksOf>, wanted: string): Buffer[] {
  return parts.filter(({ type }) => type === wanted).map(({ data }) => data);
}

const BOX_HEAD = 8;
const LONG_BOX_HEAD = 16;

/**
 * A JPEG's segments are short, so a store is split. Each part has "JP", the store's number, the part's number, and the
 * store's box header, which therefore is repeated.
 */
function storesInJpeg(bytes: Buffer): Buffer[] {
  const found = new Map<number, Buffer[]>();
  for (const { type, data } of segmentsOf(bytes).parts) {
    if (type !== "eb" || data.length < 8 + BOX_HEAD || data.toString("latin1", 0, 2) !== "JP") continue;
    const known = found.get(data.readUInt16BE(2));
    const head = data.readUInt32BE(8) === 1 ? LONG_BOX_HEAD : BOX_HEAD;
    if (known) known.push(data.subarray(8 + head));
    else found.set(data.readUInt16BE(2), [data.subarray(8)]);
  }
  return [...found.values()].map((parts) => Buffer.concat(parts));
}

const C2PA_TYPE = "d8fec3d61b0e483c92975828877ec481";
/** The type of the `uuid` box that contains XMP in an MP4, in hexadecimal. */
export const XMP_TYPE = "be7acfcb97a942e89c71999491e3afac";
const TYPE_LENGTH = 16;

/** The store in a `uuid` box: after the type come four bytes, the purpose as text, a zero byte and an offset. */
function storeIn(content: Buffer): Buffer[] {
  if (content.toString("hex", 0, TYPE_LENGTH) !== C2PA_TYPE) return [];
  const end = content.indexOf(0, TYPE_LENGTH + 4);
  return content.toString("latin1", TYPE_LENGTH + 4, end) === "manifest" ? [content.subarray(end + 9)] : [];
}

/** Larger metadata isn't read. */
const MAX_METADATA = 2 ** 23;

/** The AI mark in a video. Reads only the headers of boxes, and the metadata. */
export async function sourceTypeOfVideo(path: string): Promise<SourceType | null> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    let stated: SourceType | null = null;
    for (let at = 0, boxes = 0; at + BOX_HEAD <= size && boxes < MAX_BOXES; boxes += 1) {
      const box = boxAt(await read(file, at, LONG_BOX_HEAD), 0, size - at);
      if (!box) break;
      if (box.type === "uuid" && box.end <= MAX_METADATA)
        stated = strongest(stated, sourceTypeInBox((await read(file, at, box.end)).subarray(box.body)));
      at += box.end;
    }
    return stated;
  } finally {
    await file.close();
  }
}

function sourceTypeInBox(content: Buffer): SourceType | null {
  if (content.toString("hex", 0, TYPE_LENGTH) === XMP_TYPE)
    return sourceTypeIn(content.toString("utf8", TYPE_LENGTH));
  return storeIn(content).map(provenanceInC2pa).map(asSourceType).reduce(strongest, null);
}

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
