import { hash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Gallery, paintGallery } from "@tandem/seed/gallery";
import type { Random } from "@tandem/seed/random";
import { inFolder } from "../../media/folder.ts";
import { mediaAddress } from "../../media/names.ts";
import type { MediaFile } from "../../media/rows.ts";
import type { Store } from "../../media/store.ts";

/** Where the pictures are stored, and a directory for temporary files. */
export interface PictureStore {
  store: Store;
  incoming: string;
}

export interface StoredGallery {
  gallery: Gallery;
  files: MediaFile[];
}

/** Paints and stores the pictures of demo data with so many posts. */
export function storeGallery(
  { store, incoming }: PictureStore,
  random: Random,
  posts: number,
): Promise<StoredGallery> {
  return inFolder(incoming, async (folder) => {
    const files: MediaFile[] = [];
    const gallery = await paintGallery(random, posts, async ({ name: stem, extension, bytes, ...file }) => {
      const name = `${stem}.${extension}`;
      const path = join(folder, name);
      await writeFile(path, bytes);
      await store.put(name, path);
      files.push({ ...file, name, bytes: bytes.length, sha256: hash("sha256", bytes, "hex") });
      return mediaAddress(name);
    });
    return { gallery, files };
  });
}
