import { join } from "node:path";
import type { Config } from "../config.ts";
import { diskStore } from "./disk.ts";
import type { Store } from "./store.ts";

/** The store that the settings ask for. */
export function openStore(config: Config, _incoming: string): Store {
  return diskStore(join(config.dataDir, "media"));
}
