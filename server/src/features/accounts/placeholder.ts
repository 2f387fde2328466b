/** The addresses of agents, and of people whose sign-in provider shares none. */
const ownDomains = /@(agents|users)\.invalid$/i;

/** Whether it is a placeholder address, which receives no mail. */
export function isPlaceholder(address: string): boolean {
  return ownDomains.test(address);
}
