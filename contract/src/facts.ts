import type { Annotations } from "./schema.ts";

export type Format = "text" | "any-text" | "web-address" | "email" | "date-time";

/** A schema of the contract, seen as the JSON that it is: the parts of JSON Schema that the contract is made of. */
export interface JsonSchemaNode extends Annotations {
  $id?: string;
  type?: "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";
  format?: Format;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  const?: unknown;
  enum?: (string | number)[];
  anyOf?: JsonSchemaNode[];
  items?: JsonSchemaNode;
  properties?: Record<string, JsonSchemaNode>;
  required?: string[];
}

/** What a union can be; all else is only one thing. */
export function alternatives(schema: JsonSchemaNode): JsonSchemaNode[] {
  return schema.anyOf ? schema.anyOf.flatMap(alternatives) : [schema];
}
