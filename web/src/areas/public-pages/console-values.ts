import type { FieldInfo } from "./reference.plain.ts";

/** What stands in the console's fields: text, or a file. Nothing where a field was left alone. */
export type ConsoleInputs = Readonly<Record<string, string | File | undefined>>;

/** What is sent for it. What can't be read as what it should be is sent as text, so that the service says what is wrong. */
export function valuesOf(fields: readonly FieldInfo[], inputs: ConsoleInputs): Record<string, unknown> {
  const entries = fields.flatMap((field): [string, unknown][] => {
    const value = inputs[field.name];
    return value === undefined || value === "" ? [] : [[field.name, parseAs(field, value)]];
  });
  return Object.fromEntries(entries);
}

function parseAs({ kind }: FieldInfo, value: string | File): unknown {
  if (typeof value !== "string") return value;
  if (kind === "number" || kind === "boolean" || kind === "json" || value === "null") return parseJson(value);
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Whether all is there that the operation can't do without. */
export const isComplete = (fields: readonly FieldInfo[], inputs: ConsoleInputs): boolean =>
  fields.every(({ name, required }) => !required || (inputs[name] ?? "") !== "");
