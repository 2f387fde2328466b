import type { JsonSchemaNode } from "@tandem/contract/json-schema";

/** A part of the document. */
export type Json = Record<string, unknown>;

/** The contract's own formats, translated to standard JSON Schema. */
const publicFormats: Record<string, Json> = {
  text: {},
  "any-text": {},
  "web-address": { format: "uri", pattern: "^https?://" },
};

/** Translates schemas and collects the named ones, which the document describes once and refers to. */
export class Schemas {
  /** The resources, by their `$id`. */
  readonly named: Record<string, Json> = {};

  /** Translates a schema: resources become references, annotations become part of the description. */
  show(schema: JsonSchemaNode): Json {
    const { $id, ...anonymous } = schema;
    if ($id === undefined) return this.#translate(anonymous);
    this.named[$id] ??= this.#translate(anonymous);
    return { $ref: `#/components/schemas/${$id}` };
  }

  #translate(schema: JsonSchemaNode): Json {
    const { description: _, format, anyOf, items, properties, ...rest } = schema;
    const shown: Json = { ...withoutAnnotations(rest), ...(format && (publicFormats[format] ?? { format })) };
    const description = inWords(schema);
    if (description !== "") shown.description = description;
    if (schema["x-secret"]) shown.readOnly = true;
    if (items) shown.items = this.show(items);
    if (properties) shown.properties = mapValues(properties, (property) => this.show(property));
    return anyOf ? this.#union(anyOf, shown) : shown;
  }

  #union(alternatives: JsonSchemaNode[], shown: Json): Json {
    const anyOf = alternatives.map((alternative) => this.show(alternative));
    const [first, second] = anyOf;
    const plain = typeof first?.type === "string" && !("enum" in first) && !("const" in first);
    if (anyOf.length === 2 && plain && second?.type === "null")
      return { ...first, ...shown, type: [first.type, "null"] };
    return { ...shown, anyOf };
  }
}

/** A schema's description, including its annotations. */
export function inWords(schema: JsonSchemaNode): string {
  const { description, "x-code": code, "x-secret": secret } = schema;
  const { "x-needs-caller": needsCaller, "x-needs-scope": scope } = schema;
  const sentences = [
    description,
    code && `Invalid values get \`${code}\`.`,
    needsCaller && "Requires a credential.",
    scope && `Keys need \`${scope}\`.`,
    secret && "Null in a response replayed for an Idempotency-Key.",
  ];
  return sentences.filter(Boolean).join(" ");
}

function withoutAnnotations(schema: JsonSchemaNode): Json {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !name.startsWith("x-")));
}

function mapValues<A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
