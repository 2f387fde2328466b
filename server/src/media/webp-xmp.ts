import { type Part, webpChunksOf } from "./image-chunks.ts";

const XMP = "XMP ";
/** Bits of the extended header's first byte. */
const flags = { alpha: 0x10, xmp: 0x04 };

/** The WebP with this XMP instead of its own. Its pixels stay as they are. */
export function withXmp(webp: Buffer, xmp: string): Buffer {
  const chunks = webpChunksOf(webp).parts.filter(({ type }) => type !== XMP);
  const [first] = chunks;
  if (!first) throw new Error("a WebP has no chunks");
  const extended = first.type === "VP8X" ? first.data : extendedHeaderOf(first);
  const header = Buffer.from(extended);
  header.writeUInt8(header.readUInt8(0) | flags.xmp, 0);
  const rest = first.type === "VP8X" ? chunks.slice(1) : chunks;
  const body = Buffer.concat(
    [{ type: "VP8X", data: header }, ...rest, { type: XMP, data: Buffer.from(xmp) }].map(serialize),
  );
  const riff = Buffer.alloc(12);
  riff.write("RIFF", 0, "latin1");
  riff.writeUInt32LE(body.length + 4, 4);
  riff.write("WEBP", 8, "latin1");
  return Buffer.concat([riff, body]);
}

/** The extended header of a WebP that has none: its size, and whether it may be transparent. */
function extendedHeaderOf({ type, data }: Part): Buffer {
  const header = Buffer.alloc(10);
  const lossless = type === "VP8L";
  // After a byte, the lossless format has two 14-bit sizes less one and the alpha bit; the lossy one has two 14-bit sizes.
  const bits = lossless ? data.readUInt32LE(1) : data.readUInt32LE(6);
  const width = lossless ? bits & 0x3fff : (bits & 0x3fff) - 1;
  const height = lossless ? (bits >>> 14) & 0x3fff : ((bits >>> 16) & 0x3fff) - 1;
  if (lossless && (bits >>> 28) & 1) header.writeUInt8(flags.alpha, 0);
  header.writeUIntLE(width, 4, 3);
  header.writeUIntLE(height, 7, 3);
  return header;
}

function serialize({ type, data }: Part): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
