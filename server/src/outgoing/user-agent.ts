/** The name by which a robots.txt may speak to us. */
export const robotName = "Tandem";

/** Who asks, with the address where more is told, once that is settled. */
export function userAgentOf({ baseUrl }: { baseUrl: string }): string {
  return baseUrl ? `${robotName}/1.0 (+${baseUrl})` : `${robotName}/1.0`;
}
