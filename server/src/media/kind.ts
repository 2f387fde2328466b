import { open } from "node:fs/promises";

export type PictureKind = "jpeg" | "png" | "webp" | "heic";
export type VideoKind = "mp4" | "mov";
export type Kind = PictureKind | VideoKind;

/** Detects a file's type from its first bytes, ignoring its name; null if it isn't supported. */
export async function kindOf(path: string): Promise<Kind | null> {
  const file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0).finally(() => file.close());
  return kindOfHead(buffer.subarray(0, bytesRead));
}

/** What other hosts also have. Uploads don't: a GIF is animated, and cameras make no AVIF. */
export type RemoteKind = PictureKind | "gif" | "avif";

/** Detects the type of a picture of another host from its first bytes; null if it isn't supported. */
export function remoteKindOf(bytes: Buffer): RemoteKind | null {
  const head = bytes.subarray(0, HEAD);
  const kind = kindOfHead(head);
  if (kind !== null) return kind === "mp4" || kind === "mov" ? null : kind;
  if (/^GIF8[79]a/.test(head.toString("latin1", 0, 6))) return "gif";
  return head.toString("latin1", 4, 8) === "ftyp" && brandsOf(head).includes("avif") ? "avif" : null;
}

const HEAD = 128;

function kindOfHead(head: Buffer): Kind | null {
  const matches = (at: number, text: string) => head.toString("latin1", at, at + text.length) === text;
  if (matches(0, "\xff\xd8\xff")) return "jpeg";
  if (matches(0, "\x89PNG\r\n\x1a\n")) return "png";
  if (matches(0, "RIFF") && matches(8, "WEBP")) return "webp";
  if (matches(4, "ftyp")) return kindOfBrands(brandsOf(head));
  return head.length >= 8 && LEGACY_MOV_TYPES.some((type) => matches(4, type)) ? "mov" : null;
}

/** Early QuickTime files had no `ftyp` box, and some cameras still write such files. */
const LEGACY_MOV_TYPES = ["moov", "mdat", "wide"];

/** The major brand, then the compatible brands, as far as they are within the first HEAD bytes. */
function brandsOf(head: Buffer): string[] {
  const end = Math.min(head.readUInt32BE(0), head.length);
  const brands = [head.toString("latin1", 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString("latin1", at, at + 4));
  return brands;
}

const HEIC_BRANDS = new Set(["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]);
const VIDEO_BRANDS = /^(iso[m2-9a-c]|mp4[12]|avc1|M4V |MSNV|dash|3gp\w|3g2\w|f4v )$/;

/** AVIF shares HEIC's container and some of its brands, so only brands that imply HEVC count. */
function kindOfBrands(brands: string[]): Kind | null {
  const [major = ""] = brands;
  if (major === "qt  ") return "mov";
  if (major === "avif" || major === "avis") return null;
  if (HEIC_BRANDS.has(major)) return "heic";
  if (major === "mif1" || major === "msf1")
    return brands.some((brand) => HEIC_BRANDS.has(brand)) ? "heic" : null;
  return brands.some((brand) => VIDEO_BRANDS.test(brand)) ? "mp4" : null;
}
