import type { JSONObject, JSONValue } from "@modelcontextprotocol/server";
import type { Annotations } from "@tandem/contract/schema";

/** A schema of the contract, seen as the JSON that it is. */
export interface Facts extends Annotations {
  type?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  const?: unknown;
  enum?: JSONValue[];
  anyOf?: Facts[];
  items?: Facts;
  properties?: Record<string, Facts>;
  required?: string[];
}

/** A piece of a schema that a tool shows. */
export type Json = JSONObject;

/** What a schema allows besides null, and whether it allows null. */
export function unionOf(schema: Facts): { kinds: Facts[]; nullable: boolean } {
  const all = alternatives(schema);
  const kinds = all.filter(({ type }) => type !== "null");
  return { kinds, nullable: kinds.length < all.length };
}

function alternatives(schema: Facts): Facts[] {
  return schema.anyOf?.flatMap(alternatives) ?? [schema];
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
