import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { factsOf, factsOfEach, inFolder } from "@tandem/testing/pictures";
import { boxesOf, framesOf, makeVideo, type Video } from "@tandem/testing/videos";
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { InvalidMedia } from "./invalid-media.ts";
import { drawPoster as drawHere } from "./poster.ts";
import { drawPoster, inspectVideo, quickStart } from "./video.ts";

const videos: (Video & { facts: object })[] = [
  { facts: { type: "mp4", codec: "avc", hasAudio: true, width: 128, height: 96 } },
  { quickStart: true, sound: null, facts: { type: "mp4", codec: "avc", hasAudio: false } },
  { type: "mov", facts: { type: "mov", codec: "avc", hasAudio: true } },
  { rotation: 90, facts: { width: 96, height: 128 } },
  { type: "mov", rotation: 270, facts: { width: 96, height: 128 } },
  { rotation: 180, facts: { width: 128, height: 96 } },
  { fragmented: true, seconds: 3, facts: { type: "mp4", codec: "avc", hasAudio: true } },
  { withLocation: true, facts: { codec: "avc", hasAudio: true } },
  { codec: "hevc", facts: { codec: "hevc" } },
  { codec: "vp9", sound: "mp3", facts: { codec: "vp9", hasAudio: true } },
  { width: 7680, height: 16, seconds: 0.04, facts: { width: 7680, height: 16 } },
];

test.each(videos)(
  "$type $codec $turned $sound is inspected, and plays on as before",
  async ({ facts, ...video }) => {
    await inFolder(async (folder) => {
      const [path, outPath] = [join(folder, "sent"), join(folder, "out.mp4")];
      await writeFile(path, await makeVideo(video));
      const seen = await inspectVideo(path);
      expect(seen).toMatchObject(facts);
      expect(Math.abs(seen.duration - (video.seconds ?? 1))).toBeLessThan(0.15);
      await quickStart(path, outPath);
      expect(await inspectVideo(outPath)).toEqual({
        ...seen,
        type: "mp4",
        duration: expect.closeTo(seen.duration, 1),
      });
      const frames = await framesOf(path);
      expect(frames.length).toBeGreaterThan(0);
      expect((await framesOf(outPath)).sort()).toEqual(frames.sort());
      const boxes = boxesOf(await readFile(outPath));
      expect(boxes.indexOf("moov")).toBeLessThan(boxes.indexOf("mdat"));
      const [before, after] = await factsOfEach([path, outPath]);
      expect(after?.["Composite:Rotation"]).toBe(before?.["Composite:Rotation"]);
    });
  },
);

describe.each(["mp4", "mov"] as const)("the metadata of a %s", (type) => {
  test("loses location and device", async () => {
    await inFolder(async (folder) => {
      const [path, outPath] = [join(folder, "sent"), join(folder, "out.mp4")];
      const sent = await makeVideo({ type, withLocation: true, words: "N 52.5200 E 13.4100" });
      await writeFile(path, sent);
      await quickStart(path, outPath);
      const [before = {}, after = {}] = await factsOfEach([path, outPath]);
      expect(before).toHaveProperty("Composite:GPSLatitude");
      const out = await readFile(outPath);
      for (const word of ["+52.52", "N 52.5200", "52.5200N", "Acme Phone", "Acme Camera"]) {
        expect(sent.includes(word)).toBe(true);
        expect(out.includes(word)).toBe(false);
      }
      expect(Object.keys(after).filter((name) => /GPS|ocation|Model/.test(name))).toEqual([]);
    });
  });
});

test.each([
  { codec: "h264", says: /x264 - core/g, times: 1 },
  { codec: "hevc", says: /x265 \(build/g, times: 2 },
] as const)("the encoder's own metadata in $codec is removed", async ({ codec, says, times }) => {
  await inFolder(async (folder) => {
    const [path, outPath] = [join(folder, "sent"), join(folder, "out.mp4")];
    const sent = await makeVideo({ codec });
    expect(sent.toString("latin1").match(says)).toHaveLength(times);
    await writeFile(path, sent);
    await quickStart(path, outPath);
    expect(await readFile(outPath, "latin1")).not.toMatch(says);
  });
});

test("the AI mark is in the file, if there is one", async () => {
  await inFolder(async (folder) => {
    const [path, outPath] = [join(folder, "sent"), join(folder, "out.mp4")];
    await writeFile(path, await makeVideo());
    await quickStart(path, outPath, "trainedAlgorithmicMedia");
    const code = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia";
    expect(await inspectVideo(outPath)).toMatchObject({ codec: "avc" });
    // A mark that a video came with is kept, and no weaker one replaces it.
    const again = join(folder, "again.mp4");
    expect(await quickStart(outPath, again, "compositeWithTrainedAlgorithmicMedia")).toBe(
      "trainedAlgorithmicMedia",
    );
    const marked = { "XMP:DigitalSourceType": code };
    expect(await factsOfEach([outPath, again])).toMatchObject([marked, marked]);
    expect(await quickStart(path, again)).toBeNull();
    expect(await factsOf(again)).not.toHaveProperty("XMP:DigitalSourceType");
  });
});

test("trailing data after a video does no harm and is dropped", async () => {
  await inFolder(async (folder) => {
    const [path, outPath] = [join(folder, "sent"), join(folder, "out.mp4")];
    await writeFile(
      path,
      Buffer.concat([await makeVideo(), Buffer.from("\0\0\0\x05<script>alert(1)</script>PK")]),
    );
    await quickStart(path, outPath);
    expect((await readFile(outPath)).includes("<script>")).toBe(false);
  });
});

describe("a video is invalid", () => {
  test.each<Video & { why: RegExp }>([
    { codec: null, why: /no video track/ },
    { codec: "mpeg4", why: /video codec \(mp4v/ },
    { type: "mov", codec: "prores", sound: null, why: /prores/ },
    { type: "mov", sound: "pcm", why: /pcm/ },
    { width: 8208, height: 16, seconds: 0.04, why: /8208 × 16/ },
  ])("if it is $codec with $sound: $why", async ({ why, ...video }) => {
    await expect(facts(await makeVideo(video))).rejects.toThrow(why);
  });

  test("if it is truncated or empty", async () => {
    for (const quickStart of [true, false]) {
      const whole = await makeVideo({ quickStart });
      for (const part of [0.95, 0.5, 0.1, 0])
        await expect(facts(whole.subarray(0, whole.length * part))).rejects.toThrow(InvalidMedia);
    }
  });

  test("if its index lists more than the file contains", async () => {
    const video = await makeVideo({ sound: null });
    const at = video.indexOf("stsz") + 8;
    video.writeUInt32BE(video.length / 2, at);
    await expect(facts(video)).rejects.toThrow(InvalidMedia);
    video.writeUInt32BE(2 ** 32 - 1, at + 4);
    await expect(facts(video)).rejects.toThrow(InvalidMedia);
  });

  test("if its boxes are nested very deeply", async () => {
    const depth = 200_000;
    const nested = Buffer.alloc(depth * 8);
    for (let level = 0; level < depth; level++) {
      nested.writeUInt32BE(nested.length - level * 8, level * 8);
      nested.write("moov", level * 8 + 4);
    }
    await expect(facts(nested)).rejects.toThrow(InvalidMedia);
  });

  test("if it has too many tracks", async () => {
    const video = await makeVideo({ quickStart: true, seconds: 0.2 });
    const [moov, trak] = [boxIn(video, "moov"), boxIn(video, "trak")];
    const tracks = Buffer.concat([moov, ...Array<Buffer>(1000).fill(trak)]);
    tracks.writeUInt32BE(tracks.length);
    const sent = Buffer.concat([boxIn(video, "ftyp"), tracks]);
    await expect(facts(sent)).rejects.toThrow("more samples than");
  });

  test("if it is a picture or text", async () => {
    for (const file of [await sharp({ create: sheet }).jpeg().toBuffer(), Buffer.from("moov mdat ftyp")])
      await expect(facts(file)).rejects.toThrow("The file isn't an MP4 or MOV video.");
  });
});

function boxIn(video: Buffer, type: string): Buffer {
  const at = video.indexOf(type) - 4;
  return video.subarray(at, at + video.readUInt32BE(at));
}

const sheet = { width: 8, height: 8, channels: 3, background: "red" } as const;

test.each<Video>([{}, { fragmented: true }, { type: "mov", withLocation: true }])(
  "with any byte changed, %j is either read or invalid",
  { timeout: 180_000 },
  async (video) => {
    const whole = await makeVideo({ ...video, seconds: 0.4 });
    // Changes matter in the boxes; the rest is video and audio data.
    const index = whole.indexOf("moov");
    const place = fc.oneof(
      fc.nat(whole.length - 1),
      fc.integer({ min: index, max: Math.min(whole.length - 1, index + 3000) }),
    );
    const value = fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 127, 128, 255));
    const changes = fc.array(fc.tuple(place, value), { minLength: 1, maxLength: 12 });
    await inFolder(async (folder) => {
      const [path, outPath] = [join(folder, "sent"), join(folder, "out.mp4")];
      const read = async (changed: [number, number][]) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of changed) bytes[at] = byte;
        await writeFile(path, bytes);
        await inspectVideo(path);
        await quickStart(path, outPath);
        return readFile(outPath);
      };
      await fc.assert(
        fc.asyncProperty(changes, async (changed) => {
          const result = await read(changed).catch((error: unknown) => error);
          if (Buffer.isBuffer(result)) expect(result.length).toBeLessThan(whole.length * 2);
          else expect(result).toBeInstanceOf(InvalidMedia);
        }),
        { numRuns: 40 },
      );
    });
  },
);

describe("the poster", () => {
  test("is an upright frame of the video", async () => {
    await inFolder(async (folder) => {
      const [path, outPath] = [join(folder, "sent"), join(folder, "poster 100%.png")];
      for (const seconds of [0.2, 2]) {
        await rm(outPath, { force: true });
        await writeFile(path, await makeVideo({ seconds, rotation: 90, withLocation: true }));
        expect(await drawPoster(path, outPath)).toBe(outPath);
        expect(await sharp(outPath).metadata()).toMatchObject({ format: "png", width: 96, height: 128 });
        expect((await sharp(outPath).stats()).entropy).toBeGreaterThan(1);
      }
    });
  });

  test("is missing if the video can't be decoded or ffmpeg isn't installed", async () => {
    await inFolder(async (folder) => {
      const [path, outPath] = [join(folder, "sent"), join(folder, "poster.png")];
      await writeFile(path, "#EXTM3U\nfile:///etc/passwd\n");
      expect(await drawPoster(path, outPath)).toBeNull();
      await writeFile(path, await makeVideo());
      const { PATH } = process.env;
      expect(await drawHere({ path, outPath })).toBe(outPath);
      process.env.PATH = folder;
      try {
        expect(await drawHere({ path, outPath })).toBeNull();
      } finally {
        process.env.PATH = PATH;
      }
    });
  });
});

async function facts(bytes: Buffer) {
  return inFolder(async (folder) => {
    await writeFile(join(folder, "sent"), bytes);
    return inspectVideo(join(folder, "sent"));
  });
}
