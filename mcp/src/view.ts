import type { JsonSchemaNode } from "@tandem/contract/json-schema";
import type { Post, Product } from "@tandem/contract/post-resources";
import type { Key, User } from "@tandem/contract/resources";
import { isObject, type Json, unionOf } from "./schema-utils.ts";
import { quote } from "./user-text.ts";

/** Fields that are only useful for displaying content. Omitted, since a model can't use them and they cost tokens. */
const displayFields: ReadonlySet<string> = new Set<keyof Post | keyof Product | keyof User | keyof Key>([
  "thumbnailUrl",
  "width",
  "height",
  "durationSeconds",
  "thumbHash",
  "originalUrl",
  "mediaState",
  "authorAvatarUrl",
  "avatarUrl",
  "bannerUrl",
  "imageUrl",
  "hint",
]);

export type JsonObjectSchema = Json & { type: "object"; properties: Json };

/** The maximum length of texts in lists, in characters. Reading a single item returns the full text. */
const MAX_TEXT_IN_LIST = 500;

/**
 * The schema of a tool's result: the operation's response without display fields and nulls. Objects and lists in it aren't
 * described: a model reads the whole list of tools before its first call, and sees their fields in the results.
 */
export function viewSchema({ properties = {}, required = [] }: JsonSchemaNode): JsonObjectSchema {
  const always = required.filter((name) => !unionOf(properties[name] ?? {}).nullable);
  return {
    type: "object",
    properties: mapShown(properties, typeAlone),
    ...(always.length > 0 && { required: always }),
  };
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

/** The paths of the fields of a view that contain text by users, such as `posts[].title`. */
export function userTextIn(schema: JsonSchemaNode, path = ""): string[] {
  return unionOf(schema).kinds.flatMap((kind) => {
    if (kind["x-user-text"]) return [path];
    if (kind.items) return userTextIn(kind.items, `${path}[]`);
    return shownFields(kind).flatMap((name) =>
      userTextIn(kind.properties?.[name] ?? {}, path === "" ? name : `${path}.${name}`),
    );
  });
}

/** The names of an object's fields that are visible. */
export function shownFields({ properties = {} }: JsonSchemaNode): string[] {
  return Object.keys(properties).filter((name) => !displayFields.has(name));
}

/** A response as described by `viewSchema`. In lists, long texts are truncated. Text by users is between delimiters. */
export function viewOf(schema: JsonSchemaNode, response: object): Record<string, unknown> {
  return fieldsOf(schema, response, false);
}

function fieldsOf(
  { properties = {} }: JsonSchemaNode,
  value: object,
  inList: boolean,
): Record<string, unknown> {
  const visible = Object.entries(value).filter(([name, item]) => item !== null && !displayFields.has(name));
  return Object.fromEntries(
    visible.map(([name, item]) => [name, shownOf(properties[name] ?? {}, item, inList)]),
  );
}

function shownOf(schema: JsonSchemaNode, value: unknown, inList: boolean): unknown {
  const kind = kindOf(schema, value);
  if (Array.isArray(value)) return value.map((item) => shownOf(kind.items ?? {}, item, true));
  if (isObject(value)) return fieldsOf(kind, value, inList);
  if (typeof value !== "string") return value;
  const shown = inList ? truncate(value) : value;
  return kind["x-user-text"] ? quote(shown) : shown;
}

/** The member of a union that a value matches. The contract has no unions of several objects or several lists. */
export function kindOf(schema: JsonSchemaNode, value: unknown): JsonSchemaNode {
  const type = Array.isArray(value) ? "array" : typeof value;
  const { kinds } = unionOf(schema);
  return kinds.find((kind) => kind.type === type) ?? kinds[0] ?? {};
}

function truncate(text: string): string {
  const points = [...text];
  if (points.length <= MAX_TEXT_IN_LIST) return text;
  return `${points.slice(0, MAX_TEXT_IN_LIST).join("")}… (${points.length - MAX_TEXT_IN_LIST} more characters)`;
}
