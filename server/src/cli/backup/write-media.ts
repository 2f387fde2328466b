import { createHash, type Hash } from "node:crypto";
import type { Readable } from "node:stream";
import type { Store, StoredBytes } from "../../media/store.ts";
import type { Db } from "../../storage/storage.ts";
import type { ArchiveWriter } from "./archive.ts";
import { type Manifest, MEDIA } from "./manifest.ts";

/** Names per query. */
const BATCH = 500;

/** Writes media files to a backup, each once: a name never gets another content. */
export class MediaWriter {
  readonly #store: Store;
  readonly #archive: ArchiveWriter;
  readonly #onFile: () => void;
  readonly #names = new Set<string>();
  readonly #sum = createHash("sha256");
  #bytes = 0;

  constructor(store: Store, archive: ArchiveWriter, onFile: () => void) {
    this.#store = store;
    this.#archive = archive;
    this.#onFile = onFile;
  }

  /** Writes the files that the database names and that aren't written yet. Returns how many are missing although they are used. */
  async write(db: Db): Promise<number> {
    let missing = 0;
    for await (const name of mediaNames(db)) {
      if (this.#names.has(name)) continue;
      if (await this.#add(name)) this.#onFile();
      else if (await isUsed(db, name)) missing += 1;
    }
    return missing;
  }

  get written(): Omit<Manifest["media"], "missing"> {
    return { files: this.#names.size, bytes: this.#bytes, sha256: this.#sum.copy().digest("hex") };
  }

  async #add(name: string): Promise<boolean> {
    const stored = await this.#store.open(name);
    if (!stored) return false;
    try {
      const content = await this.#read(name, stored);
      if (!content) return false;
      const own = createHash("sha256");
      await this.#archive.add(MEDIA + name, stored.bytes, hashed(content, own));
      this.#sum.update(mediaLine(own, name));
    } finally {
      await stored[Symbol.asyncDispose]();
    }
    this.#names.add(name);
    this.#bytes += stored.bytes;
    return true;
  }

  /** Null if the file was deleted since it was opened, which S3 notices only now. */
  async #read(name: string, stored: StoredBytes): Promise<Readable | null> {
    try {
      return await stored.stream();
    } catch (error) {
      const again = await this.#store.open(name);
      await again?.[Symbol.asyncDispose]();
      if (again) throw error;
      return null;
    }
  }
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

/** Whether a post, an account, a draft or a community has the file. Files are deleted before their rows are. */
async function isUsed(db: Db, name: string): Promise<boolean> {
  const row = await db
    .selectFrom("media_files")
    .innerJoin("media", "media.id", "media_files.media_id")
    .select(["post_id", "user_id", "draft_id", "community_id"])
    .where("name", "=", name)
    .executeTakeFirst();
  return row !== undefined && (row.post_id ?? row.user_id ?? row.draft_id ?? row.community_id) !== null;
}
