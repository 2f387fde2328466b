import type { OriginPlatform } from "@tandem/contract/origins";
import { connectors } from "./connectors.ts";

/**
 * Whether what is shown at an address is an item's own word. Where anybody can run a server, servers show what others
 * wrote, too; and then only that which the item's key names can say what became of it.
 * @param shownAt the address of a source; null for one that has none
 */
export function isOwnWord(platform: OriginPlatform, key: string, shownAt: string | null): boolean {
  if (!connectors[platform].software) return true;
  const host = hostOf(shownAt);
  return host !== null && host === hostOf(key);
}

function hostOf(address: string | null): string | null {
  return address !== null && URL.canParse(address) ? new URL(address).host || null : null;
}
