import { open } from "node:fs/promises";

/** Flushes a file's content or a directory's entries to the disk, so that they survive a power loss. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
