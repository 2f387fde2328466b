/** A pattern, its replacement, and how often it must occur. */
export type Change = [
  what: RegExp,
  by: string | ((match: string, ...groups: string[]) => string),
  times: number,
];

/** Applies changes such as ports and paths to a sample from the docs. Throws unless each pattern occurs as often as expected. */
export function adaptSample(file: string, config: string, changes: Change[]): string {
  return changes.reduce((text, [what, by, times]) => {
    if (text.match(what)?.length !== times) throw new Error(`${file} doesn't contain ${what} ${times} times`);
    return text.replace(what, by as string);
  }, config);
}
