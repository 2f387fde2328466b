/** A whole number from the command line, as `--name 5`. Throws where it is none. */
export function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(`--${name}`);
  const given = at < 0 ? fallback : Number(process.argv[at + 1]);
  if (Number.isInteger(given) && given > 0) return given;
  throw new Error(`--${name} takes a whole number`);
}
