import { type RawBuilder, sql } from "kysely";

/** Sorts after all characters that a name can contain. */
const AFTER_LAST_CHARACTER = "\u{10ffff}";

/** ASCII only, as indexes compare: databases differ in what else is a capital. */
export const lowerAscii = (text: string) => text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());

/** A range of an index: whether `key`, an expression in lower case, begins with this text, ignoring ASCII case. */
export function isPrefixOf(text: string, key: RawBuilder<string>): RawBuilder<boolean> {
  const prefix = lowerAscii(text);
  return sql<boolean>`${key} >= ${prefix} and ${key} < ${prefix + AFTER_LAST_CHARACTER}`;
}
