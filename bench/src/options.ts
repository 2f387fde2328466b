/** A positive whole number from the command line, such as `--name 5`. Throws if it isn't one. */
export function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(`--${name}`);
  const given = at < 0 ? fallback : Number(process.argv[at + 1]);
  if (Number.isInteger(given) && given > 0) return given;
  throw new Error(`--${name} must be a whole number`);
}
