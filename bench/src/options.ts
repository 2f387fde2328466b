/** A positive whole number from the command line, such as `--name 5`. Throws if it isn't one. */
export function option(name: string, fallback: number): number {
  const text = textOption(name);
  const value = text === null ? fallback : Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} must be a whole number`);
}

/** What follows `--name` on the command line; null without it. Throws if nothing follows. */
export function textOption(name: string): string | null {
  const at = process.argv.indexOf(`--${name}`);
  if (at < 0) return null;
  const value = process.argv[at + 1];
  if (value === undefined || value.startsWith("--")) throw new Error(`--${name} needs a value`);
  return value;
}

/** The same where it is needed. */
export function required(name: string): string {
  const value = textOption(name);
  if (value === null) throw new Error(`--${name} is needed`);
  return value;
}

/** One of these values, the first by default. Throws if it is another. */
export function choice<Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value {
  const text = textOption(name) ?? values[0];
  const chosen = values.find((value) => value === text);
  if (chosen !== undefined) return chosen;
  throw new Error(`--${name} must be ${values.join(" or ")}`);
}
