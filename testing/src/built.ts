import { buildAllIfNeeded } from "@tandem/server/build/build";

/** Prepares a run: builds the web app for tests that open pages, and the server for tests that start it like administrators. */
export default async function setup(): Promise<void> {
  await buildAllIfNeeded();
}
