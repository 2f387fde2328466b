import type { LookupAddress, LookupOptions } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { OutgoingError } from "./outgoing-error.ts";
import { isAllowedAddress, type Ranges } from "./public-address.ts";

const MAX_URL = 8192;

/** Ports from 1024 that browsers block too. Below 1024, only 80 and 443 are allowed. */
const nonWebPorts = new Set([
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566],
  ...[6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

/** Parses a URL and checks that a request may be sent to it, without resolving its host. Throws {@link OutgoingError}. */
export function validateAddress(given: string | URL, base: URL | undefined, allowed: Ranges): URL {
  const text = String(given);
  if (text.length > MAX_URL || !URL.canParse(text, base)) throw bad("isn't valid");
  const url = new URL(text, base);
  if (!/^https?:$/.test(url.protocol)) throw bad("isn't http or https");
  if (url.username || url.password) throw bad("contains credentials");
  if (!isWebPort(url.port)) throw bad(`uses port ${url.port}, which isn't allowed for web requests`);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) && !isAllowedAddress(host, allowed)) throw forbidden(url.hostname);
  if (/(^|\.)localhost\.?$/.test(host) && !LOOPBACK.some((address) => isAllowedAddress(address, allowed)))
    throw forbidden(url.hostname);
  if (/\.(invalid|onion)\.?$/.test(host)) throw bad("has a host that no one can resolve");
  url.hash = "";
  return url;
}

/** What `localhost` and the names below it mean everywhere (RFC 6761). */
const LOOPBACK = ["127.0.0.1", "::1"];

function isWebPort(port: string): boolean {
  // The scheme's default port is empty.
  return port === "" || port === "80" || port === "443" || (+port >= 1024 && !nonWebPorts.has(+port));
}

const bad = (what: string) => new OutgoingError("bad_address", `The URL ${what}.`);

const forbidden = (host: string) =>
  new OutgoingError("forbidden_address", `${host} isn't a public internet address.`);

type Answered = (error: Error | null, addresses: LookupAddress[] | string, family?: number) => void;

/** A replacement for `dns.lookup`, for the `lookup` option of Node's sockets. */
export type Lookup = (host: string, options: LookupOptions, callback: Answered) => void;

/**
 * Resolves a host and returns only allowed addresses. The socket connects to exactly these, which prevents DNS
 * rebinding.
 * @param nameServers such as `192.0.2.1:53`; null for the system's own
 */
export function guardedLookup(allowed: Ranges, nameServers: string[] | null): Lookup {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (nameServers) resolver.setServers(nameServers);
  return (host, { all }, callback) => {
    resolve(resolver, host)
      .then((found) => {
        const good = found.filter(({ address }) => isAllowedAddress(address, allowed));
        const [first] = good;
        if (!first) return callback(forbidden(host), []);
        return all ? callback(null, good) : callback(null, first.address, first.family);
      })
      .catch((error) => callback(error, []));
  };
}

/** Resolves IPv4 and IPv6. Fails only if both do, because most names have only one kind. */
async function resolve(resolver: Resolver, host: string): Promise<LookupAddress[]> {
  const [six, four] = await Promise.allSettled([resolver.resolve6(host), resolver.resolve4(host)]);
  const found = [four, six].flatMap((kind, i) =>
    kind.status === "fulfilled" ? kind.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })) : [],
  );
  if (found.length > 0) return found;
  const cause = four.status === "rejected" ? four.reason : undefined;
  throw new OutgoingError("unknown_host", `The host ${host} can't be resolved.`, cause);
}
