import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { digestOf } from "@tandem/web/build/sources";

/** Files that affect the bundle besides its modules. */
const ALSO = [
  "package-lock.json",
  "server/package.json",
  "server/src/build/build-server.ts",
  "server/src/build/bundle.ts",
];

/** A build's inputs and outputs. */
interface Stamp {
  digest: string;
  /** Relative to the repository. */
  sources: string[];
  /** Names of the files in `server/dist`. */
  files: string[];
}

/**
 * Bundles the service and the command line of the repository at `root` into `server/dist`, unless their sources are
 * unchanged since the last build. Calls `onBuild` before building, and resolves to whether it built.
 */
export async function buildServerIfNeeded(root: string, onBuild = () => {}): Promise<boolean> {
  const dist = join(root, "server", "dist");
  const stampFile = join(dist, "built-from.json");
  const last = await readStamp(stampFile);
  if (last && last.digest === (await digestOfSources(root, last.sources))) return false;
  onBuild();
  // Without a stamp, an interrupted build is done again.
  await rm(stampFile, { force: true });
  const begun = Date.now();
  const { bundle } = await import("./bundle.ts");
  const { modules, outputs } = await bundle(root, dist);
  await mkdir(dist, { recursive: true });
  // Entry points come last, and each file appears whole: a process may start meanwhile.
  for (const { fileName, code } of outputs) {
    await writeFile(join(dist, `${fileName}.new`), code);
    await rename(join(dist, `${fileName}.new`), join(dist, fileName));
  }
  const files = outputs.map(({ fileName }) => fileName);
  // A process that still runs the last build may load its chunks later, so they go one build after they were replaced.
  const stale = (await readdir(dist)).filter((file) => !files.includes(file) && !last?.files.includes(file));
  await Promise.all(stale.map((file) => rm(join(dist, file))));
  const sources = [...ALSO, ...modules.map((module) => relative(root, module)).sort()];
  // What changed during the build may or may not be in it: the next start builds again.
  if (await isAnyNewer(root, sources, begun)) return true;
  const stamp: Stamp = { digest: await digestOfSources(root, sources), sources, files };
  await writeFile(stampFile, JSON.stringify(stamp, null, 2));
  return true;
}

/** Null where there is no build, or one that was interrupted. */
function readStamp(file: string): Promise<Stamp | null> {
  return readFile(file, "utf8")
    .then(JSON.parse)
    .catch(() => null);
}

function digestOfSources(root: string, sources: readonly string[]): Promise<string> {
  return digestOf(
    root,
    sources.map((source) => join(root, source)),
  );
}

async function isAnyNewer(root: string, sources: readonly string[], time: number): Promise<boolean> {
  const times = await Promise.all(
    sources.map((source) =>
      stat(join(root, source)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return times.some((mtime) => mtime >= time);
}
