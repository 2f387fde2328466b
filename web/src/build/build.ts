import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { digestOf, filesIn } from "./sources.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const dist = join(root, "web", "dist");

/** The app's sources, relative to the repository's root. */
const SOURCES = [
  "package-lock.json",
  "web/package.json",
  "web/public",
  "web/src",
  "client/src",
  "contract/src",
];
const STAMP = join(dist, "source-digest");

/**
 * Builds the app unless its sources are unchanged since the last build. Calls `onBuild` before building;
 * resolves to whether it built.
 */
export async function buildIfNeeded(onBuild = () => {}): Promise<boolean> {
  const files = await Promise.all(SOURCES.map((source) => filesIn(join(root, source))));
  const digest = await digestOf(root, files.flat());
  if ((await readFile(STAMP, "utf8").catch(() => "")) === digest) return false;
  onBuild();
  // Without a stamp, an interrupted build is repeated.
  await rm(STAMP, { force: true });
  await forProduction(() => buildAll(digest));
  await compress(join(dist, "client"));
  await writeFile(STAMP, digest);
  return true;
}

/** Imports Vite only here, because most starts have nothing to build. */
async function buildAll(digest: string): Promise<void> {
  const { build } = await import("vite");
  const { configOf, playerConfig, workerConfig } = await import("./config.ts");
  const { shellOf } = await import("./shell.ts");
  for (const target of ["client", "server"] as const) await build(configOf(target));
  const manifest = JSON.parse(await readFile(join(dist, "client", ".vite", "manifest.json"), "utf8"));
  await build(playerConfig);
  await build(workerConfig(shellOf(manifest), digest.slice(0, 12)));
}

/**
 * Sets NODE_ENV during the build. Without it (for example in tests), React would bundle its development
 * tools.
 */
async function forProduction(work: () => Promise<void>): Promise<void> {
  const { NODE_ENV: before } = process.env;
  process.env.NODE_ENV = "production";
  await work().finally(() => {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  });
}

/** Reads up to 16 MB as one block: the largest script gets a little smaller. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_LGBLOCK]: constants.BROTLI_MAX_INPUT_BLOCK_BITS } };

/** Compresses each file once, at the highest level, instead of at every request. */
async function compress(folder: string): Promise<void> {
  for (const path of await filesIn(folder)) {
    if (!/\.(css|js|svg|webmanifest|json)$/.test(path)) continue;
    const bytes = await readFile(path);
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, brotliOptions));
    await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  }
}

if (import.meta.main) await buildIfNeeded(() => console.log("Building the web app…"));
