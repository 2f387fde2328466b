import { type Ask, type Connector, OriginError, type Place } from "./connector.ts";
import { connectors } from "./connectors.ts";

/** What an address is. Throws {@link OriginError} where nothing can be gathered from it. */
export async function findPlace(url: string, ask: Ask): Promise<{ connector: Connector; place: Place }> {
  for (const connector of Object.values(connectors)) {
    const place = connector.recognise(new URL(url));
    if (!place || connector.software) continue;
    if (connector.platform === "rss") await connector.gather(place, ask);
    return { connector, place };
  }
  throw new OriginError(`Nothing can be gathered from ${url}.`);
}
