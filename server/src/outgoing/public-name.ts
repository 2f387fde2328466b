import { isIP } from "node:net";

/** Domains that the internet's name servers never know: for local networks, tests and other systems (RFC 6761, RFC 8375, ICANN). */
const special =
  /(^|\.)(alt|corp|example|home|home\.arpa|internal|invalid|lan|local|localdomain|localhost|mail|onion|test)$/;

/** Whether a host of a URL can be a name on the public internet, or is an IP address. Whether the name exists is another question. */
export function isPublicName(host: string): boolean {
  if (isIP(host.replace(/^\[|\]$/g, ""))) return true;
  const name = host.replace(/\.$/, "").toLowerCase();
  return name.includes(".") && !special.test(name);
}
