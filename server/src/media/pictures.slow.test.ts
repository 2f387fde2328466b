import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lowestOf } from "@tandem/testing/measure";
import {
  claimSides,
  corners,
  drawPicture,
  factsOfEach,
  inFolder,
  type Picture,
  pngBomb,
  withFrames,
  withManifest,
  withPngChunk,
  withSegment,
  withWebpChunk,
} from "@tandem/testing/pictures";
import fc from "fast-check";
import sharp, { type Sharp } from "sharp";
import { thumbHashToApproximateAspectRatio } from "thumbhash";
import { describe, expect, test } from "vitest";
import { InvalidMedia } from "./invalid-media.ts";
import {
  inspectPicture,
  type PreparedPicture,
  prepareAvatar,
  preparePicture,
  type Wanted,
} from "./pictures.ts";

const types = ["jpeg", "png", "webp", "heic"] as const;

describe.each(types)("a %s", (type) => {
  test("is inspected and prepared", async () => {
    const { facts, prepared, read } = await prepare(await drawPicture({ type, width: 1001, height: 603 }));
    expect(facts).toEqual({ type, width: 1001, height: 603, mark: null });
    expect(prepared).toMatchObject({ width: 1001, height: 603, mark: null });
    expect(prepared.files).toMatchObject([
      { variant: "full", type: "webp", width: 1001, height: 603 },
      { variant: "feed", type: "webp", width: 720, height: 434 },
    ]);
    for (const { variant, bytes } of prepared.files) expect((await read(variant)).length).toBe(bytes);
    expect(await cornersOf(await read("full"))).toEqual(likeCorners);
    const thumb = Buffer.from(prepared.thumbHash, "base64");
    expect(thumb.length).toBeLessThan(30);
    expect(thumbHashToApproximateAspectRatio(thumb)).toBeCloseTo(5 / 3, 0);
  });

  test("that is truncated or empty is invalid", async () => {
    const whole = await drawPicture({ type, width: 300, height: 200, noisy: true });
    for (const part of [0.9, 0.5, 0.1, 0])
      await expect(prepare(whole.subarray(0, whole.length * part))).rejects.toThrow(InvalidMedia);
  });

  test("loses its location and device", async () => {
    const located = await drawPicture({ type, withLocation: true });
    await inFolder(async (folder) => {
      const [path, outDir] = [join(folder, "sent"), folder];
      await writeFile(path, located);
      await preparePicture(path, outDir, { mark: null });
      const [before, after = {}] = await factsOfEach([path, join(folder, "full.webp")]);
      expect(before).toMatchObject({ "EXIF:GPSLatitudeRef": "N" });
      expect(groupsOf(after)).toEqual(["File", "RIFF"]);
    });
  });

  test("in Display P3 is converted to sRGB", async () => {
    const { read } = await prepare(await drawPicture({ type, wide: true, width: 256, height: 256 }));
    expect(await cornersOf(await read("full"))).toEqual(likeCorners);
  });

  test("with any byte changed is either read or invalid", async () => {
    const whole = await drawPicture({ type, width: 40, height: 30, withLocation: true });
    const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(changes, async (changed) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of changed) bytes[at] = value;
        const result = await prepare(bytes).catch((error: unknown) => error);
        if (!(result instanceof InvalidMedia)) expect(result).toHaveProperty("prepared.thumbHash");
      }),
      { numRuns: 25 },
    );
  });
});

test.each([
  ["grey", (picture: Sharp) => picture.greyscale().jpeg()],
  ["CMYK", (picture: Sharp) => picture.toColourspace("cmyk").jpeg({ quality: 95 })],
  ["16 bits deep", (picture: Sharp) => picture.toColourspace("rgb16").png()],
  ["of a palette", (picture: Sharp) => picture.png({ palette: true })],
  ["interlaced", (picture: Sharp) => picture.png({ progressive: true })],
] as const)("a picture that is %s shows what it showed", async (_what, make) => {
  const sent = await make(sharp(await drawPicture({ type: "png" }))).toBuffer();
  const { read } = await prepare(sent);
  const seen = await sharp(sent).toColourspace("srgb").png().toBuffer();
  const likeBefore = (await cornersOf(seen)).map((corner) =>
    corner.map((value) => expect.closeTo(value, -1.4)),
  );
  expect(await cornersOf(await read("full"))).toEqual(likeBefore);
});

test("transparency is preserved", async () => {
  const clear = { r: 255, g: 0, b: 0, alpha: 0.5 };
  const sent = await sharp({ create: { width: 800, height: 8, channels: 4, background: clear } })
    .png()
    .toBuffer();
  const { read } = await prepare(sent);
  for (const variant of ["full", "feed"]) {
    const { channels } = await sharp(await read(variant)).stats();
    expect(channels[3]?.mean).toBeCloseTo(128, -1);
  }
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])("orientation %i is applied", async (orientation) => {
  for (const type of ["jpeg", "png", "webp"] as const) {
    const { facts, read } = await prepare(await drawPicture({ type, orientation }));
    expect(facts).toEqual({ type, width: 64, height: 48, mark: null });
    expect(await cornersOf(await read("full"))).toEqual(likeCorners);
  }
});

test.each([
  { width: 5000, height: 2500, full: [2048, 1024], feed: [720, 360] },
  { width: 720, height: 2880, full: [720, 2880], feed: null },
  { width: 400, height: 12_000, full: [273, 8192], feed: [96, 2880] },
  { width: 1, height: 1, full: [1, 1], feed: null },
  { width: 16_384, height: 1, full: [2048, 1], feed: [720, 1] },
])("of $width × $height nothing is larger than it was", async ({ width, height, full, feed }) => {
  const { prepared } = await prepare(await drawPicture({ type: "png", width, height }));
  expect(prepared.files.map((file) => [file.width, file.height])).toEqual(feed ? [full, feed] : [full]);
});

describe("decompression bombs", () => {
  test.each([
    { width: 100_000, height: 10 },
    { width: 16_385, height: 1 },
    { width: 16_000, height: 16_000 },
    { width: 2 ** 31 - 1, height: 2 ** 31 - 1 },
    { width: 0, height: 5 },
  ])("a PNG that claims $width × $height is invalid", async (sides) => {
    await expect(inspect(pngBomb(sides))).rejects.toThrow(InvalidMedia);
  });

  test("a PNG that inflates to more than its header says isn't inflated", async () => {
    const bomb = pngBomb({ width: 10, height: 10, bytes: 2 ** 27 });
    expect(bomb.length).toBeLessThan(200_000);
    const { prepared } = await prepare(bomb);
    expect(prepared).toMatchObject({ width: 10, height: 10 });
  });

  test("a JPEG that claims to be huge is invalid", async () => {
    const small = await drawPicture({ width: 32, height: 32 });
    for (const side of [65_000, 16_000, 0])
      await expect(inspect(claimSides(small, { width: side, height: side }))).rejects.toThrow(InvalidMedia);
  });

  test("a HEIC that claims to be huge, or has a huge grid, is invalid", async () => {
    const heic = await drawPicture({ type: "heic" });
    const at = heic.indexOf("ispe") + 8;
    for (const side of [65_000, 8000, 0]) {
      const bomb = Buffer.from(heic);
      bomb.writeUInt32BE(side, at);
      bomb.writeUInt32BE(side, at + 4);
      await expect(prepare(bomb)).rejects.toThrow(InvalidMedia);
    }
  });

  test("a WebP with very many frames is rejected immediately", async () => {
    const moving = withFrames(await drawPicture({ type: "webp" }), 100_000);
    await expect(inspect(moving)).rejects.toThrow("more than 2000 frames");
  });

  test("the first frame of an animation is used, however many there are", async () => {
    const [first, second] = [await drawPicture(), await drawPicture({ orientation: 3 })];
    const frames = Array.from({ length: 100 }, (_, nth) => (nth % 2 === 0 ? first : second));
    const moving = await sharp(frames, { join: { animated: true } })
      .webp({ effort: 0 })
      .toBuffer();
    expect(await sharp(moving).metadata()).toMatchObject({ pages: 100 });
    const { read } = await prepare(moving);
    expect(await cornersOf(await read("full"))).toEqual(likeCorners);
  });
});

test("other files are invalid, whatever their name", async () => {
  const avif = await sharp(await drawPicture())
    .avif()
    .toBuffer();
  const gif = await sharp(await drawPicture())
    .gif()
    .toBuffer();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  for (const file of [avif, gif, svg, Buffer.from("\xff\xd8\xff\xe0 not a JPEG", "latin1")])
    await expect(inspect(file)).rejects.toThrow(InvalidMedia);
});

describe("a polyglot picture", () => {
  const page = Buffer.from("<html><script>alert(1)</script></html>");
  const drawing = Buffer.from('<SVG xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
  const within = {
    jpeg: (picture: Buffer, text: Buffer) => withSegment(picture, 0xfe, text),
    png: (picture: Buffer, text: Buffer) => withPngChunk(picture, "tEXt", text),
    webp: (picture: Buffer, text: Buffer) => withWebpChunk(picture, "XMP ", text),
    heic: (picture: Buffer, text: Buffer) => withManifest("heic", picture, text.toString()),
  };

  test.each(types)("is invalid, wherever in a %s the markup is", async (type) => {
    const picture = await drawPicture({ type });
    for (const text of [page, drawing])
      for (const both of [within[type](picture, text), Buffer.concat([picture, text])])
        await expect(inspect(both)).rejects.toThrow("markup");
  });

  test.each(types)("loses harmless data after the end of a %s", async (type) => {
    const picture = await drawPicture({ type });
    const { prepared, read } = await prepare(
      Buffer.concat([picture, Buffer.from("PK\x03\x04 a film of it")]),
    );
    expect(prepared.files.map(({ variant }) => variant)).toEqual(["full"]);
    expect((await read("full")).includes("film")).toBe(false);
  });
});

describe("the AI mark", () => {
  const code = "http://cv.iptc.org/newscodes/digitalsourcetype/";
  const marks = ["trainedAlgorithmicMedia", "compositeWithTrainedAlgorithmicMedia"] as const;

  test.each(marks)("%s is in every file", async (mark) => {
    await inFolder(async (folder) => {
      const path = join(folder, "sent");
      await writeFile(path, await drawPicture({ width: 800, height: 800 }));
      const pictures = [
        await preparePicture(path, folder, { mark }),
        await prepareAvatar(path, folder, { mark }),
      ];
      const files = pictures.flatMap((picture) => picture.files);
      expect(files.map(({ variant }) => variant)).toEqual(["full", "feed", "large", "small"]);
      const marked = { "XMP:DigitalSourceType": code + mark };
      expect(await factsOfEach(files.map(({ path }) => path))).toMatchObject(files.map(() => marked));
    });
  });

  test("in an upload is preserved, and otherwise none is added", async () => {
    const plain = await drawPicture();
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:e="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" e:DigitalSourceType="${code}trainedAlgorithmicMedia"/></rdf:RDF></x:xmpmeta>`;
    const marked = await sharp(plain).withXmp(xmp).toBuffer();
    expect((await prepare(marked)).prepared.mark).toBe("trainedAlgorithmicMedia");
    const assisted: Prepare = (path, folder) => preparePicture(path, folder, { mark: marks[1] });
    expect((await prepare(marked, assisted)).prepared.mark).toBe("trainedAlgorithmicMedia");
    const { prepared, read } = await prepare(plain);
    expect(prepared.mark).toBeNull();
    expect((await sharp(await read("full")).metadata()).xmp).toBeUndefined();
  });
});

describe.each(types)("content credentials of a %s", (type) => {
  test("make the original available unchanged, except a HEIC", async () => {
    const sent = withManifest(type, await drawPicture({ type }));
    const { prepared, read } = await prepare(sent);
    expect((await read("full")).includes("c2pa")).toBe(false);
    expect(prepared.files.map(({ variant }) => variant)).toEqual(
      type === "heic" ? ["full"] : ["full", "original"],
    );
    if (type !== "heic") expect((await read("original")).equals(sent)).toBe(true);
  });

  test("don't if the file says where it was taken", async () => {
    const sent = withManifest(type, await drawPicture({ type, withLocation: true }));
    const { prepared } = await prepare(sent);
    expect(prepared.files.map(({ variant }) => variant)).toEqual(["full"]);
  });
});

test.each<Picture & { sides: number[] }>([
  { type: "jpeg", width: 900, height: 600, orientation: 6, sides: [512, 128] },
  { type: "heic", width: 600, height: 900, sides: [512, 128] },
  { type: "png", width: 100, height: 50, sides: [50, 50] },
])("an avatar of a $type of $width × $height is square", async ({ sides, ...picture }) => {
  const { prepared } = await prepare(await drawPicture(picture), prepareAvatar);
  expect(prepared.files).toMatchObject([
    { variant: "large", width: sides[0], height: sides[0] },
    { variant: "small", width: sides[1], height: sides[1] },
  ]);
});

test("preparing a picture takes hardly any time or memory of this process", async () => {
  const bytes = await drawPicture({ type: "png", width: 4000, height: 3000 });
  await inFolder(async (folder) => {
    const path = join(folder, "sent");
    await writeFile(path, bytes);
    await inspectPicture(path);
    const cost = async () => {
      const before = process.cpuUsage();
      await preparePicture(path, folder, { mark: null });
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    expect(await lowestOf(100, cost)).toBeLessThan(100);
  });
});

/** Compares with a tolerance, because the encoding is lossy. */
const likeCorners = corners.map(({ r, g, b }) => [r, g, b].map((value) => expect.closeTo(value, -1.4)));

async function cornersOf(picture: Buffer): Promise<number[][]> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const [right, below] = [info.width - 4, info.height - 4];
  const places = [
    [3, 3],
    [right, 3],
    [right, below],
    [3, below],
  ];
  return places.map(([x = 0, y = 0]) => [...data.subarray((y * info.width + x) * 3).subarray(0, 3)]);
}

function groupsOf(facts: Record<string, unknown>): string[] {
  const groups = Object.keys(facts).map((name) => String(name.split(":")[0]));
  return [...new Set(groups)].filter((group) => !/SourceFile|ExifTool|Composite/.test(group)).sort();
}

async function inspect(bytes: Buffer) {
  return inFolder(async (folder) => {
    await writeFile(join(folder, "sent"), bytes);
    return inspectPicture(join(folder, "sent"));
  });
}

type Prepare = (path: string, outDir: string, wanted: Wanted) => Promise<PreparedPicture>;

/** Prepares a file with these bytes and a neutral name. */
async function prepare(bytes: Buffer, how: Prepare = preparePicture) {
  return inFolder(async (folder) => {
    const path = join(folder, "sent");
    await writeFile(path, bytes);
    const facts = await inspectPicture(path);
    const prepared = await how(path, folder, { mark: null });
    const files = new Map<string, Buffer>();
    for (const file of prepared.files) files.set(file.variant, await readFile(file.path));
    return { facts, prepared, read: async (variant: string) => files.get(variant) ?? Buffer.alloc(0) };
  });
}
