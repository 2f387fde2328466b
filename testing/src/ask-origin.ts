import { type Ask, OriginError } from "@tandem/server/origins/connector";
import { openOutgoing } from "@tandem/server/outgoing/outgoing";
import type { Origin } from "./origin.ts";

const outgoing = openOutgoing({
  allowed: ["127.0.0.1/32"],
  userAgent: () => "Tandem/1.0 (+http://127.0.0.1)",
});

/**
 * Makes requests to a test origin as a visit to a source does: conditional from the second time on. A request for
 * `https://host/path` goes to the origin's `/host/path`.
 */
export function askOrigin(origin: Origin): Ask {
  const validators = new Map<string, Record<string, string>>();
  return async (url, { accept = "*/*", unconditional = false } = {}) => {
    const here = url.startsWith(origin.url) ? url : url.replace(/^https?:\//, origin.url);
    const conditions = unconditional ? {} : validators.get(url);
    const response = await outgoing(here, { headers: { accept, ...conditions } });
    const { status, headers, bytes } = response;
    if (status !== 200 && status !== 304)
      throw new OriginError(
        `It responded with status ${status}.`,
        status,
        Number(headers.get("retry-after")) || null,
      );
    if (status === 200) validators.set(url, conditionsFrom(headers));
    const from = response.url === here ? url : response.url;
    return { status, url: from, headers, bytes };
  };
}

function conditionsFrom(headers: Headers): Record<string, string> {
  const pairs = [
    ["if-none-match", headers.get("etag")],
    ["if-modified-since", headers.get("last-modified")],
  ];
  return Object.fromEntries(pairs.filter(([, value]) => value));
}
