import { alternatives, type JsonSchemaNode } from "@tandem/contract/json-schema";
import type { TSchema } from "typebox";

const emoji = "😀";
const site = "https://example.org/";

/** Invalid values for a field of this schema, as JSON texts. */
export function badJson(schema: TSchema | JsonSchemaNode): string[] {
  const nodes = alternatives(schema);
  return [...wrongTypes(nodes), ...nodes.flatMap(outOfBounds)];
}

function wrongTypes(nodes: JsonSchemaNode[]): string[] {
  const types = new Set(nodes.map(({ type }) => type));
  const numeric = types.has("integer") || types.has("number");
  const deep = (open: string, close: string) => open.repeat(50_000) + close.repeat(50_000);
  return [
    ...(types.has("boolean") ? [] : ["true"]),
    ...(types.has("object") ? [] : ["{}", '{"id":1}', `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`]),
    deep("[", "]"),
    ...(types.has("null") ? [] : ["null"]),
    ...(types.has("string") ? [] : ['"1"', '"x"', '""']),
    ...(types.has("array") ? [] : ["[]", "[1]", '["x"]']),
    ...(numeric ? [] : ["1", "-1", "1.5", "1e400"]),
  ];
}

function outOfBounds(node: JsonSchemaNode): string[] {
  switch (node.type) {
    case "string":
      return badStrings(node).concat(['"\\ud800"', '"ok \\udc00"', '"\\u0000"', '"ok\\u0000"']);
    case "integer":
      return [...badIntegers(node), "1e400", "-1e400", "1.5", "9007199254740993", "1e21"];
    case "number":
      return ["1e400", "-1e400"];
    case "array":
      return badArrays(node);
    case "object":
      return Object.entries(node.properties ?? {}).flatMap(([name, schema]) =>
        badJson(schema).map((bad) => `{${JSON.stringify(name)}:${bad}}`),
      );
    default:
      return [];
  }
}

function badStrings(node: JsonSchemaNode): string[] {
  return wrongStrings(node).map((text) => JSON.stringify(text));
}

/** Well-formed but invalid text for this field. */
export function wrongStrings({
  enum: words,
  minLength = 0,
  maxLength,
  pattern,
  format,
  ...rest
}: JsonSchemaNode): string[] {
  if (words) return ["", "nonsense", ...words.flatMap((word) => [`${word} `, String(word).toUpperCase()])];
  const wrong: string[] = [];
  if (maxLength !== undefined) wrong.push(...tooLong({ ...rest, maxLength, ...(format && { format }) }));
  if (minLength > 0) wrong.push("", "x".repeat(minLength - 1));
  // An emoji is one code point, although JavaScript counts two.
  if (minLength > 1) wrong.push(emoji.repeat(minLength - 1));
  if (pattern === "\\S") wrong.push(" ", "\n\t", "\u00a0\u2003");
  else if (pattern?.startsWith("^\\S(")) wrong.push(" ", " x", "x ", "x\u00a0", "\tx", "x\n", "x\ny");
  else if (pattern?.endsWith(".*$")) wrong.push("x\ny", "x\r\ny", "x\n", "\u2028");
  else if (pattern) wrong.push("!", "a b", "ä", "a/b", "ok\n");
  if (format === "text") wrong.push("a\u200bb", "\ufeffx", "x\u202e", "x\u{e0041}", "x\u0007");
  if (format === "web-address") wrong.push(...noAddresses, `${site}\u200b`);
  if (format === "email") wrong.push(...noEmails);
  if (format === "date-time")
    wrong.push(
      "soon",
      "2026-01-31",
      "2026-13-01T00:00:00Z",
      "2026-01-31 12:00:00",
      "2026-02-30T12:00:00Z",
      "2026-01-31T24:00:00Z",
    );
  if (format === "date") wrong.push("soon", "2026-1-31", "2026-02-30", "2026-01-31T12:00:00Z");
  return wrong;
}

const noAddresses = [
  "example.org",
  "//example.org",
  "ftp://example.org",
  "javascript:alert(1)",
  "data:text/html,x",
  "https:example.org",
  "https://",
  "http://:80",
  "https://exa mple.org",
  " https://example.org",
  "https://example.org/\n",
  "https://example.org:99999",
];

const noEmails = ["ada", "@example.org", "ada@", "ada@org", "a b@example.org", "a@b@example.org", "a@b..org"];

function tooLong({ maxLength = 0, format }: JsonSchemaNode): string[] {
  return [longest(maxLength + 1, "x", format), longest(maxLength + 1, emoji, format)];
}

/** A text of exactly so many code points, as far as its format lets it be made of `character`. */
export function longest(length: number, character: string, format?: JsonSchemaNode["format"]): string {
  if (format === "web-address") return site + character.repeat(length - site.length);
  if (format === "email") return `ada@${character.repeat(length - 8)}.org`;
  return character.repeat(length);
}

function badIntegers({ enum: words, minimum, maximum }: JsonSchemaNode): string[] {
  if (words) return ["2", "-1", "9007199254740992"];
  const below = minimum === undefined ? [] : [minimum - 1, minimum - 1000];
  const above = maximum === undefined ? [] : [maximum + 1, maximum * 1000];
  return [...below, ...above].map(String);
}

function badArrays({ items = {}, maxItems = 0 }: JsonSchemaNode): string[] {
  const [good] = goodJson(items);
  const tooMany = `[${Array(maxItems + 1)
    .fill(good)
    .join()}]`;
  return [tooMany, ...badJson(items).map((bad) => `[${bad}]`), `[${good},true]`];
}

/** Values at the edge of what is valid, as JSON texts. */
export function goodJson(schema: TSchema | JsonSchemaNode): string[] {
  return alternatives(schema).flatMap((node) => {
    if (node.enum) return node.enum.map((word) => JSON.stringify(word));
    if (node.type === "null") return ["null"];
    if (node.type === "string") return goodStrings(node).map((text) => JSON.stringify(text));
    if (node.type === "array") return [`[${goodJson(node.items ?? {}).slice(0, node.minItems ?? 0)}]`];
    if (node.type === "object") return [goodObject(node)];
    if (node.type === "boolean") return ["true", "false"];
    return [node.minimum, node.maximum, 42].filter((edge) => edge !== undefined).map(String);
  });
}

function goodObject({ properties = {}, required = [] }: JsonSchemaNode): string {
  const fields = required.map((name) => [name, JSON.parse(goodJson(properties[name] ?? {})[0] ?? "null")]);
  return JSON.stringify(Object.fromEntries(fields));
}

function goodStrings({ minLength = 0, maxLength, pattern, format }: JsonSchemaNode): string[] {
  if (maxLength === undefined) return [];
  if (format === "date-time") return ["2026-01-31T12:00:00.000Z", "2026-01-31T12:00:00+02:00"];
  if (format === "date") return ["2026-01-31", "2024-02-29"];
  if (format === undefined) return ["x".repeat(minLength), "x".repeat(maxLength)];
  const takesAny = format === "text" || format === "any-text" || format === "web-address";
  const character = pattern || takesAny ? emoji : "x";
  const edges = [longest(maxLength, "x", format), longest(maxLength, character, format)];
  return format === "text" || format === "any-text" ? [...edges, emoji.repeat(minLength || 1)] : edges;
}

/** Like `badTexts`, for a path segment: an empty one would change the path. */
export function badSegments(schema: TSchema | JsonSchemaNode): string[] {
  return badTexts(schema).filter((text) => text !== "");
}

/** Invalid, not yet encoded texts for a path or query field of this schema. */
export function badTexts(schema: TSchema | JsonSchemaNode): string[] {
  return alternatives(schema).flatMap((node) => {
    // Text can't be null, so the other alternatives decide what is invalid.
    if (node.type === "null") return [];
    if (node.type === "string") return [...wrongStrings(node), "ok\0"];
    const absurd = "abc,1e3,1.5,1.0,-0,+1,0x10,01,1_000,99999999999999999999,Infinity,NaN,null,١,1;1".split(
      ",",
    );
    return [...absurd, ...badIntegers(node), " 1", "1\0", "😀"];
  });
}
