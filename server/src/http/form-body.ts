import { alternatives, type Facts } from "@tandem/contract/facts";
import type { Operation } from "@tandem/contract/operation";
import type { TSchema } from "typebox";
import { invalid } from "./problem.ts";

/**
 * The texts of a form as the values that JSON would carry, as far as the schema asks for other than text; what can't be
 * read so stays text, and the schema refuses it. A form has no null: what is empty and may be left out is left out.
 */
export function formBody(op: Operation, texts: ReadonlyMap<string, string[]>): Record<string, unknown> {
  const required = new Set(op.body.required);
  const body: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(op.body.properties)) {
    const given = texts.get(name);
    if (given === undefined || (!required.has(name) && given.every((text) => text === ""))) continue;
    body[name] = fieldOf(name, schema, given);
  }
  return body;
}

function fieldOf(name: string, schema: TSchema, given: string[]): unknown {
  const kinds = alternatives(schema);
  const list = kinds.find(({ type }) => type === "array");
  const [text = ""] = given;
  if (!list) {
    if (given.length > 1) throw invalid(name, `${name} is given twice.`);
    return scalar(kinds, text);
  }
  if (given.length === 1 && text.trimStart().startsWith("[")) return parsed(text);
  return given.map((one) => scalar(alternatives(list.items ?? {}), one));
}

function scalar(kinds: Facts[], text: string): unknown {
  const types = kinds.map(({ type }) => type);
  if (types.includes("integer") && /^(0|-?[1-9]\d*)$/.test(text)) return Number(text);
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
