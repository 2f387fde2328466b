import type { Annotations } from "./schema.ts";

export type Format = "text" | "any-text" | "web-address" | "email" | "date-time";

/** A schema of the contract, seen as the JSON that it is: the parts of JSON Schema that the contract is made of. */
export interface Facts extends Annotations {
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
  anyOf?: Facts[];
  items?: Facts;
  properties?: Record<string, Facts>;
  required?: string[];
}

/** What a union can be; all else is only one thing. */
export function alternatives(schema: Facts): Facts[] {
  return schema.anyOf ? schema.anyOf.flatMap(alternatives) : [schema];
}
