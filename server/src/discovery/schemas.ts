import type { JsonSchemaNode } from "@tandem/contract/facts";

/** A piece of the document. */
export type Json = Record<string, unknown>;

/** The contract's own formats, in words that every reader of JSON Schema knows. */
const publicFormats: Record<string, Json> = {
  text: {},
  "any-text": {},
  "web-address": { format: "uri", pattern: "^https?://" },
};

/** Collects what the document says once and refers to from everywhere else. */
export class Schemas {
  /** The resources, by the name that the contract gives them. */
  readonly named: Record<string, Json> = {};

  /** A schema as the document shows it: resources as references, annotations as words. */
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
    const anyOf = alternatives.map((one) => this.show(one));
    const [first, second] = anyOf;
    const plain = typeof first?.type === "string" && !("enum" in first) && !("const" in first);
    if (anyOf.length === 2 && plain && second?.type === "null")
      return { ...first, ...shown, type: [first.type, "null"] };
    return { ...shown, anyOf };
  }
}

/** What a schema says of itself, its annotations included. */
export function inWords(schema: JsonSchemaNode): string {
  const { description, "x-code": code, "x-needs-caller": needsCaller, "x-secret": secret } = schema;
  const sentences = [
    description,
    code && `What breaks the rules is refused with \`${code}\`.`,
    needsCaller && "Needs a signed-in caller.",
    secret && "An answer repeated for an Idempotency-Key says null.",
  ];
  return sentences.filter(Boolean).join(" ");
}

function withoutAnnotations(schema: JsonSchemaNode): Json {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !name.startsWith("x-")));
}

function mapValues<A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
