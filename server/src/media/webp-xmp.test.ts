import sharp from "sharp";
import { expect, test } from "vitest";
import { sourceTypeIn, xmpOf } from "./source-type.ts";
import { withXmp } from "./webp-xmp.ts";

const pixels = (channels: 3 | 4) =>
  sharp({ create: { width: 33, height: 7, channels, background: { r: 9, g: 99, b: 199, alpha: 0.5 } } });

test.each([
  ["lossy", pixels(3).webp()],
  ["lossless", pixels(3).webp({ lossless: true })],
  ["lossless with transparency", pixels(4).webp({ lossless: true })],
  ["lossy with transparency", pixels(4).webp()],
  ["one with another mark", pixels(3).withXmp(xmpOf("compositeWithTrainedAlgorithmicMedia")).webp()],
])("replaces the XMP of a WebP without touching its pixels: %s", async (_, picture) => {
  const before = await picture.toBuffer();
  const after = withXmp(before, xmpOf("trainedAlgorithmicMedia"));
  const { width, height, hasAlpha, format, xmpAsString } = await sharp(after).metadata();
  expect(sourceTypeIn(xmpAsString)).toBe("trainedAlgorithmicMedia");
  expect(xmpAsString?.match(/digitalsourcetype/g)).toHaveLength(1);
  expect({ width, height, hasAlpha, format }).toEqual({
    ...{ width: 33, height: 7, format: "webp" },
    hasAlpha: (await sharp(before).metadata()).hasAlpha,
  });
  expect(await sharp(after).raw().toBuffer()).toEqual(await sharp(before).raw().toBuffer());
  expect(withXmp(after, xmpOf("trainedAlgorithmicMedia"))).toEqual(after);
});
