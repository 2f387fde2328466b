import { readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import tailwind from "@tailwindcss/vite";
import { routes } from "@tandem/contract/routes";
import react from "@vitejs/plugin-react";
import type { InlineConfig, Plugin, Rolldown } from "vite";
import { compileTexts } from "./compile-texts.ts";

/** Compiles the texts at build time, so that the browser needs no message parser. */
const texts: Plugin = {
  name: "tandem:texts",
  enforce: "pre",
  async load(id) {
    const [, locale] = /\/messages\.(\w+)\.json$/.exec(id) ?? [];
    if (!locale) return null;
    const texts: Record<string, string> = JSON.parse(await readFile(id, "utf8"));
    return { code: `export default ${JSON.stringify(compileTexts(locale, texts))}`, moduleType: "js" };
  },
};

/**
 * Replaces the route table with plain data, because a client that only sends requests needs no schemas. One
 * line of text per route is shorter than objects, and compresses better than arrays.
 */
const plainRoutes: Plugin = {
  name: "tandem:routes",
  enforce: "pre",
  load: (id) => (id.endsWith("/contract/src/routes.ts") ? { code: routesAsLines(), moduleType: "js" } : null),
};

function routesAsLines(): string {
  const lines = Object.entries(routes).map(([name, route]) => {
    const { method, path, query, body, files, redirects, streams, keyed, pages } = route;
    // One number, empty for 0: three digits per route would not compress as well.
    const flags = Number(redirects) + 2 * Number(streams) + 4 * Number(keyed) || "";
    const fileLimits = Object.entries(files).join(";");
    // Nearly all paths start with /api/, so it is left out.
    return [method, name, path.replace(/^\/api\//, ""), query, body, flags, pages ?? "", fileLimits]
      .join(" ")
      .trimEnd();
  });
  // Sorted, they compress better.
  lines.sort();
  return `const list = (words, by = ",") => (words ? words.split(by) : []);
    export const routes = Object.fromEntries(${JSON.stringify(lines.join("\n"))}.split("\\n").map((line) => {
      const [method, name, path, query, body, flags, pages, files] = line.split(" ");
      return [name, {
        method, path: path[0] === "/" ? path : "/api/" + path, query: list(query), body: list(body), pages: pages || null,
        files: Object.fromEntries(list(files, ";").map((file) => file.split(",")).map(([name, bytes]) => [name, +bytes])),
        redirects: (flags & 1) > 0, streams: (flags & 2) > 0, keyed: (flags & 4) > 0,
      }];
    }));`;
}

/**
 * Evaluates modules named `*.plain.ts` at build time, so that the browser gets their values without the
 * contract's schemas.
 */
const plainFacts: Plugin = {
  name: "tandem:plain",
  enforce: "pre",
  async load(id) {
    if (!id.endsWith(".plain.ts")) return null;
    const facts: Record<string, unknown> = await import(pathToFileURL(id).href);
    const lines = Object.entries(facts).map(
      ([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
    );
    return { code: lines.join("\n"), moduleType: "js" };
  },
};

const typebox = /[\\/]node_modules[\\/]typebox[\\/]/;
const dialogs = /[\\/]node_modules[\\/]@base-ui[\\/]/;

/** Fails the build if a script contains the contract's schemas. They are large, and the browser needs values only. */
const noSchemas: Plugin = {
  name: "tandem:no-schemas",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      const modules = chunk.type === "chunk" ? Object.entries(chunk.modules) : [];
      if (modules.some(([id, { renderedLength }]) => typebox.test(id) && renderedLength > 0))
        this.error(
          `The script "${chunk.name}" contains the contract's schemas. Get values from a *.plain.ts module.`,
        );
    }
  },
};

/**
 * Uses the browser's own `import()` without Vite's preload helper: all styles are in one file, so there is
 * none to load first.
 */
const plainLoads: Plugin = {
  name: "tandem:loads",
  enforce: "pre",
  load: (id) =>
    id === "\0vite/preload-helper.js"
      ? { code: "export const __vitePreload = (load) => load();", moduleType: "js" }
      : null,
};

/**
 * Strips from icons the `key` attributes of their parts, which only React's development tools use, their earlier names, and a statement
 * without effect; and makes elements of them with less script than the library's, which takes options that no icon here has.
 */
const plainIcons: Plugin = {
  name: "tandem:icons",
  enforce: "pre",
  load: (id) =>
    /[\\/]lucide-react[\\/].*[\\/]createLucideIcon\.mjs$/.test(id)
      ? { code: createIcon, moduleType: "js" }
      : null,
  transform: (code, id) =>
    /[\\/]lucide-react[\\/].*[\\/]icons[\\/]/.test(id)
      ? { code: code.replace(/,\s*key: "\w+"|,\s*aliases: \[[^\]]*\]|__iconData\.node;/g, ""), map: null }
      : null,
};

const createIcon = `import { createElement } from "react";
export default ({ name, node }) => ({ className = "", ...rest }) => createElement("svg", {
  xmlns: "http://www.w3.org/2000/svg", width: 24, height: 24, viewBox: "0 0 24 24", fill: "none", stroke: "currentColor",
  strokeWidth: 2, strokeLinecap: "round", strokeLinejoin: "round", className: "lucide lucide-" + name + " " + className, ...rest,
}, ...node.map((part) => createElement(...part)));`;

/** The folder `web/`. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Matches modules by folder and name, such as `ui/(aside|menu)`. */
const modules = (...paths: string[]) =>
  new RegExp(paths.map((path) => `[\\\\/]${path.replaceAll("/", "[\\\\/]")}\\.(m?js|tsx?)$`).join("|"));

/** Whether a module needs the library for dialogs and menus, which is large. */
function needsDialogs(id: string, context: Rolldown.ChunkingContext, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const imported = context.getModuleInfo(id)?.importedIds ?? [];
  return dialogs.test(id) || imported.some((one) => needsDialogs(one, context, seen));
}

/**
 * How scripts are divided into files. Each file is a request, and small ones compress worse. So pages load parts that they don't use, up
 * to 17 KB; the feed, which people open first, only once it is interactive. A group takes the modules that it names and all that these need,
 * unless an earlier group has them.
 */
const groups = [
  { name: "frame", tags: ["$initial" as const] },
  // What other pages have in common with the feed. Most show posts.
  {
    name: "parts",
    test: modules("icons/(arrow-up|circle-check|sliders-horizontal|x)", "ui/(aside|tab-link)"),
  },
  { name: "posts", test: modules("posts/post-list") },
  { name: "theme", test: modules("ui/theme-language-select") },
  {
    name: "sidebar",
    test: modules(
      "posts/(author-row|card-navigation|trending|trending-tags)",
      "data/(completions|lives)",
      "ui/local-name",
    ),
  },
  { name: "icons", test: modules("icons/.+"), minShareCount: 2 },
  {
    debugName: "common",
    // Texts stay with their area, and libraries other than TanStack's with the pages that need them.
    name: (id: string, context: Rolldown.ChunkingContext) => (needsDialogs(id, context) ? null : "common"),
    test: /[\\/](@tanstack|(web|contract)[\\/]src)[\\/](?!.*[\\/](node_modules[\\/]|messages\.\w+\.json$))/,
    minShareCount: 3,
  },
  { name: "dialogs", test: modules("ui/dialog") },
].map((group, at, all) => ({ ...group, priority: all.length - at }));

const browser = {
  input: "src/browser.tsx",
  // Some modules are imported both statically and dynamically, on purpose.
  checks: { ineffectiveDynamicImport: false },
  output: {
    // 32 bits tell versions of a file apart, and compress to fewer bytes in the scripts that name it. Names are in the manifest.
    hashCharacters: "hex" as const,
    chunkFileNames: "assets/[hash].js",
    codeSplitting: { groups },
  },
};

/** The build for the browser, or for the server, which renders the same pages. */
export const configOf = (target: "client" | "server"): InlineConfig => ({
  root,
  configFile: false,
  logLevel: "warn",
  // Also in the server bundle, whatever NODE_ENV the server itself runs with.
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  plugins: [
    ...[texts, plainRoutes, plainFacts, plainLoads, plainIcons, react(), tailwind()],
    ...(target === "client" ? [noSchemas] : []),
  ],
  build: {
    ssr: target === "server",
    outDir: `dist/${target}`,
    manifest: target === "client",
    // Inlined assets would need `data:` URLs for fonts, which the security policy forbids.
    assetsInlineLimit: 0,
    // Preload lists for lazy chunks would be part of every page.
    modulePreload: false,
    rolldownOptions: target === "client" ? browser : { input: "src/server.tsx" },
    copyPublicDir: target === "client",
    reportCompressedSize: false,
    // The streaming library is large, and is loaded only with the first stream.
    chunkSizeWarningLimit: 600,
  },
  // React has had this hook since version 18; leave out the shim for older versions.
  resolve: {
    alias: [
      {
        find: /^use-sync-external-store\/shim\/with-selector(\.js)?$/,
        replacement: "use-sync-external-store/with-selector",
      },
      { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: "react" },
    ],
  },
  // Bundles dependencies too, so that the server loads plain JavaScript from one folder.
  ssr: { noExternal: true },
});

/**
 * Builds the service worker into one file with a fixed name. It includes the list of files to precache and
 * the notification texts.
 */
export const workerConfig = (shell: readonly string[], version: string): InlineConfig => ({
  root,
  configFile: false,
  logLevel: "warn",
  define: {
    __SHELL__: JSON.stringify(shell),
    __VERSION__: JSON.stringify(version),
    "process.env.NODE_ENV": JSON.stringify("production"),
  },
  plugins: [texts, plainFacts, noSchemas],
  build: {
    outDir: "dist/client",
    emptyOutDir: false,
    copyPublicDir: false,
    rolldownOptions: {
      input: "src/offline/service-worker.ts",
      output: { entryFileNames: "sw.js", format: "iife" },
    },
    reportCompressedSize: false,
  },
});

/**
 * Builds the script of player documents into one file with a fixed name. It contains hls.js, so it is loaded only for streams.
 */
export const playerConfig: InlineConfig = {
  root,
  configFile: false,
  logLevel: "warn",
  build: {
    outDir: "dist/client",
    emptyOutDir: false,
    copyPublicDir: false,
    rolldownOptions: {
      input: "src/player.ts",
      output: { entryFileNames: "player.js", format: "iife" },
    },
    chunkSizeWarningLimit: 600,
    reportCompressedSize: false,
  },
};
