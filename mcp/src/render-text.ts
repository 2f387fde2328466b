import type { JsonSchemaNode } from "@tandem/contract/facts";
import { isObject } from "./facts.ts";
import { quote } from "./user-text.ts";
import { kindOf } from "./view.ts";

/** Beyond this, a user's text stands on lines of its own. */
const SHORT = 80;

/**
 * A view in few words: a line for each thing, its facts side by side, long texts below. Flags that are down, counts
 * of nothing and empty lists aren't mentioned.
 */
export function renderText(schema: JsonSchemaNode, view: object): string {
  const facts = schema.properties ?? {};
  return Object.entries(view)
    .map(([name, value]) => field(name, facts[name] ?? {}, value))
    .join("\n");
}

function field(name: string, schema: JsonSchemaNode, value: unknown): string {
  const kind = kindOf(schema, value);
  if (Array.isArray(value)) return [`${name}: ${value.length}`, ...listed(kind, value)].join("\n");
  if (isObject(value)) return `${name}: ${thing(kind, value)}`;
  return `${name}: ${plain(kind, value)}`;
}

function listed({ items = {} }: JsonSchemaNode, values: unknown[]): string[] {
  return values.map((one) => `- ${isObject(one) ? thing(kindOf(items, one), one) : plain(items, one)}`);
}

function thing({ properties = {} }: JsonSchemaNode, value: object): string {
  const [short, long]: [string[], string[]] = [[], []];
  for (const [name, one] of Object.entries(value)) {
    const schema = properties[name] ?? {};
    const said = part(name, schema, one);
    if (said !== null) (isLong(one) ? long : short).push(said);
  }
  return [short.join(" · "), ...long.map((one) => `  ${one}`)].join("\n");
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && (value.length > SHORT || value.includes("\n"));
}

function part(name: string, schema: JsonSchemaNode, value: unknown): string | null {
  if (value === false || value === 0 || (Array.isArray(value) && value.length === 0)) return null;
  if (value === true) return name;
  const kind = kindOf(schema, value);
  if (Array.isArray(value)) return `${name} (${listed(kind, value).join("; ")})`;
  if (isObject(value)) return `${name} (${thing(kind, value)})`;
  return `${name} ${plain(kind, value)}`;
}

function plain(schema: JsonSchemaNode, value: unknown): string {
  const kind = kindOf(schema, value);
  return kind["x-user-text"] && typeof value === "string" ? quote(value) : String(value);
}
