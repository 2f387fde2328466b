import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Bytes of an IPv6 address: of its /64 and of its /48. */
const NETWORK_BYTES = 8;
const SITE_BYTES = 6;

/** All loopback addresses. */
export const LOOPBACK = "here";

/**
 * The network that an address counts for: itself for IPv4; its /64 for IPv6, since one customer holds all of that. Null
 * if the address isn't known. Proxies may add the port.
 */
export function networkOf(address: string | undefined): string | null {
  const ip = withoutPort(address ?? "");
  if (!isIP(ip)) return null;
  const parsed = ipaddr.process(withoutZone(ip));
  if (parsed.range() === "loopback") return LOOPBACK;
  return parsed.kind() === "ipv4"
    ? parsed.toString()
    : parsed.toByteArray().slice(0, NETWORK_BYTES).join(".");
}

/** The client's address: the last one that isn't of the nearest `proxies` many, as the framework finds it out. */
export function clientAddress({ headers, socket }: IncomingMessage, proxies: number): string | undefined {
  const forwarded = headers["x-forwarded-for"];
  if (proxies === 0 || forwarded === undefined) return socket.remoteAddress;
  const named = String(forwarded)
    .split(",")
    .map((address) => address.trim());
  const addresses = [...named.filter((address) => address !== ""), socket.remoteAddress];
  return addresses.at(Math.max(-1 - proxies, -addresses.length));
}

/** The /48 of an IPv6 address: the most that a line usually has. Null for other addresses. */
export function siteOf(address: string | undefined): string | null {
  const network = networkOf(address)?.split(".") ?? [];
  return network.length === NETWORK_BYTES ? network.slice(0, SITE_BYTES).join(".") : null;
}

/** `1.2.3.4:5` and `[::1]:5` without the port. */
function withoutPort(address: string): string {
  const [, bracketed, v4] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(address) ?? [];
  return bracketed ?? v4 ?? address;
}

/** `fe80::1%eth0` without the interface, which ipaddr.js refuses if its name has other characters than letters and digits. */
function withoutZone(ip: string): string {
  return ip.split("%", 1)[0] ?? ip;
}
