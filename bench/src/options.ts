/** A positive whole number from the command line, such as `--name 5`. Throws if it isn't one. */
export function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(`--${name}`);
  const value = at < 0 ? fallback : Number(process.argv[at + 1]);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} must be a whole number`);
}
