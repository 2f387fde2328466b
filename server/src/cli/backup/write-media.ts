import { createHash, type Hash } from "node:crypto";
import type { Readable } from "node:stream";
import type { Store } from "../../media/store.ts";
import type { Db } from "../../storage/storage.ts";
import type { ArchiveWriter } from "./archive.ts";
import { type Manifest, MEDIA } from "./manifest.ts";

/** Names per query. */
const BATCH = 500;

/**
 * Writes all media files that the database names now. That includes those of an earlier snapshot, except what was deleted
 * since.
 */
export async function writeMedia(
  db: Db,
  store: Store,
  archive: ArchiveWriter,
  onFile: () => void,
): Promise<Manifest["media"]> {
  const sum = createHash("sha256");
  const written = { files: 0, bytes: 0, missing: 0 };
  for await (const name of mediaNames(db)) {
    const stored = await store.open(name);
    if (stored) {
      try {
        const own = createHash("sha256");
        await archive.add(MEDIA + name, stored.bytes, hashed(await stored.stream(), own));
        sum.update(mediaLine(own, name));
      } finally {
        await stored[Symbol.asyncDispose]();
      }
      written.files += 1;
      written.bytes += stored.bytes;
    } else if (await isUsed(db, name)) {
      written.missing += 1;
    }
    onFile();
  }
  return { ...written, sha256: sum.digest("hex") };
}

/** What the checksum of all media covers for one file. */
export function mediaLine(own: Hash, name: string): string {
  return `${own.digest("hex")}  ${MEDIA}${name}\n`;
}

/** Passes content on and adds it to a hash. */
export async function* hashed(content: Readable | AsyncIterable<Uint8Array>, hash: Hash) {
  for await (const chunk of content as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    yield chunk;
  }
}

async function* mediaNames(db: Db) {
  for (let after = ""; ; ) {
    const rows = await db
      .selectFrom("media_files")
      .select("name")
      .where("name", ">", after)
      .orderBy("name")
      .limit(BATCH)
      .execute();
    for (const { name } of rows) yield name;
    const last = rows.at(-1);
    if (!last) return;
    after = last.name;
  }
}

/** Whether a post, an account or a draft has the file. Files are deleted before their rows are. */
async function isUsed(db: Db, name: string): Promise<boolean> {
  const row = await db
    .selectFrom("media_files")
    .innerJoin("media", "media.id", "media_files.media_id")
    .select(["post_id", "user_id", "draft_id"])
    .where("name", "=", name)
    .executeTakeFirst();
  return row !== undefined && (row.post_id ?? row.user_id ?? row.draft_id) !== null;
}
