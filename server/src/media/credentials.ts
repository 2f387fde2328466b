/** Content credentials (C2PA): whether a picture carries them, and whether it can be kept as it came. */

import { type Part, type Parts, pngChunksOf, segmentsOf, webpChunksOf } from "./image-chunks.ts";
import type { PictureKind } from "./kind.ts";
import { isHarmlessXmp } from "./source-type.ts";

/**
 * Whether the sender's own file is worth keeping: it carries a box in which C2PA keeps its manifest, and nothing besides
 * that and the picture. A manifest vouches for the file's very bytes, so nothing can be cut out of them. Whatever could
 * tell of a place or a device is reason enough not to keep it: EXIF, comments, text, a second picture, bytes behind the
 * end. Whether the manifest is valid is for its readers to say.
 */
export function isKeepable({ type, bytes }: { type: PictureKind; bytes: Buffer }): boolean {
  const form = forms[type];
  if (!form) return false;
  const { parts, whole } = form.parts(bytes);
  return whole && parts.some(form.isManifest) && parts.every((part) => isFit(form, part));
}

interface Form {
  parts: (bytes: Buffer) => Parts;
  isManifest: (part: Part) => boolean;
  /** What pixels and their colours are told in: by its type alone, or by what it begins with too. */
  picture: RegExp;
  /** Where XMP lies, which is judged by what it says. */
  xmp: Field;
}

interface Field {
  type: string;
  begins: string;
}

/** None for HEIC: what lies where in it is told in too many ways, and no camera's is without EXIF. */
const forms: Partial<Record<PictureKind, Form>> = {
  jpeg: {
    parts: segmentsOf,
    isManifest: ({ type, data }) => type === "eb" && begins(data, "JP") && data.includes("c2pa"),
    picture: /^(?:c[0-9a-f]|d[a-e] |e0 JFIF\0|e2 ICC_PROFILE\0|ee Adobe)/,
    xmp: { type: "e1", begins: "http://ns.adobe.com/xap/1.0/\0" },
  },
  png: {
    parts: pngChunksOf,
    isManifest: ({ type }) => type === "caBX",
    picture: /^(?:IHDR|PLTE|IDAT|IEND|tRNS|cHRM|gAMA|iCCP|sBIT|sRGB|cICP|mDCV|cLLI|bKGD|pHYs) /,
    xmp: { type: "iTXt", begins: "XML:com.adobe.xmp\0\0\0\0\0" },
  },
  webp: {
    parts: webpChunksOf,
    isManifest: ({ type }) => type === "C2PA",
    picture: /^(?:VP8 |VP8L|VP8X|ALPH|ICCP) /,
    xmp: { type: "XMP ", begins: "" },
  },
};

function isFit(form: Form, part: Part): boolean {
  const { type, data } = part;
  if (form.picture.test(`${type} ${data.toString("latin1", 0, 12)}`)) return true;
  if (form.isManifest(part)) return !namesPlace(data);
  if (type !== form.xmp.type || !begins(data, form.xmp.begins)) return false;
  const xmp = data.subarray(form.xmp.begins.length);
  return isHarmlessXmp(xmp) && !namesPlace(xmp);
}

function begins(data: Buffer, text: string): boolean {
  return data.toString("latin1", 0, text.length) === text;
}

/** A manifest may itself say where the picture was taken, in a word, in a picture inside it, or compressed. */
function namesPlace(data: Buffer): boolean {
  const text = data.toString("latin1").toLowerCase();
  return places.some((word) => text.includes(word));
}

/** EXIF's pointer to GPS, in either order of bytes; the words of EXIF, IPTC and schema.org; and Brotli's box. */
const places = [
  "\x88\x25\0\x04\0\0\0\x01",
  "\x25\x88\x04\0\x01\0\0\0",
  ...["gpsl", "gpsdest", "latitude", "locationcreated", "locationshown", "contentlocation"],
  ...["photoshop:city", "iptc4xmpcore:location", "brob"],
];
