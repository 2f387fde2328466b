import type { OriginPlatform } from "@tandem/contract/origins";
import { connectors } from "./connectors.ts";

/**
 * Whether a source is authoritative for an item. On federated platforms, servers also show items of other servers, and
 * only the server in the item's key can say that it changed or was deleted.
 * @param shownAt the URL of a source; null if it has none
 */
export function isOwnWord(platform: OriginPlatform, key: string, shownAt: string | null): boolean {
  if (!connectors[platform].software) return true;
  const host = hostOf(shownAt);
  return host !== null && host === hostOf(key);
}

function hostOf(address: string | null): string | null {
  return address !== null && URL.canParse(address) ? new URL(address).host || null : null;
}
