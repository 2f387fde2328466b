import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "@tandem/server/build/bundle";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dist = join(root, "bench", "dist", "without-log");

/** What replaces the modules of the transparency log that writes and the background jobs use. */
const replacements = {
  "/features/transparency-log/append.ts": `
    export const logPosts = async () => {};
    export const logReplacedFiles = async () => {};
    export const logComment = async () => {};
    export const logDeletions = async () => {};
    export const forgetDroppedVersions = async () => {};
    export const mediaOf = async () => null;
    export const operatorsOf = async () => new Map();
    export const operatorOf = async () => null;`,
  "/features/transparency-log/current.ts": `
    export const logCurrent = async () => {};
    export const logCurrentDeletions = async () => {};
    export const findCurrent = async () => null;`,
  "/features/transparency-log/first-entries.ts": `
    export const newFirstEntry = () => null;
    export const firstEntryOf = () => null;
    export const settleFirstEntries = async () => {};`,
  "/features/transparency-log/integrate.ts": "export const integrate = async () => {};",
};

/** Builds a service in which nothing is logged, and no job looks for it. Returns its script. */
export async function buildWithoutLog(): Promise<string> {
  const load = (id: string) => Object.entries(replacements).find(([path]) => id.endsWith(path))?.[1] ?? null;
  const { outputs } = await bundle(root, dist, [{ name: "without-log", load }]);
  await mkdir(dist, { recursive: true });
  for (const { fileName, code } of outputs) await writeFile(join(dist, fileName), code);
  return join(dist, "main.js");
}
