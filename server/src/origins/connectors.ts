import type { OriginPlatform } from "@tandem/contract/origins";
import { type Ask, type Connector, OriginError, type Place } from "./connector.ts";

/** Every connector, by its platform. */
export const connectors: readonly Connector[] = [];

/** Throws {@link OriginError} where the platform has none. */
export function connectorOf(platform: OriginPlatform): Connector {
  const found = connectors.find((one) => one.platform === platform);
  if (!found) throw new OriginError(`Nothing can be gathered from ${platform}.`);
  return found;
}

/** What an address is. Throws {@link OriginError} where nothing can be gathered from it. */
export async function findPlace(url: string, _ask: Ask): Promise<{ connector: Connector; place: Place }> {
  throw new OriginError(`Nothing can be gathered from ${url}.`);
}
