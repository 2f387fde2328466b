import type { Bytes } from "@tandem/contract/log/bytes";
import { logPathOf } from "@tandem/contract/log/entry";
import { entryBundle, hashesAt, parseTilePath, TILE_WIDTH } from "@tandem/contract/log/tiles";
import type { Services } from "../../http/services.ts";
import { openLog } from "./head.ts";
import { jwks } from "./keys.ts";
import { readEntries, readTileBytes } from "./stored-tiles.ts";

/** What anyone can read of the log. */
export const publicLog = {
  /** The latest signed checkpoint. */
  async checkpoint(services: Services): Promise<string> {
    return (await openLog(services)).head.checkpoint;
  },
  async keys(services: Services): Promise<object> {
    await openLog(services);
    return jwks(services.storage.read);
  },
  /** A tile or a bundle of entries by its path; null if the signed tree of the log at `log` has none. */
  async tile(services: Services, log: string, path: string): Promise<Bytes | null> {
    const tile = parseTilePath(path);
    if (!tile) return null;
    const { read } = services.storage;
    const { number, width } = tile;
    const level = tile.level === "entries" ? 0 : tile.level;
    const { head } = await openLog(services);
    if (log !== logPathOf(head.origin)) return null;
    if (number * TILE_WIDTH + width > hashesAt(level, head.size)) return null;
    if (tile.level === "entries") return entryBundle(await readEntries(read, { number, width }));
    return readTileBytes(read, { level, number, width });
  },
};

export type PublicLog = typeof publicLog;
