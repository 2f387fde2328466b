import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inFolder } from "@tandem/testing/pictures";
import { expect, test } from "vitest";
import { kindOf } from "./kind.ts";

test.each([
  ["\xff\xd8\xff\xe1", "jpeg"],
  ["\x89PNG\r\n\x1a\n", "png"],
  ["RIFF\x10\0\0\0WEBPVP8 ", "webp"],
  [ftyp("heic"), "heic"],
  [ftyp("heix", "mif1"), "heic"],
  [ftyp("mif1", "miaf", "heic"), "heic"],
  [ftyp("msf1", "hevc"), "heic"],
  [ftyp("mif1", "avif"), null],
  [ftyp("mif1"), null],
  [ftyp("avif", "mif1", "heic"), null],
  [ftyp("isom", "iso2", "avc1", "mp41"), "mp4"],
  [ftyp("mp42"), "mp4"],
  [ftyp("M4V ", "mp42"), "mp4"],
  [ftyp("XAVC", "mp42", "iso2"), "mp4"],
  [ftyp("M4A "), null],
  [ftyp("qt  "), "mov"],
  ["\0\0\0\x08wide\0\0\0\x08mdat", "mov"],
  ["\0\0\x01\0moov", "mov"],
  ["GIF89a", null],
  ["<svg", null],
  ["%PDF-1.7", null],
  ["\x1aE\xdf\xa3webm", null],
  ["RIFF\x10\0\0\0WAVE", null],
  ["\xff\xd8", null],
  ["\0\0\0\x14ftyp", null],
  ["", null],
])("%j is %s", async (head, kind) => {
  await inFolder(async (folder) => {
    // The name claims another type.
    const path = join(folder, kind === "jpeg" ? "film.mp4" : "photo.jpg");
    await writeFile(path, head, "latin1");
    expect(await kindOf(path)).toBe(kind);
  });
});

function ftyp(major: string, ...others: string[]): string {
  return `\0\0\0${String.fromCharCode(16 + 4 * others.length)}ftyp${major}\0\0\0\0${others.join("")}`;
}
