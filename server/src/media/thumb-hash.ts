import type { Sharp } from "sharp";
import { rgbaToThumbHash } from "thumbhash";

/** A picture's ThumbHash (a blurred preview), in base64. */
export async function thumbHashOf(picture: Sharp): Promise<string> {
  const tiny = picture.resize({ width: 100, height: 100, fit: "inside" }).ensureAlpha().raw();
  const { data, info } = await tiny.toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString("base64");
}
