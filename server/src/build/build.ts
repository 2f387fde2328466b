import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildIfNeeded as buildWebIfNeeded } from "@tandem/web/build/build";
import { digestOf } from "@tandem/web/build/sources";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const dist = join(root, "server", "dist");
const STAMP = join(dist, "built-from.json");

/** What a build was made from, and what it wrote. */
interface Stamp {
  digest: string;
  /** Our own modules in the bundle and the lock file, relative to the repository. */
  sources: string[];
  /** The names of the files written to `server/dist`. */
  files: string[];
}

/** Bundles the service and the command line into `server/dist`, unless their sources are those of the last build. */
async function buildServerIfNeeded(): Promise<boolean> {
  const last = await readStamp();
  if (last && last.digest === (await digestOfSources(last.sources))) return false;
  const { bundle } = await import("./bundle.ts");
  const { modules, files } = await bundle(root, dist);
  const sources = ["package-lock.json", ...modules.map((module) => relative(root, module)).sort()];
  // A process that still runs the last build may load its chunks later, so they go one build after they were replaced.
  const stale = (await filesIn(dist)).filter((file) => !files.includes(file) && !last?.files.includes(file));
  await Promise.all(stale.map((file) => rm(join(dist, file))));
  const stamp: Stamp = { digest: await digestOfSources(sources), sources, files };
  // Written last, so that an interrupted build is done again.
  await writeFile(STAMP, JSON.stringify(stamp, null, 2));
  return true;
}

function readStamp(): Promise<Stamp | null> {
  return readFile(STAMP, "utf8").then(JSON.parse, () => null);
}

function digestOfSources(sources: readonly string[]): Promise<string> {
  return digestOf(
    root,
    sources.map((source) => join(root, source)),
  );
}

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".js"));
}

try {
  if (await buildWebIfNeeded()) console.log("Built the web app.");
  if (await buildServerIfNeeded()) console.log("Built the server.");
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
  console.error("Tandem has to be built, which needs the development dependencies: run `npm ci` first.");
  process.exitCode = 1;
}
