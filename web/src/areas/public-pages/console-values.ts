import type { FieldInfo } from "./reference.plain.ts";

/** The console's inputs by field name: text or a file; undefined if the field is untouched. */
export type ConsoleInputs = Readonly<Record<string, string | File | undefined>>;

/** The values to send. Input that can't be parsed is sent as text, so that the API explains what is wrong. */
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

/** Whether all required fields are filled in. */
export const isComplete = (fields: readonly FieldInfo[], inputs: ConsoleInputs): boolean =>
  fields.every(({ name, required }) => !required || (inputs[name] ?? "") !== "");
