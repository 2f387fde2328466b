import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { digitalSourceTypes } from "@tandem/contract/digital-source-types";
import { drawPicture, inFolder, withPngChunk, withSegment, withWebpChunk } from "@tandem/testing/pictures";
import { encode } from "cborg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { provenanceInC2pa } from "./c2pa.ts";
import { sourceTypeOfPicture, sourceTypeOfVideo } from "./stated-source.ts";

const { ai_generated: GENERATED, ai_assisted: COMPOSITE } = digitalSourceTypes;
const code = (name: string) => `http://cv.iptc.org/newscodes/digitalsourcetype/${name}`;

/** Made and signed by another implementation of C2PA (@trustnxt/c2pa-ts), with a certificate of its own. */
test.each([
  ["generated.jpg", "jpeg", GENERATED],
  ["edited.png", "png", COMPOSITE],
  ["captured.jpg", "jpeg", null],
] as const)("the manifest of %s is read", async (name, type, stated) => {
  const bytes = await readFile(new URL(`fixtures/${name}`, import.meta.url));
  expect(sourceTypeOfPicture(type, bytes, undefined)).toBe(stated);
  for (let length = 0; length < bytes.length; length += 97)
    expect([stated, null]).toContain(sourceTypeOfPicture(type, bytes.subarray(0, length), undefined));
});

function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.from(`\0\0\0\0${type}`, "latin1");
  head.writeUInt32BE(body.length + 8);
  return Buffer.concat([head, body]);
}

const superbox = (label: string, ...content: Buffer[]) =>
  box("jumb", box("jumd", Buffer.alloc(16), Buffer.from(`\x03${label}\0`)), ...content);

const actions = (...types: (string | undefined)[]) => {
  const done = types.map((digitalSourceType) => ({ action: "c2pa.created", digitalSourceType }));
  return superbox(
    "c2pa.actions.v2",
    box("cbor", Buffer.from(encode({ actions: done }, { ignoreUndefinedProperties: true }))),
  );
};
const manifest = (...assertions: Buffer[]) =>
  superbox("urn:c2pa:1", superbox("c2pa.assertions", ...assertions), superbox("c2pa.claim.v2", box("cbor")));
const store = (...manifests: Buffer[]) => superbox("c2pa", ...manifests);

const generated = actions(code(GENERATED));
const composite = actions(code(COMPOSITE));
const captured = actions(code("digitalCapture"));

test.each([
  [
    "the strongest action counts",
    store(manifest(actions(code(COMPOSITE), undefined, code(GENERATED)))),
    "ai_generated",
  ],
  ["an ingredient made by AI", store(manifest(generated), manifest(captured)), "ai_assisted"],
  ["an ingredient of something made by AI", store(manifest(captured), manifest(generated)), "ai_generated"],
  [
    "a change of something made by AI",
    store(manifest(generated), manifest(actions(undefined))),
    "ai_generated",
  ],
  ["something made by AI, saved again", store(manifest(generated), manifest()), "ai_generated"],
  ["two such changes", store(manifest(composite), manifest(), manifest()), "ai_assisted"],
  [
    "an ingredient made by AI, changed since",
    store(manifest(generated), manifest(captured), manifest()),
    "ai_assisted",
  ],
  ["a camera's picture", store(manifest(captured)), null],
  [
    "the second assertion of its kind",
    store(manifest(captured, superbox("c2pa.actions__2", ...contentOf(composite)))),
    "ai_assisted",
  ],
  [
    "earlier JSON-LD",
    store(
      manifest(
        superbox(
          "stds.iptc",
          box("json", Buffer.from(`{"Iptc4xmpExt:DigitalSourceType":"${code(GENERATED)}"}`)),
        ),
      ),
    ),
    "ai_generated",
  ],
  ["an indefinite map with a date", store(manifest(indefinite())), "ai_generated"],
  [
    "text elsewhere",
    store(manifest(superbox("c2pa.thumbnail.claim.jpeg", box("bidb", Buffer.from(code(GENERATED)))))),
    null,
  ],
  ["damaged CBOR", store(manifest(superbox("c2pa.actions", box("cbor", Buffer.from([0xbf, 0x61]))))), null],
  [
    "nested arrays",
    store(manifest(superbox("c2pa.actions", box("cbor", Buffer.alloc(500_000, 0x81))))),
    null,
  ],
  ["a million actions", store(manifest(actions(...Array<undefined>(100_000)))), null],
  ["nothing", Buffer.alloc(0), null],
])("%s", (_, bytes, stated) => {
  expect(provenanceInC2pa(bytes)).toBe(stated);
});

function contentOf(assertion: Buffer): Buffer[] {
  const start = assertion.indexOf("cbor") - 4;
  return [assertion.subarray(start)];
}

/** As c2pa-rs writes it: maps of unknown length, and dates with a tag. */
function indefinite(): Buffer {
  const text = (value: string) => Buffer.from(encode(value));
  const when = Buffer.concat([text("when"), Buffer.from([0xc0]), text("2026-05-01T00:00:00Z")]);
  const action = [
    Buffer.from([0xbf]),
    text("digitalSourceType"),
    text(code(GENERATED)),
    when,
    Buffer.from([0xff]),
  ];
  const all = [
    Buffer.from([0xbf]),
    text("actions"),
    Buffer.from([0x9f]),
    ...action,
    Buffer.from([0xff, 0xff]),
  ];
  return superbox("c2pa.actions", box("cbor", ...all));
}

test("a manifest of any bytes is no error", () => {
  const whole = store(manifest(generated), manifest(composite));
  const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(changes, (changed) => {
      const bytes = Buffer.from(whole);
      for (const [at, value] of changed) bytes[at] = value;
      expect(["ai_generated", "ai_assisted", null]).toContain(provenanceInC2pa(bytes));
    }),
    { numRuns: 500 },
  );
});

test("every format has its place for manifests, and XMP counts too", async () => {
  const bytes = store(manifest(generated));
  const xmp = `<rdf:Description Iptc4xmpExt:DigitalSourceType="${code(COMPOSITE)}"/>`;
  const uuid = Buffer.from("d8fec3d61b0e483c92975828877ec481", "hex");
  const inBox = box("uuid", uuid, Buffer.from("\0\0\0\0manifest\0\0\0\0\0\0\0\0\0", "latin1"), bytes);
  const jpeg = split(bytes, 50).reduceRight(
    (picture, part) => withSegment(picture, 0xeb, part),
    await drawPicture(),
  );
  const png = withPngChunk(await drawPicture({ type: "png" }), "caBX", bytes);
  const webp = withWebpChunk(await drawPicture({ type: "webp" }), "C2PA", bytes);
  const heic = Buffer.concat([box("ftyp", Buffer.from("heic")), inBox]);
  for (const [type, picture] of Object.entries({ jpeg, png, webp, heic }))
    for (const said of [undefined, xmp])
      expect([type, sourceTypeOfPicture(type as "jpeg", picture, said)]).toEqual([type, GENERATED]);
  expect(sourceTypeOfPicture("png", await drawPicture({ type: "png" }), xmp)).toBe(COMPOSITE);
  await inFolder(async (folder) => {
    const path = join(folder, "video.mp4");
    const xmpBox = box("uuid", Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex"), Buffer.from(xmp));
    const videos: [Buffer, string | null][] = [
      [Buffer.concat([box("ftyp"), inBox, box("mdat", Buffer.alloc(100))]), GENERATED],
      [Buffer.concat([box("ftyp"), box("mdat", Buffer.alloc(100)), xmpBox]), COMPOSITE],
      [Buffer.concat([box("ftyp"), box("mdat", Buffer.from(xmp))]), null],
      [inBox.subarray(0, 30), null],
    ];
    for (const [video, stated] of videos) {
      await writeFile(path, video);
      expect(await sourceTypeOfVideo(path)).toBe(stated);
    }
  });
});

/** A JPEG's parts of a store: each repeats the first box's header. */
function split(bytes: Buffer, length: number): Buffer[] {
  const head = bytes.subarray(0, 8);
  const parts = [];
  for (let at = 8; at < bytes.length; at += length) {
    const mark = Buffer.from("JP\0\x01\0\0\0\0", "latin1");
    mark.writeUInt32BE(parts.length + 1, 4);
    parts.push(Buffer.concat([mark, head, bytes.subarray(at, at + length)]));
  }
  return parts;
}
