import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ImportPart, ImportPlatform } from "@tandem/contract/imports";
import { limits } from "@tandem/contract/limits";
import {
  type Archived,
  type ArchivedPost,
  type ArchivedText,
  ArchiveError,
  type ArchiveReader,
  type ArchiveTask,
  Collector,
  type Contents,
} from "./archive.ts";
import { bluesky } from "./bluesky.ts";
import { bytesOf, entriesOf, type Format, formatOf, MAX_TEXT, singleFile } from "./entries.ts";
import { writeItems } from "./items.ts";
import { mastodon } from "./mastodon.ts";
import { reddit } from "./reddit.ts";
import { x } from "./x.ts";

const readers: Record<ImportPlatform, ArchiveReader> = { mastodon, bluesky, x, reddit };

/** Bytes of all files that are read into memory. */
const MAX_TEXTS = 2 * MAX_TEXT;

/** Reads an export in two passes: first its texts, then the pictures of the posts that will be imported. Throws {@link ArchiveError}. */
export async function readArchive(task: ArchiveTask): Promise<Contents> {
  const format = await formatOf(task.path);
  const reader = readers[task.platform];
  const texts =
    format === "single" ? await singleText(task, reader) : await textsOf(task.path, format, reader);
  if (texts.length === 0) throw new ArchiveError("not_recognized");
  const collector = new Collector(task);
  reader.read(texts, collector);
  const { found } = collector;
  const posts = [...found.posts.values()].sort((a, b) => a.postedAt - b.postedAt).slice(-limits.importPosts);
  const latest = <T>(items: ReadonlyMap<string, T>): T[] => [...items.values()].slice(-limits.importNames);
  const items: { [Part in ImportPart]: Archived[Part][] } = {
    posts,
    follows: latest(found.follows),
    communities: latest(found.communities),
    lists: latest(found.lists),
    mutes: latest(found.mutes),
    blocks: latest(found.blocks),
    bookmarks: latest(found.bookmarks),
  };
  // The contract lists them, too, but next to its schemas: loading those takes longer than reading most exports.
  const parts = Object.keys(items) as ImportPart[];
  for (const part of parts) collector.leave(part, "too_many", found[part].size - items[part].length);
  await extractPictures(task, format, posts);
  const totals = {} as Contents["totals"];
  for (const part of parts) {
    await writeItems(task.folder, part, items[part]);
    totals[part] = items[part].length;
  }
  return { totals, left: collector.left };
}

async function singleText({ path, parts }: ArchiveTask, reader: ArchiveReader): Promise<ArchivedText[]> {
  const bytes = await singleFile(path);
  const name = reader.nameOf(bytes, parts);
  return name === null ? [] : [{ name, bytes }];
}

async function textsOf(path: string, format: Exclude<Format, "single">, reader: ArchiveReader) {
  const texts: ArchivedText[] = [];
  let left = MAX_TEXTS;
  for await (const entry of entriesOf(path, format)) {
    if (!reader.reads(entry.name)) continue;
    const bytes = await bytesOf(entry, Math.min(left, MAX_TEXT));
    left -= bytes.length;
    texts.push({ name: entry.name, bytes });
  }
  return texts;
}

/** Extracts the first pictures of each post, under names of our own. What isn't there or is too large is lost to the post. */
async function extractPictures(
  { path, folder }: ArchiveTask,
  format: Format,
  posts: readonly ArchivedPost[],
): Promise<void> {
  // A post of a forged export can have any number, all of the same file.
  const firstOf = ({ pictures }: ArchivedPost) => pictures.slice(0, limits.picturesPerPost);
  const wanted = new Set(posts.flatMap((post) => firstOf(post).map((one) => one.path)));
  const extracted = new Map<string, string>();
  if (wanted.size > 0 && format !== "single") {
    // Pictures hardly compress.
    let left = 2 * (await stat(path)).size + limits.imageBytes;
    for await (const entry of entriesOf(path, format)) {
      const end = endsOf(entry.name).find((one) => wanted.has(one));
      if (end === undefined || extracted.has(end)) continue;
      const bytes = await bytesOf(entry, limits.imageBytes).catch(tooLargeAsNull);
      left -= bytes?.length ?? 0;
      if (left < 0) throw new ArchiveError("too_large");
      if (bytes === null || bytes.length === 0) continue;
      const target = join(folder, `picture-${extracted.size}`);
      await writeFile(target, bytes);
      extracted.set(end, target);
      if (extracted.size === wanted.size) break;
    }
  }
  for (const post of posts) {
    const found = firstOf(post).flatMap(({ path: end, alt }) => {
      const target = extracted.get(end);
      return target ? [{ path: target, alt }] : [];
    });
    if (found.length < post.pictures.length) post.losesMedia = true;
    post.pictures = found;
  }
}

function tooLargeAsNull(error: unknown): null {
  if (error instanceof ArchiveError && error.problem === "too_large") return null;
  throw error;
}

/** The ends of a path, from whole to its last part. */
function endsOf(name: string): string[] {
  const parts = name.split("/").slice(-20);
  return parts.map((_, i) => parts.slice(i).join("/"));
}
