import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type OutputChunk, type Plugin, rolldown } from "rolldown";

export interface Bundle {
  /** Absolute paths of the repository's modules in the bundle. */
  modules: string[];
  /** The files to write, entry points last. */
  outputs: { fileName: string; code: string }[];
}

/**
 * Bundles the service (`main.js`) and the command line (`tandem.js`) with their libraries, for the folder `dist`: loading 2,400
 * modules one by one takes longer than everything else at start. Code isn't minified, so that stack traces stay readable.
 *
 * The `dependencies` of the server's package stay in node_modules: native code and WebAssembly. All other libraries are
 * `devDependencies`, because the bundle holds them. Throws if the bundle would need one of them at run time.
 *
 * @param replaced loads other code instead of some modules, for a benchmark
 */
export async function bundle(root: string, dist: string, replaced: Plugin[] = []): Promise<Bundle> {
  const src = join(root, "server", "src");
  const manifest = JSON.parse(await readFile(join(root, "server", "package.json"), "utf8"));
  const external = Object.keys(manifest.dependencies).filter((name) => !name.startsWith("@tandem/"));
  // pg loads it if it is there.
  const optional = ["pg-native"];
  const bundled = await rolldown({
    input: { main: join(src, "main.ts"), tandem: join(src, "cli", "tandem.ts") },
    platform: "node",
    transform: { target: manifest.engines.node.replace(">=", "node") },
    external: [...external.map((name) => new RegExp(`^${name}(/|$)`)), ...optional],
    plugins: [...replaced, sourceUrls(root, dist)],
    // A library of Koa's names deprecated functions by it.
    checks: { eval: false },
  });
  const { output } = await bundled.generate({
    dir: dist,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await bundled.close();
  const chunks = output.filter((one) => one.type === "chunk");
  const files = new Set(chunks.map(({ fileName }) => fileName));
  const missing = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((name) => !files.has(name) && !isBuiltin(name) && !external.includes(packageOf(name)));
  if (missing.length > 0) throw new Error(`The bundle would load ${missing.join(", ")} at run time.`);
  return {
    modules: [...new Set(chunks.flatMap(({ moduleIds }) => moduleIds))].filter((id) => isOurs(root, id)),
    outputs: chunks.sort((a, b) => Number(isFixed(a)) - Number(isFixed(b))),
  };
}

/** Whether its name stays the same from build to build. */
function isFixed({ isEntry, fileName }: OutputChunk): boolean {
  return isEntry && /^(main|tandem)\.js$/.test(fileName);
}

/** `@scope/name` or `name`, without a path. */
function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/**
 * Makes `import.meta.url` refer to the source file, so that files next to it are found. The URL of a module (a worker
 * thread or child process) becomes that of a separate bundle.
 */
function sourceUrls(root: string, dist: string): Plugin {
  return {
    name: "tandem:source-urls",
    transform(code, id) {
      if (!isOurs(root, id) || !code.includes("import.meta")) return null;
      const source = JSON.stringify(relative(dist, id).split(sep).join("/"));
      const changed = code
        .replace(/new URL\("([\w./-]+\.ts)", import\.meta\.url\)/g, (_, path: string) => {
          const chunk = this.emitFile({ type: "chunk", id: resolve(dirname(id), path) });
          return `new URL(import.meta.ROLLUP_FILE_URL_${chunk})`;
        })
        .replaceAll("import.meta.url", `new URL(${source}, import.meta.url).href`);
      if (/import\.meta\.(dirname|filename|resolve)|\.ts["'`]\s*,\s*new URL/.test(changed))
        this.error(
          `${id}: write \`new URL("module.ts", import.meta.url)\`; the bundle can't follow other forms.`,
        );
      return changed;
    },
  };
}

function isOurs(root: string, id: string): boolean {
  return id.startsWith(root) && !id.includes(`${sep}node_modules${sep}`) && !id.includes("\0");
}
