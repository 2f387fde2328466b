import type { JsonSchemaNode } from "@tandem/contract/json-schema";
import { MAX_ID } from "@tandem/contract/schema";
import { codeSpan, markdownList } from "./markdown.ts";
import { inWords } from "./schemas.ts";

/** Fields as a list: name, type, bounds and description. */
export function fieldList({ properties = {}, required = [] }: JsonSchemaNode, isInput: boolean): string {
  const lines = Object.entries(properties).map(([name, field]) => {
    const needed = isInput && required.includes(name) ? "required" : "";
    const facts = [codeSpan(typeOf(field)), needed, ...boundsOf(field)].filter(Boolean).join(", ");
    return [`\`${name}\`: ${facts}.`, inWords(field)].filter(Boolean).join(" ");
  });
  return markdownList(lines);
}

/** The type in TypeScript notation, which is the shortest. */
export function typeOf(schema: JsonSchemaNode): string {
  if (schema.$id) return schema.$id;
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === "array") return arrayType(schema.items ?? {});
  if (schema.type === "object") return objectType(schema);
  return schema.type ?? "unknown";
}

function arrayType(items: JsonSchemaNode): string {
  const type = typeOf(items);
  const isUnion = !items.$id && items.type !== "object" && type.includes(" | ");
  return isUnion ? `(${type})[]` : `${type}[]`;
}

function objectType({ properties = {} }: JsonSchemaNode): string {
  const fields = Object.entries(properties).map(([name, field]) => `${name}: ${typeOf(field)}`);
  return `{ ${fields.join(", ")} }`;
}

/** What the type doesn't express: lengths, ranges, formats. For a union, those of its members. */
function boundsOf(schema: JsonSchemaNode): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, format, pattern, anyOf = [] } = schema;
  const sizes = [
    range(minimum, maximum === MAX_ID ? undefined : maximum, ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " items"),
  ];
  // A description already states the rule.
  const ruleInWords = schema.description === undefined ? schema["x-rule"] : undefined;
  const rule = ruleInWords ?? (pattern === "\\S" ? "not blank" : undefined);
  const words = [...sizes, format && formats[format], rule].filter((word) => word !== undefined);
  return schema.$id ? [] : [...words, ...anyOf.flatMap(boundsOf)];
}

const formats: Record<string, string> = {
  "web-address": "an http or https URL",
  email: "an email address",
  "date-time": "RFC 3339",
  date: "a day such as 2026-01-31",
};

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (most === undefined) return least ? `at least ${least}${unit}` : undefined;
  return least ? `${least} to ${most}${unit}` : `at most ${most}${unit}`;
}
