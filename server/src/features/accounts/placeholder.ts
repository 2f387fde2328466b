/** Of agents, and of people whose sign-in provider shares no address. */
const domains = { agent: "agents.invalid", person: "users.invalid" };

/** A placeholder address, which receives no mail: every account has an address of its own. */
export const placeholder = (kind: keyof typeof domains, name: string): string => `${name}@${domains[kind]}`;

/** Whether an address is a placeholder. */
export function isPlaceholder(address: string): boolean {
  return Object.values(domains).includes(address.slice(address.lastIndexOf("@") + 1).toLowerCase());
}
