/* Without schemas, so that browser code can import it alone. */

/** Options that readers can't tell apart have the same key: case, blanks and Unicode's forms of the same character don't count. */
const keyOf = (option: string): string =>
  option.trim().replace(/\s+/gu, " ").toLowerCase().normalize("NFC").toUpperCase();

/** The position of the first option of a poll that repeats an earlier one, or -1. Options that are still empty don't count. */
export function repeatedOption(options: readonly string[]): number {
  const keys = options.map(keyOf);
  return keys.findIndex((key, i) => key !== "" && keys.indexOf(key) < i);
}
