/** Content credentials (C2PA): whether a picture carries them, and whether it can be kept with them. */
import type { PictureKind } from "./kind.ts";

interface Original {
  type: PictureKind;
  bytes: Buffer;
}

const UUID = Buffer.from("d8fec3d61b0e483c92975828877ec481", "hex");

/**
 * Whether there is a box in which C2PA keeps its manifest. Whether that is valid is for its readers to say, who need
 * the file's very bytes for it.
 */
export function hasManifest({ type, bytes }: Original): boolean {
  if (type === "jpeg") return segmentsOf(bytes).some(isManifest);
  if (type === "png") return chunksOf(bytes, PNG).includes("caBX");
  if (type === "webp") return chunksOf(bytes, WEBP).includes("C2PA");
  return bytes.includes(UUID);
}

/**
 * Whether it says where it was taken, or may. Its manifest vouches for the bytes as they are, so a place can't be cut
 * out: such an original isn't kept. The search is blunt on purpose, and passes over no second picture or manifest inside.
 */
export function namesPlace({ bytes }: Original): boolean {
  return placeWords.some((word) => bytes.includes(word));
}

/** EXIF's pointer to GPS, in either order of bytes; the words of XMP and C2PA; and what may hide words by deflating. */
const placeWords = [
  Buffer.from("8825000400000001", "hex"),
  Buffer.from("2588040001000000", "hex"),
  ...["GPSL", "LocationCreated", "LocationShown", "photoshop:City", "Iptc4xmpCore:Location", "zTXt"],
];

/** JPEG's segments up to the picture's own data. */
function segmentsOf(jpeg: Buffer): Buffer[] {
  const found = [];
  for (let at = 2; at + 4 <= jpeg.length && jpeg[at] === 0xff && jpeg[at + 1] !== 0xda; ) {
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    found.push(jpeg.subarray(at, end));
    at = end;
  }
  return found;
}

/** APP11 that begins a JUMBF box of C2PA. */
function isManifest(segment: Buffer): boolean {
  return segment[1] === 0xeb && segment.toString("latin1", 4, 6) === "JP" && segment.includes("c2pa");
}

const PNG = { first: 8, length: 0, type: 4, around: () => 12, big: true };
const WEBP = { first: 12, length: 4, type: 0, around: (length: number) => 8 + (length % 2), big: false };

function chunksOf(bytes: Buffer, form: typeof PNG | typeof WEBP): string[] {
  const found = [];
  for (let at = form.first; at + 8 <= bytes.length; ) {
    const length = form.big ? bytes.readUInt32BE(at + form.length) : bytes.readUInt32LE(at + form.length);
    found.push(bytes.toString("latin1", at + form.type, at + form.type + 4));
    at += length + form.around(length);
  }
  return found;
}
