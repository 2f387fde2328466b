import { alternatives, type JsonSchemaNode } from "@tandem/contract/json-schema";
import type { Operation } from "@tandem/contract/operation";
import type { TSchema } from "typebox";
import { invalid } from "./api-error.ts";
import { boundJson } from "./json.ts";

/**
 * Converts a form's texts to the types that the schema expects. What can't be converted stays text, and validation
 * refuses it. Forms have no null, so empty optional fields are left out.
 */
export function formBody(op: Operation, texts: ReadonlyMap<string, string[]>): Record<string, unknown> {
  const required = new Set(op.body.required);
  const body: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(op.body.properties)) {
    const values = texts.get(name);
    if (values === undefined || (!required.has(name) && values.every((text) => text === ""))) continue;
    body[name] = fieldOf(name, schema, values);
  }
  return body;
}

function fieldOf(name: string, schema: TSchema, values: string[]): unknown {
  const kinds = alternatives(schema);
  const list = kinds.find(({ type }) => type === "array");
  const [text = ""] = values;
  if (!list) {
    if (values.length > 1) throw invalid(name, `${name} is repeated.`);
    if (kinds.some(({ type }) => type === "object")) return parsed(name, text);
    return scalar(kinds, text);
  }
  if (values.length === 1 && text.trimStart().startsWith("[")) return parsed(name, text);
  return values.map((one) => scalar(alternatives(list.items ?? {}), one));
}

function scalar(kinds: JsonSchemaNode[], text: string): unknown {
  const types = kinds.map(({ type }) => type);
  if (types.includes("integer") && /^(0|-?[1-9]\d*)$/.test(text)) return Number(text);
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  return text;
}

function parsed(name: string, text: string): unknown {
  boundJson(Buffer.from(text), { whole: name });
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
