import ipaddr from "ipaddr.js";

/** Ranges of addresses, each as `10.0.0.0/8` or `fd00::/8`. */
export type Ranges = readonly string[];

/** What is one machine's own in Azure, though nothing in the address says so. */
const disguised = ["168.63.129.16/32"];

/** All that was ever given to the public of IPv6; what leads to IPv4 by translation lies elsewhere, but for 6to4. */
const publicIpv6 = ipaddr.parseCIDR("2000::/3");

/**
 * Whether a request may go to this address: one on the public internet, or one in a range that the operator allows.
 * So nothing private, of this machine, of its link, of a cloud's metadata, nothing that is sent to many, and nothing
 * that wraps an address of another kind, but IPv4's plain form within IPv6, which is judged as what it is.
 */
export function mayBeAsked(address: string, allowed: Ranges): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (within(parsed, allowed)) return true;
  if (parsed.range() !== "unicast" || within(parsed, disguised)) return false;
  return parsed.kind() === "ipv4" || parsed.match(publicIpv6);
}

function within(address: ipaddr.IPv4 | ipaddr.IPv6, ranges: Ranges): boolean {
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === address.kind() && address.match(network, bits);
  });
}

/** Whether it is a range as {@link Ranges} has them. */
export function isRange(text: string): boolean {
  return ipaddr.isValidCIDR(text);
}
