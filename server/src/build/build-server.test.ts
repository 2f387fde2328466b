import { execFile } from "node:child_process";
import { mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { temporaryDirectory } from "@tandem/testing/storage";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buildServerIfNeeded } from "./build-server.ts";
import { bundle } from "./bundle.ts";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let root: string;
const at = (path: string) => join(root, "server", path);

async function writeSource(path: string, text: string): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), text);
  // As if it had existed before the build.
  await utimes(at(path), 1, 1);
}

async function run(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [at("dist/main.js")]);
  return stdout.trim();
}

/** A server of three modules, one of them loaded later. */
beforeEach(async () => {
  directory = await temporaryDirectory();
  root = directory.path;
  await writeSource(
    "package.json",
    JSON.stringify({ type: "module", engines: { node: ">=22.19" }, dependencies: {} }),
  );
  await writeSource("../package-lock.json", "{}");
  await writeSource("src/cli/tandem.ts", "export {};");
  await writeSource("src/later.ts", 'export const word: string = "one";');
  await writeSource("src/main.ts", 'const { word } = await import("./later.ts");\nconsole.log(word);');
});

afterEach(() => directory[Symbol.asyncDispose]());

test("builds once, and again after a source has changed", async () => {
  expect(await buildServerIfNeeded(root)).toBe(true);
  expect(await buildServerIfNeeded(root)).toBe(false);
  await writeSource("src/later.ts", 'export const word: string = "two";');
  expect(await buildServerIfNeeded(root)).toBe(true);
  expect(await run()).toBe("two");
});

test("keeps the chunks of the previous build, but not of older ones", async () => {
  const chunkOf = async () => {
    await buildServerIfNeeded(root);
    return /\.\/(later-[\w-]+\.js)/.exec(await readFile(at("dist/main.js"), "utf8"))?.[1] ?? "";
  };
  const first = await chunkOf();
  await writeSource("src/later.ts", 'export const word: string = "two";');
  await chunkOf();
  expect(await readFile(at(`dist/${first}`), "utf8")).toContain("one");
  await writeSource("src/later.ts", 'export const word: string = "three";');
  await chunkOf();
  await expect(readFile(at(`dist/${first}`))).rejects.toThrow("ENOENT");
});

test.each([
  ["truncated", '{"digest": "'],
  ["empty", ""],
])("ignores a stamp that is %s", async (_, text) => {
  await buildServerIfNeeded(root);
  await writeFile(at("dist/built-from.json"), text);
  expect(await buildServerIfNeeded(root)).toBe(true);
  expect(await buildServerIfNeeded(root)).toBe(false);
});

test("a failed build leaves no stamp, not even the previous one", async () => {
  await buildServerIfNeeded(root);
  await writeSource("src/later.ts", "export const word: string = ;");
  await expect(buildServerIfNeeded(root)).rejects.toThrow();
  await writeSource("src/later.ts", 'export const word: string = "one";');
  expect(await buildServerIfNeeded(root)).toBe(true);
});

test("builds again if a source changed during the build", async () => {
  await utimes(at("src/later.ts"), Date.now() / 1000 + 60, Date.now() / 1000 + 60);
  expect(await buildServerIfNeeded(root)).toBe(true);
  expect(await buildServerIfNeeded(root)).toBe(true);
});

test("rejects a bundle that needs a development dependency or import.meta", async () => {
  await writeSource("src/later.ts", 'export * from "not-there"; export const word = "one";');
  await expect(bundle(root, at("dist"))).rejects.toThrow("The bundle would load not-there at run time.");
  await writeSource("src/later.ts", "export const word = import.meta.dirname;");
  await expect(bundle(root, at("dist"))).rejects.toThrow("import.meta");
});
