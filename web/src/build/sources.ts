import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";

/**
 * A SHA-256 digest of the files' names (relative to `root`) and contents, in the given order. A missing file
 * hashes as "missing".
 */
export async function digestOf(root: string, files: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files)
    hash.update(relative(root, file)).update(await readFile(file).catch(() => "missing"));
  return hash.digest("hex");
}

/** All files below a path, sorted, without tests. If the path is a file, only that file. */
export async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
  if (!entries) return [path];
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
