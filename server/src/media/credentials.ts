/** Content credentials (C2PA): whether a picture carries them and can be offered as it was uploaded. */

import { type Part, type Parts, pngChunksOf, segmentsOf, webpChunksOf } from "./image-chunks.ts";
import type { PictureKind } from "./kind.ts";
import { isHarmlessXmp } from "./source-type.ts";

/**
 * Whether the uploaded file can be offered for download: it contains a C2PA manifest and nothing else but the picture. A
 * manifest signs the file's exact bytes, so nothing can be removed from them. Anything that could reveal a place or a
 * device disqualifies the file: EXIF, comments, text, a second picture, trailing bytes. The manifest's signature isn't
 * checked.
 */
export function isPublishable({ type, bytes }: { type: PictureKind; bytes: Buffer }): boolean {
  const form = forms[type];
  if (!form) return false;
  const { parts, whole } = form.parts(bytes);
  return whole && parts.some(form.isManifest) && parts.every((part) => isHarmless(form, part));
}

interface Form {
  parts: (bytes: Buffer) => Parts;
  isManifest: (part: Part) => boolean;
  /** Matches the parts that describe pixels and colors, by type and the first bytes. */
  picture: RegExp;
  /** The part that contains XMP; see `isHarmlessXmp`. */
  xmp: Field;
}

interface Field {
  type: string;
  begins: string;
}

/** None for HEIC: its structure is too flexible to verify, and cameras always write EXIF into it. */
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

function isHarmless(form: Form, part: Part): boolean {
  const { type, data } = part;
  if (form.picture.test(`${type} ${data.toString("latin1", 0, 12)}`)) return true;
  if (form.isManifest(part)) return !mentionsPlace(data);
  if (type !== form.xmp.type || !begins(data, form.xmp.begins)) return false;
  const xmp = data.subarray(form.xmp.begins.length);
  return isHarmlessXmp(xmp) && !mentionsPlace(xmp);
}

function begins(data: Buffer, text: string): boolean {
  return data.toString("latin1", 0, text.length) === text;
}

/** Whether a manifest may reveal where the picture was taken, in text, in an embedded picture or compressed. */
function mentionsPlace(data: Buffer): boolean {
  const text = data.toString("latin1").toLowerCase();
  return places.some((word) => text.includes(word));
}

/** EXIF's GPS pointer in both byte orders; property names of EXIF, IPTC and schema.org; and Brotli's box. */
const places = [
  "\x88\x25\0\x04\0\0\0\x01",
  "\x25\x88\x04\0\x01\0\0\0",
  ...["gpsl", "gpsdest", "latitude", "locationcreated", "locationshown", "contentlocation"],
  ...["photoshop:city", "iptc4xmpcore:location", "brob"],
];
