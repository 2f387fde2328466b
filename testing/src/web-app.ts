import { buildIfNeeded } from "@tandem/web/build/build";

/** Vitest's global setup: the web app as it is now, for whatever shows a page. */
export default async function setup(): Promise<void> {
  await buildIfNeeded();
}
