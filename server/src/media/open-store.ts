import { join } from "node:path";
import type { Config } from "../config.ts";
import { diskStore } from "./disk.ts";
import { s3Store } from "./s3.ts";
import type { Store } from "./store.ts";

/** The store that the settings ask for. `incoming` is where it may lay files down for a moment. */
export function openStore({ dataDir, media }: Config, incoming: string): Store {
  return media ? s3Store(media, incoming) : diskStore(join(dataDir, "media"));
}
