import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { buildIfNeeded as buildWebIfNeeded } from "@tandem/web/build/build";
import { compileCache } from "../compile-cache.ts";
import { buildServerIfNeeded } from "./build-server.ts";

/** Builds the web app and the server, each if its sources have changed. */
export async function buildAllIfNeeded(): Promise<void> {
  if (await buildWebIfNeeded()) console.log("Built the web app.");
  if (!(await buildServerIfNeeded(fileURLToPath(new URL("../../..", import.meta.url))))) return;
  await rm(compileCache, { recursive: true, force: true });
  console.log("Built the server.");
}
