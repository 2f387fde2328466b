import { open } from "node:fs/promises";

export type PictureKind = "jpeg" | "png" | "webp" | "heic";
export type VideoKind = "mp4" | "mov";
export type Kind = PictureKind | VideoKind;

/** What a file is by its first bytes alone, whatever it is called; null if it is nothing that we take. */
export async function kindOf(path: string): Promise<Kind | null> {
  const file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0).finally(() => file.close());
  return kindOfHead(buffer.subarray(0, bytesRead));
}

const HEAD = 128;

function kindOfHead(head: Buffer): Kind | null {
  const says = (at: number, text: string) => head.toString("latin1", at, at + text.length) === text;
  if (says(0, "\xff\xd8\xff")) return "jpeg";
  if (says(0, "\x89PNG\r\n\x1a\n")) return "png";
  if (says(0, "RIFF") && says(8, "WEBP")) return "webp";
  if (says(4, "ftyp")) return kindOfBrands(brandsOf(head));
  return head.length >= 8 && FIRST_OF_OLD_MOV.some((type) => says(4, type)) ? "mov" : null;
}

/** QuickTime's first files had no brand, and cameras still write such. */
const FIRST_OF_OLD_MOV = ["moov", "mdat", "wide"];

/** The major brand, then those that the file is compatible with: of very many, the first. */
function brandsOf(head: Buffer): string[] {
  const end = Math.min(head.readUInt32BE(0), head.length);
  const brands = [head.toString("latin1", 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString("latin1", at, at + 4));
  return brands;
}

const HEVC_STILLS = new Set(["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]);
const FILMS = /^(iso[m2-9a-c]|mp4[12]|avc1|M4V |MSNV|dash|3gp\w|3g2\w|f4v )$/;

/** AVIF shares HEIC's container and some of its brands, so that those which say HEVC decide. */
function kindOfBrands(brands: string[]): Kind | null {
  const [major = ""] = brands;
  if (major === "qt  ") return "mov";
  if (major === "avif" || major === "avis") return null;
  if (HEVC_STILLS.has(major)) return "heic";
  if (major === "mif1" || major === "msf1")
    return brands.some((brand) => HEVC_STILLS.has(brand)) ? "heic" : null;
  return brands.some((brand) => FILMS.test(brand)) ? "mp4" : null;
}
