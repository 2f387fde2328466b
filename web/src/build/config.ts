import { readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import tailwind from "@tailwindcss/vite";
import { routes } from "@tandem/contract/routes";
import react from "@vitejs/plugin-react";
import type { InlineConfig, Plugin } from "vite";

/** Texts are compiled here, so that the browser has no parser for them. */
const texts: Plugin = {
  name: "tandem:texts",
  enforce: "pre",
  async load(id) {
    if (!/\/messages\.\w+\.json$/.test(id)) return null;
    const messages: Record<string, string> = JSON.parse(await readFile(id, "utf8"));
    const compiled = Object.entries(messages).map(([key, text]) => [key, compileMessage(text)]);
    return { code: `export default ${JSON.stringify(Object.fromEntries(compiled))}`, moduleType: "js" };
  },
};

/**
 * The table of routes as plain data: who only sends requests needs no schema. Lines of words say it shorter than objects do,
 * and compress better than lists.
 */
const plainRoutes: Plugin = {
  name: "tandem:routes",
  enforce: "pre",
  load: (id) => (id.endsWith("/contract/src/routes.ts") ? { code: routesAsLines(), moduleType: "js" } : null),
};

function routesAsLines(): string {
  const lines = Object.entries(routes).map(([name, route]) => {
    const { method, path, query, body, files, redirects, streams, keyed, pages } = route;
    const flags = [redirects, streams, keyed].map(Number).join("");
    const words = [name, method, path, query, body, flags, pages ?? "", Object.entries(files).join(";")];
    return words.join(" ").trimEnd();
  });
  return `const list = (words, by = ",") => (words ? words.split(by) : []);
    export const routes = Object.fromEntries(${JSON.stringify(lines.join("\n"))}.split("\\n").map((line) => {
      const [name, method, path, query, body, [redirects, streams, keyed], pages, files] = line.split(" ");
      return [name, {
        method, path, query: list(query), body: list(body), pages: pages || null,
        files: Object.fromEntries(list(files, ";").map((file) => file.split(",")).map(([name, bytes]) => [name, +bytes])),
        redirects: redirects > 0, streams: streams > 0, keyed: keyed > 0,
      }];
    }));`;
}

/** What is derived from the contract in modules named `*.plain.ts` is derived here, and is values alone in the browser. */
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

/** Parts of a page are loaded by the browser's own `import`: as all styles are one file, none has to come before them. */
const plainLoads: Plugin = {
  name: "tandem:loads",
  enforce: "pre",
  load: (id) =>
    id === "\0vite/preload-helper.js"
      ? { code: "export const __vitePreload = (load) => load();", moduleType: "js" }
      : null,
};

/** Icons without the names of their parts, which only React's tools for developers ask for. */
const plainIcons: Plugin = {
  name: "tandem:icons",
  transform: (code, id) =>
    /[\\/]lucide-react[\\/].*[\\/]icons[\\/]/.test(id)
      ? { code: code.replace(/,\s*key: "\w+"/g, ""), map: null }
      : null,
};

/** The app's folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * What every page needs is one file, which compresses better than the pieces that it would fall into as later parts use this
 * or that of it. Posts are another, as most pages show some.
 */
const browser = {
  input: "src/browser.tsx",
  output: {
    codeSplitting: {
      groups: [
        { name: "frame", tags: ["$initial" as const], priority: 1 },
        { name: "posts", test: /posts[\\/]post-list/ },
      ],
    },
  },
};

/** How the app is built: for the browser, or for the service, which draws the same pages. */
export const configOf = (target: "client" | "server"): InlineConfig => ({
  root,
  configFile: false,
  logLevel: "warn",
  // Also in what the service runs, whatever the service itself is told.
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  plugins: [texts, plainRoutes, plainFacts, plainLoads, plainIcons, react(), tailwind()],
  build: {
    ssr: target === "server",
    outDir: `dist/${target}`,
    manifest: target === "client",
    // A picture or font in a `data:` address is one that the security policy would have to let through.
    assetsInlineLimit: 0,
    // What is loaded when it is asked for is loaded with what it needs: a list of that for each would come with every page.
    modulePreload: false,
    rolldownOptions: target === "client" ? browser : { input: "src/server.tsx" },
    copyPublicDir: target === "client",
    reportCompressedSize: false,
    // The player of streams is large, and comes with the first stream.
    chunkSizeWarningLimit: 600,
  },
  // React has it since 18; what stands in for it in older ones is left out.
  resolve: {
    alias: [
      {
        find: /^use-sync-external-store\/shim\/with-selector(\.js)?$/,
        replacement: "use-sync-external-store/with-selector",
      },
      { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: "react" },
    ],
  },
  // The service loads one folder of plain JavaScript, whatever it is made of.
  ssr: { noExternal: true },
});

/** How the service worker is built: one file with a name of its own, which knows the files that it is to keep, and the notices' words. */
export const workerConfig = (shell: readonly string[], version: string): InlineConfig => ({
  root,
  configFile: false,
  logLevel: "warn",
  define: {
    __SHELL__: JSON.stringify(shell),
    __VERSION__: JSON.stringify(version),
    "process.env.NODE_ENV": JSON.stringify("production"),
  },
  plugins: [texts, plainFacts],
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
