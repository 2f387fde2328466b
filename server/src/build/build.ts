import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { buildIfNeeded as buildWebIfNeeded } from "@tandem/web/build/build";
import { compileCache } from "../compile-cache.ts";
import { buildServerIfNeeded } from "./build-server.ts";

/** Builds the web app and the server, each if its sources have changed. */
export async function buildAllIfNeeded(): Promise<void> {
  await buildWebIfNeeded(() => console.log("Building the web app…"));
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  if (await buildServerIfNeeded(root, () => console.log("Building the server…")))
    await rm(compileCache, { recursive: true, force: true });
}
