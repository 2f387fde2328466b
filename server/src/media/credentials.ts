/** Content credentials (C2PA): whether a picture carries them, and whether it can be kept with them. */
import { chunksOf, segmentsOf } from "./chunks.ts";
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
  if (type === "png") return chunksOf("png", bytes).includes("caBX");
  if (type === "webp") return chunksOf("webp", bytes).includes("C2PA");
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

/** APP11 that begins a JUMBF box of C2PA. */
function isManifest(segment: Buffer): boolean {
  return segment[1] === 0xeb && segment.toString("latin1", 4, 6) === "JP" && segment.includes("c2pa");
}
