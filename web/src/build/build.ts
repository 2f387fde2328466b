import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { build } from "vite";
import { configOf, root, workerConfig } from "./config.ts";
import { shellOf } from "./shell.ts";

/** What the app is made of, from the folder of all rooms on. */
const SOURCES = [
  "package-lock.json",
  "web/package.json",
  "web/public",
  "web/src",
  "client/src",
  "contract/src",
];
const STAMP = join(root, "dist", "made-of");

/** Builds the app, unless what it is made of is what the last build was made of. Resolves to whether it did. */
export async function buildIfNeeded(): Promise<boolean> {
  const made = await digest();
  if ((await readFile(STAMP, "utf8").catch(() => "")) === made) return false;
  await forProduction(async () => {
    for (const target of ["client", "server"] as const) await build(configOf(target));
    const manifest = JSON.parse(
      await readFile(join(root, "dist", "client", ".vite", "manifest.json"), "utf8"),
    );
    await build(workerConfig(shellOf(manifest), made.slice(0, 12)));
  });
  await compress(join(root, "dist", "client"));
  // Last of all: a build that broke off is none.
  await writeFile(STAMP, made);
  return true;
}

/** Whoever builds, be it a test: React would bring its tools for developers along. */
async function forProduction(work: () => Promise<void>): Promise<void> {
  const { NODE_ENV: before } = process.env;
  process.env.NODE_ENV = "production";
  await work().finally(() => {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  });
}

async function digest(): Promise<string> {
  const hash = createHash("sha256");
  for (const source of SOURCES)
    for (const path of await filesIn(join(root, "..", source)))
      hash.update(relative(root, path)).update(await readFile(path));
  return hash.digest("hex");
}

/** The files at a path, in an order of their own; itself, where it is one. */
async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
  if (!entries) return [path];
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Compressed once, as small as can be, instead of at every request. */
async function compress(folder: string): Promise<void> {
  for (const path of await filesIn(folder)) {
    if (!/\.(css|js|svg|webmanifest|json)$/.test(path)) continue;
    const bytes = await readFile(path);
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes));
    await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url) && (await buildIfNeeded()))
  console.log("The web app is built.");
