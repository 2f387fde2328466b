import { buildAllIfNeeded } from "@tandem/server/build/build";

/** Vitest's global setup: the web app for tests that show pages, and the server for tests that start it as operators do. */
export default async function setup(): Promise<void> {
  await buildAllIfNeeded();
}
