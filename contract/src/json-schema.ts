import type { Annotations } from "./schema.ts";

export type Format = "text" | "any-text" | "web-address" | "email" | "date-time" | "date";

/** A schema of the contract as plain JSON, with the keywords of JSON Schema that the contract uses. */
export interface JsonSchemaNode extends Annotations {
  $id?: string;
  type?: "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";
  format?: Format;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  pattern?: string;
  const?: unknown;
  enum?: (string | number)[];
  anyOf?: JsonSchemaNode[];
  items?: JsonSchemaNode;
  properties?: Record<string, JsonSchemaNode>;
  required?: string[];
}

/** The members of a union, nested ones included; any other schema is its own only member. */
export function alternatives(schema: JsonSchemaNode): JsonSchemaNode[] {
  return schema.anyOf ? schema.anyOf.flatMap(alternatives) : [schema];
}
