import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Does work in a new folder inside `directory`; it is gone afterwards, with all that is left in it. */
export async function inFolder<T>(directory: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(directory, { recursive: true });
  const folder = await mkdtemp(join(directory, "work-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes what was left in `directory` before that time, in milliseconds since 1970, by processes that died. */
export async function sweepFolders(directory: string, before: number): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const path = join(directory, name);
    const since = (await stat(path).catch(() => null))?.mtimeMs;
    if (since !== undefined && since < before) await rm(path, { recursive: true, force: true });
  }
}
