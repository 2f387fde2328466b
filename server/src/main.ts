import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Node keeps compiled code for the next start, which halves its time. Without write access there is no cache.
enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/tandem/", import.meta.url)));

const { start } = await import("./start.ts");
await start();
