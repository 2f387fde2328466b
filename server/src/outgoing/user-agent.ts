/** The user agent's name in robots.txt files. */
export const robotName = "Tandem";

/** The User-Agent header, with the service's URL once it is known. */
export function userAgentOf({ baseUrl }: { baseUrl: string }): string {
  return baseUrl ? `${robotName}/1.0 (+${baseUrl})` : `${robotName}/1.0`;
}
