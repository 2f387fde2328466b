import { createHash, type Hash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { type ArchivedFile, bytesOf, damaged, readArchive } from "./archive.ts";
import {
  MANIFEST,
  MANIFEST_SUM,
  type Manifest,
  MEDIA,
  parseManifest,
  partName,
  tableOfPart,
} from "./manifest.ts";
import { mediaLine } from "./write-media.ts";

const decompress = promisify(gunzip);

/** The most bytes of a part or a manifest, compressed or not. */
const LARGEST = 2 ** 29;

/**
 * Reads a whole backup and compares everything in it with its checksums. Throws a {@link Refusal} if it is damaged or
 * incomplete.
 */
export async function verifyArchive(path: string, onBytes: (bytes: number) => void): Promise<Manifest> {
  const found = new Contents();
  for await (const file of readArchive(path, onBytes)) await found.add(file);
  return found.manifest();
}

/** What was read of a backup. */
class Contents {
  readonly #tables = new Map<string, { rows: number; parts: number; sum: Hash }>();
  readonly #media = { files: 0, bytes: 0, sum: createHash("sha256") };
  #manifest: Buffer | null = null;
  #manifestSum: Buffer | null = null;

  async add(file: ArchivedFile): Promise<void> {
    const table = tableOfPart(file.name);
    if (table !== null) await this.#addPart(table, file);
    else if (file.name.startsWith(MEDIA)) await this.#addMedia(file);
    else if (file.name === MANIFEST) this.#manifest = await bytesOf(file, LARGEST);
    else if (file.name === MANIFEST_SUM) this.#manifestSum = await bytesOf(file, LARGEST);
    else throw damaged(`it contains ${JSON.stringify(file.name)}, which no backup does`);
  }

  async #addPart(table: string, file: ArchivedFile): Promise<void> {
    const found = this.#tables.get(table) ?? { rows: 0, parts: 0, sum: createHash("sha256") };
    this.#tables.set(table, found);
    found.parts += 1;
    if (file.name !== partName(table, found.parts)) throw damaged(`a part of table ${table} is missing`);
    const lines = await readPart(file);
    found.sum.update(lines);
    for (let at = lines.indexOf("\n"); at >= 0; at = lines.indexOf("\n", at + 1)) found.rows += 1;
  }

  async #addMedia({ name, size, content }: ArchivedFile): Promise<void> {
    const own = createHash("sha256");
    for await (const chunk of content) own.update(chunk);
    this.#media.sum.update(mediaLine(own, name.slice(MEDIA.length)));
    this.#media.files += 1;
    this.#media.bytes += size;
  }

  /** Throws a {@link Refusal} unless everything is there and has its checksum. */
  manifest(): Manifest {
    if (!this.#manifest || !this.#manifestSum) throw damaged("its end is missing");
    const sum = createHash("sha256").update(this.#manifest).digest("hex");
    if (this.#manifestSum.toString() !== manifestSumLine(sum))
      throw damaged(`${MANIFEST} has another checksum`);
    const manifest = parseManifest(this.#manifest.toString());
    for (const { name, rows, sha256 } of manifest.tables) {
      const found = this.#tables.get(name);
      if ((found?.rows ?? 0) !== rows || (found?.sum ?? createHash("sha256")).digest("hex") !== sha256)
        throw damaged(`table ${name} has another checksum`);
    }
    const unlisted = [...this.#tables.keys()].find(
      (name) => !manifest.tables.some((table) => table.name === name),
    );
    if (unlisted !== undefined) throw damaged(`it contains a table ${unlisted} that it doesn't list`);
    const { files, bytes, sum: media } = this.#media;
    const same = files === manifest.media.files && bytes === manifest.media.bytes;
    if (!same || media.digest("hex") !== manifest.media.sha256)
      throw damaged("the media have another checksum");
    return manifest;
  }
}

export function manifestSumLine(sha256: string): string {
  return `${sha256}  ${MANIFEST}\n`;
}

/** The lines of a table's part. */
export async function readPart(file: ArchivedFile): Promise<Buffer> {
  const bytes = await bytesOf(file, LARGEST);
  return decompress(bytes, { maxOutputLength: LARGEST }).catch(() => {
    throw damaged(`${file.name} can't be read`);
  });
}
