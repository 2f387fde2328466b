/** Splits image files into their parts, as far as our own checks need. */

export interface Part {
  /** A JPEG's marker in hexadecimal, such as `e1` for APP1; otherwise the chunk's four letters. */
  type: string;
  /** Without type and length, and without the pixel data that follows a JPEG's scan header. */
  data: Buffer;
}

export interface Parts {
  parts: Part[];
  /** Whether the parts make up the whole file, without trailing data or a truncated part. */
  whole: boolean;
}

const RESTART = { first: 0xd0, last: 0xd7 };
const END = 0xd9;
const SCAN = 0xda;

/** A JPEG's segments, up to the first end-of-image marker. */
export function segmentsOf(jpeg: Buffer): Parts {
  const parts: Part[] = [];
  for (let at = 2; at + 4 <= jpeg.length && jpeg[at] === 0xff; ) {
    const marker = jpeg.readUInt8(at + 1);
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    parts.push({ type: marker.toString(16), data: jpeg.subarray(at + 4, end) });
    at = marker === SCAN ? endOfScan(jpeg, end) : end;
    if (jpeg[at] === 0xff && jpeg[at + 1] === END) return { parts, whole: at + 2 === jpeg.length };
  }
  return { parts, whole: false };
}

/** The offset of the next marker that isn't part of the pixel data. */
function endOfScan(jpeg: Buffer, from: number): number {
  for (let at = jpeg.indexOf(0xff, from); at >= 0; at = jpeg.indexOf(0xff, at + 1)) {
    const next = jpeg[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= RESTART.first && next <= RESTART.last)) return at;
  }
  return jpeg.length;
}

const PNG_AROUND = 12;

/** A PNG's chunks. */
export function pngChunksOf(png: Buffer): Parts {
  const parts: Part[] = [];
  for (let at = 8; at + PNG_AROUND <= png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    parts.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += length + PNG_AROUND;
    if (type === "IEND") return { parts, whole: at === png.length };
  }
  return { parts, whole: false };
}

/** A WebP's chunks. */
export function webpChunksOf(webp: Buffer): Parts {
  const parts: Part[] = [];
  let at = 12;
  while (at + 8 <= webp.length) {
    const length = webp.readUInt32LE(at + 4);
    parts.push({ type: webp.toString("latin1", at, at + 4), data: webp.subarray(at + 8, at + 8 + length) });
    at += 8 + length + (length % 2);
  }
  return { parts, whole: at === webp.length && webp.readUInt32LE(4) + 8 === webp.length };
}
