import type { JSONObject } from "@modelcontextprotocol/server";
import { alternatives, type JsonSchemaNode } from "@tandem/contract/json-schema";

/** A part of a tool's schema. */
export type Json = JSONObject;

/** The types that a schema allows besides null, and whether it allows null. */
export function unionOf(schema: JsonSchemaNode): { kinds: JsonSchemaNode[]; nullable: boolean } {
  const all = alternatives(schema);
  const kinds = all.filter(({ type }) => type !== "null");
  return { kinds, nullable: kinds.length < all.length };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
