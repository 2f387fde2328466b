import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The network of every client on this machine. */
export const LOOPBACK = "here";

/** The network that an address counts for: itself for IPv4; its /64 for IPv6, since one customer holds all of that. */
export function networkOf(address: string): string {
  if (!isIP(address)) return LOOPBACK;
  const parsed = ipaddr.process(address);
  if (parsed.range() === "loopback") return LOOPBACK;
  return parsed.kind() === "ipv4" ? parsed.toString() : parsed.toByteArray().slice(0, 8).join(".");
}
