import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { connectMcp } from "@tandem/testing/mcp-clients";
import { startTandem } from "@tandem/testing/tandem";
import { build, type Metafile } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pack } from "./pack.ts";

const execute = promisify(execFile);
const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "tandem-published-"));
  const tarballs = await pack(join(home, "tarballs"));
  await writeFile(join(home, "package.json"), JSON.stringify({ type: "module", private: true }));
  // Offline, with the libraries installed here. Copied, because npm takes seconds to pack them.
  for (const name of [
    "typebox",
    "fastest-levenshtein",
    "zod",
    "@modelcontextprotocol/core",
    "@modelcontextprotocol/server",
  ])
    await cp(join(modules, name), join(home, "node_modules", name), { recursive: true });
  const flags = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await execute("npm", ["install", ...flags, ...tarballs], { cwd: home });
}, 300_000);
afterAll(() => rm(home, { recursive: true }));

const script = `
import { createClient, outcome } from "@tandem/client";
const [baseUrl, key] = process.argv.slice(2);
const tandem = createClient({ baseUrl, key });
const { post } = await tandem.createPost({ title: "From a package" });
const titles = [];
for await (const { title } of tandem.pages.listPosts({ fields: "title" })) titles.push(title);
const { error } = await outcome(tandem.likePost({ id: post.id + 1 }));
console.log(JSON.stringify([post.provenance, titles, error.code, error.status]));
`;

test("the packed client runs in plain Node.js", async () => {
  await using tandem = await startTandem();
  const { options } = await tandem.as.agent();
  await writeFile(join(home, "story.mjs"), script);
  const { stdout } = await execute(process.execPath, ["story.mjs", tandem.baseUrl, String(options.key)], {
    cwd: home,
  });
  expect(JSON.parse(stdout)).toEqual(["ai_generated", ["From a package"], "not_found", 404]);
});

test("the packed MCP server runs in plain Node.js", async () => {
  await using tandem = await startTandem();
  const { options } = await tandem.as.agent();
  const env = { TANDEM_BASE_URL: tandem.baseUrl, TANDEM_API_KEY: String(options.key) };
  const program = { args: [join(home, "node_modules", ".bin", "tandem-mcp")], env };
  await using client = await connectMcp("2026-07-28", { program });
  const created = await client.call("tandem_create_post", { title: "From a package" });
  expect(created.structuredContent).toMatchObject({ post: { title: "⟦From a package⟧" } });
});

const typedScript = `
import { createClient, outcome, type Upload } from "@tandem/client";
import { errors } from "@tandem/contract/errors";
const tandem = createClient({ baseUrl: "http://tandem.example" });
const image: Upload = new Blob();
export const title: Promise<string | null> = tandem.createPost({ title: "x", image }).then(({ post }) => post.title);
// @ts-expect-error A post needs a title.
tandem.createPost({ body: "x" });
// @ts-expect-error There is no such field.
for await (const post of tandem.pages.listPosts({ fields: "id" })) post.title;
const result = await outcome(tandem.me());
if (!result.ok) {
  const { code } = result.error;
  if (code !== "unreachable" && code !== "pending_approval") errors[code].description;
}
// @ts-expect-error There is no such code.
if (!result.ok) result.error.code === "no_such_code";
`;

test.each([
  ["nodenext", "nodenext"],
  ["bundler", "esnext"],
])("the packed client has types, with module resolution %s", async (moduleResolution, module) => {
  await writeFile(join(home, "typed.ts"), typedScript);
  const compilerOptions = {
    moduleResolution,
    module,
    target: "es2022",
    strict: true,
    noEmit: true,
    lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    types: [],
    // Checking all declarations is slow, so it is done only once.
    skipLibCheck: moduleResolution !== "nodenext",
  };
  await writeFile(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["typed.ts"] }));
  const output = await execute(join(modules, ".bin", "tsc"), ["-p", home, "--singleThreaded"]).then(
    () => "",
    (error) => String(error.stdout),
  );
  expect(output).toBe("");
});

/** The entry and what it imports, but not what it loads when needed. */
function loadedFirst({ outputs }: Metafile): string[] {
  const found = Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === "<stdin>");
  for (const path of found)
    for (const { path: next, kind } of outputs[path]?.imports ?? [])
      if (kind === "import-statement" && !found.includes(next)) found.push(next);
  return found;
}

test("the bundle for browsers is small, and contains neither Node.js modules nor the schema library", async () => {
  const outdir = join(home, "bundle");
  const { metafile, warnings } = await build({
    stdin: { contents: `export { createClient } from "@tandem/client";`, resolveDir: home },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    splitting: true,
    outdir,
    metafile: true,
  });
  expect(warnings).toEqual([]);
  expect(Object.keys(metafile.inputs).filter((path) => path.includes("typebox"))).toEqual([]);
  const sizes = await Promise.all(
    loadedFirst(metafile).map(async (path) => gzipSync(await readFile(join(home, path))).length),
  );
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(7168);
});
