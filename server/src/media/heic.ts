import { crc32, deflateSync } from "node:zlib";
import { limits } from "@tandem/contract/limits";
import type libheif from "libheif-js/wasm-bundle.js";
import sharp, { type ResizeOptions, type Sharp } from "sharp";

type LibHeif = typeof libheif;

/**
 * Decodes a HEIC, which sharp can't, to a sharp image: upright, in this size and with its color profile. Throws if it
 * can't be decoded.
 */
export async function decodeHeic(
  bytes: Buffer,
  profile: Buffer | undefined,
  size: ResizeOptions,
): Promise<Sharp> {
  // Loaded on demand, because the decoder is large.
  const { default: heif } = await import("libheif-js/wasm-bundle.js");
  const context = heif.heif_context_alloc();
  try {
    const { code, message } = heif.heif_context_read_from_memory(context, bytes);
    if (code !== heif.heif_error_code.heif_error_Ok) throw new Error(message);
    const small = await decodePrimary(heif, context, size);
    return sharp(profile ? withProfile(small, profile) : small);
  } finally {
    heif.heif_context_free(context);
  }
}

/** Returns a small PNG, because libheif's memory with the decoded pixels is freed with the image. */
async function decodePrimary(heif: LibHeif, context: object, size: ResizeOptions): Promise<Buffer> {
  const handle = heif.heif_js_context_get_primary_image_handle(context);
  if ("code" in handle) throw new Error("The file contains no image");
  try {
    const [width, height] = [
      heif.heif_image_handle_get_width(handle),
      heif.heif_image_handle_get_height(handle),
    ];
    if (width * height > limits.picturePixels) throw new Error("The image is larger than its header says");
    const transparent = heif.heif_image_handle_has_alpha_channel(handle) !== 0;
    const { heif_chroma_interleaved_RGB, heif_chroma_interleaved_RGBA } = heif.heif_chroma;
    const chroma = transparent ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
    const decoded = await heif.heif_js_decode_image2(
      handle,
      heif.heif_colorspace.heif_colorspace_RGB,
      chroma,
    );
    if ("code" in decoded) throw new Error(decoded.message);
    try {
      const pixels = decoded.channels[0];
      if (!pixels) throw new Error("The image has no pixels");
      const channels = transparent ? 4 : 3;
      const raw = { width: pixels.width, height: pixels.height, channels } as const;
      return await sharp(packed(pixels, channels), { raw })
        .resize(size)
        .png({ compressionLevel: 1 })
        .toBuffer();
    } finally {
      heif.heif_image_release(decoded.image);
    }
  } finally {
    heif.heif_image_handle_release(handle);
  }
}

interface Rows {
  data: Uint8Array;
  width: number;
  height: number;
  stride: number;
}

/** Removes the padding that libheif may leave between rows. */
function packed({ data, width, height, stride }: Rows, channels: number): Uint8Array {
  const row = width * channels;
  if (stride === row) return data;
  const tight = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) tight.set(data.subarray(y * stride, y * stride + row), y * row);
  return tight;
}

const AFTER_HEADER = 33;

/** Adds a color profile to a PNG. (sharp can't attach one to raw pixels.) */
function withProfile(png: Buffer, profile: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from("iCCPp\0\0"), deflateSync(profile)]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(named.length - 4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([png.subarray(0, AFTER_HEADER), length, named, sum, png.subarray(AFTER_HEADER)]);
}
