import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { inFolder } from "../../media/folder.ts";
import { isMediaName } from "../../media/names.ts";
import type { Store } from "../../media/store.ts";
import { damaged, readArchive } from "./archive.ts";
import { type Manifest, MEDIA } from "./manifest.ts";
import { hashed, mediaLine } from "./write-media.ts";

/**
 * Stores the media files of a verified backup. Files of the same name are replaced by the same content. No one sees the files
 * before the database names them; if it never does, the service deletes them after a day.
 */
export async function loadMedia(
  path: string,
  { media }: Manifest,
  { store, incoming }: { store: Store; incoming: string },
  onFile: () => void,
): Promise<void> {
  if (media.files === 0) return;
  const sum = createHash("sha256");
  await inFolder(incoming, async (folder) => {
    for await (const file of readArchive(path)) {
      if (!file.name.startsWith(MEDIA)) continue;
      const name = file.name.slice(MEDIA.length);
      if (!isMediaName(name)) throw damaged(`${JSON.stringify(name)} is no media file's name`);
      const own = createHash("sha256");
      const staged = join(folder, name);
      await pipeline(hashed(file.content, own), createWriteStream(staged));
      sum.update(mediaLine(own, name));
      await store.put(name, staged);
      onFile();
    }
  });
  if (sum.digest("hex") !== media.sha256) throw damaged("the media have another checksum");
}
