import type { FieldTold } from "./reference.plain.ts";

/** What stands in the console's fields: text, or a file. Nothing where a field was left alone. */
export type Typed = Readonly<Record<string, string | File | undefined>>;

/** What is sent for it. What can't be read as what it should be is sent as text, so that the service says what is wrong. */
export function valuesOf(fields: readonly FieldTold[], typed: Typed): Record<string, unknown> {
  const given = fields.flatMap((field): [string, unknown][] => {
    const value = typed[field.name];
    return value === undefined || value === "" ? [] : [[field.name, readAs(field, value)]];
  });
  return Object.fromEntries(given);
}

function readAs({ kind }: FieldTold, value: string | File): unknown {
  if (typeof value !== "string") return value;
  if (kind === "number" || kind === "boolean" || kind === "json" || value === "null") return parsed(value);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Whether all is there that the operation can't do without. */
export const isSettled = (fields: readonly FieldTold[], typed: Typed): boolean =>
  fields.every(({ name, required }) => !required || (typed[name] ?? "") !== "");
