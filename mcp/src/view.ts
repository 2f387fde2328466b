import type { JsonSchemaNode } from "@tandem/contract/facts";
import type { Key, Post, Product, User } from "@tandem/contract/resources";
import { isObject, type Json, unionOf } from "./facts.ts";

/** What an answer holds for those who draw it: a reader of text has no use for it, and pays for every word. */
const drawn: ReadonlySet<string> = new Set<keyof Post | keyof Product | keyof User | keyof Key>([
  "thumbnailUrl",
  "width",
  "height",
  "durationSeconds",
  "thumbHash",
  "originalUrl",
  "mediaState",
  "authorAvatarUrl",
  "avatarUrl",
  "imageUrl",
  "hint",
]);

/** A text in a list is cut after so many characters: the item alone shows all of it. */
const CUT = 500;

/**
 * The schema of what a tool answers: the operation's answer without what only eyes need, and where it would say null,
 * nothing. What hangs on a resource is named and not described: a list of tools is read whole before the first call.
 */
export function viewSchema({ properties = {}, required = [] }: JsonSchemaNode): Json & { type: "object" } {
  const always = required.filter((name) => !unionOf(properties[name] ?? {}).nullable);
  return {
    type: "object",
    properties: mapShown(properties, shallow),
    ...(always.length > 0 && { required: always }),
  };
}

/** A resource, or a list of one, with the types of its fields. */
function shallow(schema: JsonSchemaNode): Json {
  const [kind = {}] = unionOf(schema).kinds;
  if (kind.items) return { type: "array", items: shallow(kind.items) };
  if (kind.properties) return { type: "object", properties: mapShown(kind.properties, typeAlone) };
  return typeAlone(schema);
}

function mapShown(properties: Record<string, JsonSchemaNode>, map: (field: JsonSchemaNode) => Json): Json {
  return Object.fromEntries(shownFields({ properties }).map((name) => [name, map(properties[name] ?? {})]));
}

function typeAlone(schema: JsonSchemaNode): Json {
  const [first = "string", ...more] = unionOf(schema).kinds.map(typeOf);
  return { type: more.length > 0 ? [first, ...more] : first };
}

function typeOf({ type, const: only }: JsonSchemaNode): string {
  return type ?? typeof only;
}

/** The names of a resource's fields that are shown. */
export function shownFields({ properties = {} }: JsonSchemaNode): string[] {
  return Object.keys(properties).filter((name) => !drawn.has(name));
}

/** An answer as its view's schema tells it; in lists, long texts are cut. */
export function viewOf(schema: JsonSchemaNode, answer: object): Record<string, unknown> {
  return fieldsOf(schema, answer, false);
}

function fieldsOf(
  { properties = {} }: JsonSchemaNode,
  value: object,
  inList: boolean,
): Record<string, unknown> {
  const shown = Object.entries(value).filter(([name, one]) => one !== null && !drawn.has(name));
  return Object.fromEntries(shown.map(([name, one]) => [name, shownOf(properties[name] ?? {}, one, inList)]));
}

function shownOf(schema: JsonSchemaNode, value: unknown, inList: boolean): unknown {
  const kind = kindOf(schema, value);
  if (Array.isArray(value)) return value.map((one) => shownOf(kind.items ?? {}, one, true));
  if (isObject(value)) return fieldsOf(kind, value, inList);
  return inList && typeof value === "string" ? cut(value) : value;
}

/** Of a union, the kind that the value is of: no two of ours are both objects, or both lists. */
export function kindOf(schema: JsonSchemaNode, value: unknown): JsonSchemaNode {
  const type = Array.isArray(value) ? "array" : typeof value;
  const { kinds } = unionOf(schema);
  return kinds.find((kind) => kind.type === type) ?? kinds[0] ?? {};
}

function cut(text: string): string {
  const points = [...text];
  if (points.length <= CUT) return text;
  return `${points.slice(0, CUT).join("")}… (${points.length - CUT} characters more)`;
}
