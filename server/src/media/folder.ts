import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Runs work in a new temporary folder inside `directory`, and deletes the folder with its contents afterwards. */
export async function inFolder<T>(directory: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(directory, { recursive: true });
  const folder = await mkdtemp(join(directory, "work-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Deletes entries of `directory` older than `before` (milliseconds since 1970), left by processes that died. */
export async function sweepFolders(directory: string, before: number): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const path = join(directory, name);
    const since = (await stat(path).catch(() => null))?.mtimeMs;
    if (since !== undefined && since < before) await rm(path, { recursive: true, force: true });
  }
}
