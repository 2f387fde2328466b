import type { LookupAddress, LookupOptions } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { OutgoingError } from "./outgoing-error.ts";
import { mayBeAsked, type Ranges } from "./public-address.ts";

const LONGEST_ADDRESS = 8192;

/** Where other things than web servers listen, as browsers have it; what is below 1024 is refused but for the web's own. */
const otherServices = new Set([
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566],
  ...[6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

/** The address of a page, if a request may be meant for it. Throws {@link OutgoingError}; its host is not yet looked up. */
export function judgeAddress(given: string | URL, base: URL | undefined, allowed: Ranges): URL {
  const text = String(given);
  if (text.length > LONGEST_ADDRESS || !URL.canParse(text, base)) throw bad("is not an address");
  const url = new URL(text, base);
  if (!/^https?:$/.test(url.protocol)) throw bad("is neither http nor https");
  if (url.username || url.password) throw bad("holds a name or a password");
  if (!isWebPort(url.port)) throw bad(`names the port ${url.port}, where no web server is expected`);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) && !mayBeAsked(host, allowed)) throw forbidden(url.hostname);
  url.hash = "";
  return url;
}

function isWebPort(port: string): boolean {
  // What is default for the scheme is empty.
  return port === "" || port === "80" || port === "443" || (+port >= 1024 && !otherServices.has(+port));
}

const bad = (what: string) => new OutgoingError("bad_address", `The address ${what}.`);

const forbidden = (host: string) =>
  new OutgoingError("forbidden_address", `${host} is no address of the public internet.`);

type Answered = (error: Error | null, addresses: LookupAddress[] | string, family?: number) => void;

/** Stands in for the system's own look-up of names, as `lookup` of Node's sockets. */
export type Lookup = (host: string, options: LookupOptions, answered: Answered) => void;

/**
 * Looks names up, and tells a socket none but the addresses that may be asked. The socket connects to what it is told
 * here, so a name that leads elsewhere a moment later wins nothing.
 * @param nameServers such as `192.0.2.1:53`; null for the system's
 */
export function guardedLookup(allowed: Ranges, nameServers: string[] | null): Lookup {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (nameServers) resolver.setServers(nameServers);
  return (host, { all }, answered) => {
    resolve(resolver, host)
      .then((found) => {
        const good = found.filter(({ address }) => mayBeAsked(address, allowed));
        const [first] = good;
        if (!first) return answered(forbidden(host), []);
        return all ? answered(null, good) : answered(null, first.address, first.family);
      })
      .catch((error) => answered(error, []));
  };
}

/** Both kinds of addresses; that one kind has none is no error, for most names have but one. */
async function resolve(resolver: Resolver, host: string): Promise<LookupAddress[]> {
  const [six, four] = await Promise.allSettled([resolver.resolve6(host), resolver.resolve4(host)]);
  const found = [four, six].flatMap((kind, i) =>
    kind.status === "fulfilled" ? kind.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })) : [],
  );
  if (found.length > 0) return found;
  const cause = four.status === "rejected" ? four.reason : undefined;
  throw new OutgoingError("unknown_host", `The name ${host} leads nowhere.`, cause);
}
