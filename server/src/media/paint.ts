import sharp from "sharp";
import { thumbHashOf } from "./thumb-hash.ts";

/** A drawing of ours as a picture, no wider than that. */
export function paint(svg: string, width: number): Promise<Buffer> {
  const picture = sharp(Buffer.from(svg)).resize({ width, withoutEnlargement: true });
  // Half the time of the usual effort, for a tenth more bytes.
  return picture.webp({ quality: 80, effort: 2 }).toBuffer();
}

export function blurOf(svg: string): Promise<string> {
  return thumbHashOf(sharp(Buffer.from(svg)));
}

/** Drawings of one size as a picture that moves, for ever. */
export async function paintLoop(frames: readonly string[], milliseconds: number): Promise<Buffer> {
  const pages = await Promise.all(frames.map((svg) => sharp(Buffer.from(svg)).png().toBuffer()));
  return sharp(pages, { join: { animated: true } })
    .webp({ quality: 80, delay: frames.map(() => milliseconds), loop: 0 })
    .toBuffer();
}
