import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ImportPart } from "@tandem/contract/imports";
import type { Archived } from "./archive.ts";

/*
 * The items of an export, in files of a few each: the service reads one file at a time, so it needs no more memory for a large export than for a
 * small one.
 */

/** Items per file. */
const SIZES: Record<ImportPart, number> = {
  posts: 25,
  follows: 200,
  communities: 200,
  lists: 200,
  mutes: 200,
  blocks: 200,
  bookmarks: 200,
};

const pathOf = (folder: string, part: ImportPart, file: number) => join(folder, `${part}-${file}.json`);

export async function writeItems<Part extends ImportPart>(
  folder: string,
  part: Part,
  items: readonly Archived[Part][],
): Promise<void> {
  const size = SIZES[part];
  for (let at = 0; at < items.length; at += size)
    await writeFile(pathOf(folder, part, at / size), JSON.stringify(items.slice(at, at + size)));
}

/** Some items, in the order in which they are imported, from this one on. */
export async function readItems<Part extends ImportPart>(
  folder: string,
  part: Part,
  from: number,
): Promise<Archived[Part][]> {
  const size = SIZES[part];
  const file = Math.floor(from / size);
  const items = JSON.parse(await readFile(pathOf(folder, part, file), "utf8")) as Archived[Part][];
  return items.slice(from - file * size);
}
