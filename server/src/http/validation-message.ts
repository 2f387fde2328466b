import { hiddenCharacter } from "@tandem/contract/hidden-text";
import type { JsonSchemaNode } from "@tandem/contract/json-schema";
import { didYouMean } from "@tandem/contract/nearest-name";
import { LONGEST_NAME } from "@tandem/contract/unknown-fields";
import type { ErrorObject } from "ajv";
import type { TSchema } from "typebox";

/** A sentence that says what a field accepts. The error's hint is about one field, so `isFirst` leaves long lists of values to that. */
export function validationMessage(
  name: string,
  schema: TSchema,
  errors: ErrorObject[],
  { isFirst = true } = {},
): string {
  // Every member of a union reports errors; prefer those of a member with the right type.
  const precise = errors.find(({ keyword }) => !["type", "anyOf", "const"].includes(keyword));
  if (precise) {
    const { "x-words": words }: JsonSchemaNode = schema;
    const sentence = ended(`${fieldIn(name, precise)} ${rule(precise, schema)}`);
    return words && precise.keyword === "pattern" && !isFirst
      ? `${sentence} Allowed: ${words.join(", ")}.`
      : sentence;
  }
  const inside = errors.find(({ instancePath }) => instancePath !== "");
  if (inside) return `${fieldIn(name, inside)} must be ${kindsOf(inside.parentSchema as JsonSchemaNode)}.`;
  return `${name} must be ${kindsOf(schema)}.`;
}

const ended = (text: string) => (/[.?]$/.test(text) ? text : `${text}.`);

/** The part of a field that an error is about, such as `poll.options[1]`. */
function fieldIn(name: string, { instancePath, keyword, params }: ErrorObject): string {
  const path = instancePath.replaceAll(/\/(\d+)/g, "[$1]").replaceAll("/", ".");
  const missing = keyword === "required" ? `.${params.missingProperty}` : "";
  return `${name}${path}${missing}`;
}

function rule({ keyword, params, parentSchema, data }: ErrorObject, schema: TSchema): string {
  switch (keyword) {
    case "minLength":
      return `must have at least ${characters(params.limit)}`;
    case "maxLength":
      return `must have at most ${characters(params.limit)}`;
    case "required":
      return "is required";
    case "minItems":
      return `must have at least ${params.limit} ${params.limit === 1 ? "item" : "items"}`;
    case "uniqueItems":
      return "must not repeat an item";
    case "maxItems":
      return `can have at most ${params.limit} items`;
    case "minimum":
      return `must be at least ${params.limit}`;
    case "maximum":
      return `must be at most ${params.limit}`;
    case "enum":
      return oneOfRule(params.allowedValues, data);
    case "format":
      return formatRule(String(params.format), data);
    case "pattern":
      return patternRule(parentSchema as JsonSchemaNode, schema, data);
    default:
      return `must be ${kindsOf(schema)}`;
  }
}

function oneOfRule(words: readonly unknown[], value: unknown): string {
  return words.length === 1
    ? `must be ${words}`
    : `must be one of ${words.join(", ")}${didYouMean(value, words)}`;
}

function formatRule(format: string, value: unknown): string {
  const shown = format === "text" || format === "web-address";
  const hidden = shown && typeof value === "string" ? hiddenCharacter(value) : null;
  if (hidden) return `must not contain ${hidden.name} (character ${hidden.place}), which is invisible`;
  return `is not a valid ${format === "any-text" ? "text" : format.replace("-", " ")}`;
}

function patternRule(part: JsonSchemaNode | undefined, schema: JsonSchemaNode, value: unknown): string {
  const words = schema["x-words"];
  if (words) return wordsRule(words, String(value));
  const description = part?.["x-rule"] ?? schema["x-rule"];
  if (description) return description;
  return part?.pattern === "\\S" ? "must not be blank" : "has an invalid format";
}

function wordsRule(words: readonly string[], list: string): string {
  const wrong = list.split(",").find((word) => !words.includes(word));
  if (!wrong) return "must be a comma-separated list of allowed values";
  return `can't contain \`${wrong.slice(0, LONGEST_NAME)}\`${didYouMean(wrong, words)}`;
}

function characters(limit: number): string {
  return limit === 1 ? "1 character" : `${limit} characters`;
}

const kinds: Record<string, string> = {
  string: "a string",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

function kindsOf(schema: JsonSchemaNode): string {
  if (schema.enum) return schema.enum.join(" or ");
  const parts = schema.anyOf?.map(kindsOf) ?? [kinds[schema.type ?? ""] ?? "something else"];
  return [...new Set(parts)].join(" or ");
}
