import ipaddr from "ipaddr.js";

/** IP ranges in CIDR notation, such as `10.0.0.0/8` or `fd00::/8`. */
export type Ranges = readonly string[];

/** Azure's internal platform address, which looks public. */
const azureMetadata = ["168.63.129.16/32"];

/** The public range of IPv6. Addresses that translate to IPv4 are outside it, except 6to4. */
const publicIpv6 = ipaddr.parseCIDR("2000::/3");

/**
 * Whether requests may connect to this address: a public unicast address, or one in a range that the administrator allows.
 * Excludes private, loopback, link-local, multicast and cloud metadata addresses, and IPv6 addresses that embed others;
 * IPv4-mapped IPv6 addresses are checked as IPv4.
 */
export function isAllowedAddress(address: string, allowed: Ranges): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (within(parsed, allowed)) return true;
  if (parsed.range() !== "unicast" || within(parsed, azureMetadata)) return false;
  return parsed.kind() === "ipv4" || parsed.match(publicIpv6);
}

function within(address: ipaddr.IPv4 | ipaddr.IPv6, ranges: Ranges): boolean {
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === address.kind() && address.match(network, bits);
  });
}

/** Whether it is a valid CIDR range. */
export function isRange(text: string): boolean {
  return ipaddr.isValidCIDR(text);
}
