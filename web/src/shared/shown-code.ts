/** A code of eight letters as devices and agents show it: `bcdf ghjk` becomes `BCDF-GHJK`. */
export function shownCode(code: string): string {
  const letters = code.toUpperCase().replace(/[^A-Z]/g, "");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
