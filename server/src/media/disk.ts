import { createReadStream } from "node:fs";
import { copyFile, open, opendir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createDirectory } from "../storage/create-directory.ts";
import { flush } from "../storage/flush.ts";
import type { Range, Store, StoredBytes } from "./store.ts";

/** Stores media in a directory. Files are moved there, or copied if they are on another disk. */
export function diskStore(directory: string): Store {
  // Subfolders keep directories at thousands of files instead of millions, so that tools stay fast.
  const pathOf = (name: string) => join(directory, name.slice(0, 2), name);
  return {
    async put(name, path) {
      const target = pathOf(name);
      createDirectory(dirname(target));
      await flush(path);
      await move(path, target);
      await flush(dirname(target));
      await flush(directory);
    },
    open: (name) => openFile(pathOf(name)),
    async withFile(name, work) {
      const path = pathOf(name);
      return (await exists(path)) ? work(path) : null;
    },
    async remove(names) {
      for (const name of names) await rm(pathOf(name), { force: true });
    },
    list: () => listFiles(directory),
  };
}

/** Copies straight to the final name: no one knows it before the copy is complete. */
async function move(path: string, target: string): Promise<void> {
  try {
    await rename(path, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    await copyFile(path, target);
    await flush(target);
  }
}

async function openFile(path: string): Promise<StoredBytes | null> {
  const handle = await open(path).catch(absent);
  if (!handle) return null;
  let streamed = false;
  return {
    bytes: (await handle.stat()).size,
    async stream(range?: Range) {
      streamed = true;
      return createReadStream("", {
        fd: handle,
        ...(range && { start: range.first, end: range.last }),
      });
    },
    async [Symbol.asyncDispose]() {
      if (!streamed) await handle.close();
    },
  };
}

async function* listFiles(directory: string) {
  const files = await opendir(directory, { recursive: true }).catch(absent);
  if (!files) return;
  for await (const file of files) {
    if (!file.isFile()) continue;
    const found = await stat(join(file.parentPath, file.name)).catch(absent);
    if (found) yield { name: file.name, storedAt: found.mtimeMs };
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(absent)) !== null;
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
