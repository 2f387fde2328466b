import { dirname, join, relative, resolve, sep } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import manifest from "../../package.json" with { type: "json" };

/**
 * Stay in node_modules: the package's `dependencies`, which are native code and WebAssembly, and what pg tries to load if it
 * is there. All other libraries are `devDependencies`, because the bundle holds them.
 */
const external = [
  ...Object.keys(manifest.dependencies)
    .filter((name) => !name.startsWith("@tandem/"))
    .map((name) => new RegExp(`^${name}(/|$)`)),
  "pg-native",
];

export interface Bundle {
  /** Absolute paths of our own modules in the bundle. */
  modules: string[];
  /** Names of the files written. */
  files: string[];
}

/**
 * Bundles the service (`main.js`) and the command line (`tandem.js`) with their libraries into one folder: loading 2,400
 * modules one by one takes longer than everything else at start. Code isn't minified, so that stack traces stay readable.
 */
export async function bundle(root: string, dist: string): Promise<Bundle> {
  const src = join(root, "server", "src");
  const bundled = await rolldown({
    input: { main: join(src, "main.ts"), tandem: join(src, "cli", "tandem.ts") },
    platform: "node",
    // The oldest Node that the service runs on.
    transform: { target: "node22.19" },
    external,
    plugins: [sourceUrls(root, dist)],
  });
  const { output } = await bundled.write({
    dir: dist,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await bundled.close();
  const chunks = output.filter((one) => one.type === "chunk");
  const modules = new Set(chunks.flatMap((chunk) => chunk.moduleIds).filter((id) => isOurs(root, id)));
  return { modules: [...modules], files: output.map(({ fileName }) => fileName) };
}

/**
 * Keeps `import.meta.url` meaning the source file, so that files beside it are found. A URL of a module (a worker thread or
 * a process to start) becomes that of a bundle of its own.
 */
function sourceUrls(root: string, dist: string): Plugin {
  return {
    name: "tandem:source-urls",
    transform(code, id) {
      if (!isOurs(root, id)) return null;
      if (/import\.meta\.(dirname|filename|resolve)/.test(code))
        this.error(`${id} uses a property of import.meta that means the bundle; use import.meta.url.`);
      if (!code.includes("import.meta.url")) return null;
      const source = JSON.stringify(relative(dist, id).split(sep).join("/"));
      return code
        .replace(/new URL\("([\w./-]+\.ts)", import\.meta\.url\)/g, (_, path: string) => {
          const chunk = this.emitFile({ type: "chunk", id: resolve(dirname(id), path) });
          return `new URL(import.meta.ROLLUP_FILE_URL_${chunk})`;
        })
        .replaceAll("import.meta.url", `new URL(${source}, import.meta.url).href`);
    },
  };
}

function isOurs(root: string, id: string): boolean {
  return id.startsWith(root) && !id.includes(`${sep}node_modules${sep}`) && !id.includes("\0");
}
