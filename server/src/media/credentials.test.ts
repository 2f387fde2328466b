import { deflateSync } from "node:zlib";
import { drawPicture, pngChunk, withManifest, withSegment, withWebpChunk } from "@tandem/testing/pictures";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { isPublishable } from "./credentials.ts";
import { xmpOf } from "./source-type.ts";

const place = "exif:GPSLatitude=52,31.2N";
const vocabulary = (uri: string, said: string) =>
  Buffer.from(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:v="${uri}"><v:${said}</rdf:Description></rdf:RDF></x:xmpmeta>`,
  );
const iptc = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/";

const harmless = {
  "the mark of AI": Buffer.from(xmpOf("trainedAlgorithmicMedia")),
  "where the manifest lies": vocabulary("http://purl.org/dc/terms/", "provenance>self#c2pa</v:provenance>"),
};

const telling = {
  "words of EXIF": vocabulary("http://ns.adobe.com/exif/1.0/", "GPSAltitude>3</v:GPSAltitude>"),
  "a place shown": vocabulary(iptc, "LocationShown>Rome</v:LocationShown>"),
  "a caption": vocabulary("http://purl.org/dc/elements/1.1/", "title>Rome</v:title>"),
  "an address hidden from readers of plain text": vocabulary(
    "http://ns.adobe.com/&#101;xif/1.0/",
    "X>1</v:X>",
  ),
  "a prefix that nothing explains": Buffer.from("<w:Place>Rome</w:Place>"),
  "UTF-16": Buffer.from(vocabulary("http://ns.adobe.com/exif/1.0/", "X>1</v:X>").toString(), "utf16le"),
  "a definition of its own": Buffer.from(`<!DOCTYPE x [<!ENTITY a "${place}">]><x/>`),
};

describe.each(["jpeg", "png", "webp"] as const)("XMP in a %s with content credentials", (type) => {
  test.each(Object.entries(harmless))("may contain %s", async (_, xmp) => {
    expect(isPublishable({ type, bytes: withXmp(type, await credible(type), xmp) })).toBe(true);
  });

  test.each(Object.entries(telling))("may not contain %s", async (_, xmp) => {
    expect(isPublishable({ type, bytes: withXmp(type, await credible(type), xmp) })).toBe(false);
  });
});

const iim = Buffer.concat([Buffer.from("Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x0e\x1c\x02\x5a\0\x04Rome")]);
const exif = Buffer.from("Exif\0\0MM\0*\0\0\0\x08\0\0");
const compressed = Buffer.concat([
  Buffer.from("XML:com.adobe.xmp\0\x01\0\0\0"),
  deflateSync(Buffer.from(place)),
]);

const hideouts: Record<string, (picture: Awaited<ReturnType<typeof all>>) => [keyof typeof picture, Buffer]> =
  {
    "EXIF in a JPEG": ({ jpeg }) => ["jpeg", withSegment(jpeg, 0xe1, exif)],
    "IPTC's older form": ({ jpeg }) => ["jpeg", withSegment(jpeg, 0xed, iim)],
    "a comment": ({ jpeg }) => ["jpeg", withSegment(jpeg, 0xfe, Buffer.from(place))],
    "a list of further pictures": ({ jpeg }) => ["jpeg", withSegment(jpeg, 0xe2, Buffer.from("MPF\0MM"))],
    "a segment of unknown type": ({ jpeg }) => ["jpeg", withSegment(jpeg, 0xe5, Buffer.from(place))],
    "a second JPEG behind the first": ({ jpeg }) => ["jpeg", Buffer.concat([jpeg, jpeg])],
    "what is behind a JPEG's end": ({ jpeg }) => ["jpeg", Buffer.concat([jpeg, Buffer.from(place)])],
    "text in a PNG": ({ png }) => ["png", withChunk(png, "tEXt", Buffer.from(`Comment\0${place}`))],
    "compressed text": ({ png }) => ["png", withChunk(png, "zTXt", Buffer.from("Comment\0\0"))],
    "compressed XMP": ({ png }) => ["png", withChunk(png, "iTXt", compressed)],
    "EXIF in a PNG": ({ png }) => ["png", withChunk(png, "eXIf", exif.subarray(6))],
    "what is behind a PNG's end": ({ png }) => ["png", Buffer.concat([png, Buffer.from(place)])],
    "EXIF in a WebP": ({ webp }) => ["webp", withWebpChunk(webp, "EXIF", exif)],
    "a chunk of unknown type": ({ webp }) => ["webp", withWebpChunk(webp, "PLCE", Buffer.from(place))],
    "what is behind a WebP's end": ({ webp }) => ["webp", Buffer.concat([webp, Buffer.from(place)])],
  };

test.each(Object.entries(hideouts))("%s keeps the original from being offered", async (_, hide) => {
  const pictures = await all();
  const [type, bytes] = hide(pictures);
  expect(isPublishable({ type, bytes: pictures[type] })).toBe(true);
  expect(isPublishable({ type, bytes })).toBe(false);
});

test.each(["jpeg", "png", "webp"] as const)(
  "a %s whose manifest names a place isn't offered",
  async (type) => {
    const picture = await drawPicture({ type });
    for (const says of ["GPSLongitude", '"exif:GPSLatitude"', "Iptc4xmpExt:LocationCreated", "brob"])
      expect(isPublishable({ type, bytes: withManifest(type, picture, says) })).toBe(false);
    expect(isPublishable({ type, bytes: withManifest(type, picture, "c2pa.created") })).toBe(true);
    expect(isPublishable({ type, bytes: picture })).toBe(false);
  },
);

test("a progressive JPEG with a color profile is offered", async () => {
  const jpeg = await sharp(await drawPicture({ width: 400, height: 300, noisy: true, wide: true }))
    .keepIccProfile()
    .jpeg({ progressive: true })
    .toBuffer();
  expect(isPublishable({ type: "jpeg", bytes: withManifest("jpeg", jpeg) })).toBe(true);
});

test.each(["jpeg", "png", "webp"] as const)("a truncated %s isn't offered", async (type) => {
  const bytes = await credible(type);
  for (let length = 0; length < bytes.length; length += 1)
    expect(isPublishable({ type, bytes: bytes.subarray(0, length) })).toBe(false);
});

async function credible(type: "jpeg" | "png" | "webp"): Promise<Buffer> {
  return withManifest(type, await drawPicture({ type }));
}

async function all() {
  return { jpeg: await credible("jpeg"), png: await credible("png"), webp: await credible("webp") };
}

function withXmp(type: "jpeg" | "png" | "webp", picture: Buffer, xmp: Buffer): Buffer {
  if (type === "webp") return withWebpChunk(picture, "XMP ", xmp);
  if (type === "png")
    return withChunk(picture, "iTXt", Buffer.concat([Buffer.from("XML:com.adobe.xmp\0\0\0\0\0"), xmp]));
  return withSegment(picture, 0xe1, Buffer.concat([Buffer.from("http://ns.adobe.com/xap/1.0/\0"), xmp]));
}

/** Right after the header. */
function withChunk(png: Buffer, type: string, data: Buffer): Buffer {
  return Buffer.concat([png.subarray(0, 33), pngChunk(type, data), png.subarray(33)]);
}
