import type { JsonSchemaNode } from "@tandem/contract/json-schema";
import { isObject } from "./schema-utils.ts";
import { kindOf } from "./view.ts";

/** Longer texts are rendered on a line of their own. Characters. */
const MAX_INLINE = 80;

/**
 * Renders a view as compact text: one line per object with its fields next to each other, and long texts below. Omits
 * false flags, zero counts and empty lists. The view contains text by users between delimiters already.
 */
export function renderText(schema: JsonSchemaNode, view: object): string {
  const fields = schema.properties ?? {};
  return Object.entries(view)
    .map(([name, value]) => renderField(name, fields[name] ?? {}, value))
    .join("\n");
}

function renderField(name: string, schema: JsonSchemaNode, value: unknown): string {
  const kind = kindOf(schema, value);
  if (Array.isArray(value)) return [`${name}: ${value.length}`, ...renderItems(kind, value)].join("\n");
  if (isObject(value)) return `${name}: ${renderObject(kind, value)}`;
  return `${name}: ${value}`;
}

function renderItems({ items = {} }: JsonSchemaNode, values: unknown[]): string[] {
  return values.map((item) => `- ${isObject(item) ? renderObject(kindOf(items, item), item) : item}`);
}

function renderObject({ properties = {} }: JsonSchemaNode, value: object): string {
  const [short, long]: [string[], string[]] = [[], []];
  for (const [name, item] of Object.entries(value)) {
    const schema = properties[name] ?? {};
    const text = renderInline(name, schema, item);
    if (text !== null) (isLong(item) ? long : short).push(text);
  }
  return [short.join(" · "), ...long.map((text) => `  ${text}`)].join("\n");
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && (value.length > MAX_INLINE || value.includes("\n"));
}

function renderInline(name: string, schema: JsonSchemaNode, value: unknown): string | null {
  if (value === false || value === 0 || (Array.isArray(value) && value.length === 0)) return null;
  if (value === true) return name;
  const kind = kindOf(schema, value);
  if (Array.isArray(value)) return `${name} (${renderItems(kind, value).join("; ")})`;
  if (isObject(value)) {
    const fields = renderObject(kind, value);
    // All of them were left out.
    return fields === "" ? null : `${name} (${fields})`;
  }
  return `${name} ${value}`;
}
