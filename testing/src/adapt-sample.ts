/** What to replace, by what, and how often it must be there. */
export type Change = [
  what: RegExp,
  by: string | ((match: string, ...groups: string[]) => string),
  times: number,
];

/** A sample of the docs with a test's own ports, paths and names. Throws where it doesn't have what is to be replaced. */
export function adaptSample(file: string, config: string, changes: Change[]): string {
  return changes.reduce((text, [what, by, times]) => {
    if (text.match(what)?.length !== times) throw new Error(`${file} isn't made for ${what}`);
    return text.replace(what, by as string);
  }, config);
}
