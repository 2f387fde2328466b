import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
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

/** The table of routes as plain data: who only sends requests needs no schema. */
const plainRoutes: Plugin = {
  name: "tandem:routes",
  enforce: "pre",
  load: (id) =>
    id.endsWith("/contract/src/routes.ts")
      ? { code: `export const routes = ${JSON.stringify(routes)};`, moduleType: "js" }
      : null,
};

/** The app's folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** How the app is built: for the browser, or for the service, which draws the same pages. */
export const configOf = (target: "client" | "server"): InlineConfig => ({
  root,
  configFile: false,
  logLevel: "warn",
  plugins: [texts, plainRoutes, react(), tailwind()],
  build: {
    ssr: target === "server",
    outDir: `dist/${target}`,
    manifest: target === "client",
    // A picture or font in a `data:` address is one that the security policy would have to let through.
    assetsInlineLimit: 0,
    rolldownOptions: { input: target === "client" ? "src/browser.tsx" : "src/server.tsx" },
    copyPublicDir: target === "client",
    reportCompressedSize: false,
  },
  // The service loads one folder of plain JavaScript, whatever it is made of.
  ssr: { noExternal: true },
});
