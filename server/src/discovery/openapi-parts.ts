import { areaNames, areaSlug } from "@tandem/contract/areas";
import { didYouMean } from "@tandem/contract/nearest-name";
import type { Access, Operation } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import { LONGEST_NAME, unknownName } from "@tandem/contract/unknown-fields";
import { invalid } from "../http/api-error.ts";

/** Whose operations a part of the OpenAPI document describes, and which kinds of access these have. */
const audiences: Record<string, (kind: Access["kind"]) => boolean> = {
  public: (kind) => kind === "anyone",
  key: (kind) => kind !== "session",
  session: (kind) => kind !== "key",
};

/** A part of the API, by the query of a request for the OpenAPI document. */
export interface ApiPart {
  /** The same for equal parts; empty for the whole API. */
  key: string;
  operations: Operation[];
}

/** Throws `invalid_input` for a parameter or value that doesn't exist: it would mean another part than the caller wants. */
export function partOf(query: Readonly<Record<string, unknown>>): ApiPart {
  const { for: audience, area, ...others } = query;
  const unknown = Object.keys(others).find((name) => !name.startsWith("_"));
  if (unknown !== undefined)
    throw invalid(
      unknown.slice(0, LONGEST_NAME),
      unknownName("There is no query parameter", unknown, { what: "This document", takes: ["for", "area"] }),
    );
  const slugs = areaNames.map(areaSlug);
  const admits =
    audience === undefined ? () => true : audiences[oneOf("for", audience, Object.keys(audiences))];
  const slug = area === undefined ? undefined : oneOf("area", area, slugs);
  return {
    key: [audience, slug]
      .map((value) => value ?? "")
      .join("/")
      .replace(/^\/$/, ""),
    operations: operationList.filter(
      (op) => admits?.(op.access.kind) && (slug === undefined || areaSlug(op.area) === slug),
    ),
  };
}

function oneOf(field: string, value: unknown, words: string[]): string {
  if (typeof value === "string" && words.includes(value)) return value;
  throw invalid(field, `${field} must be one of ${words.join(", ")}${didYouMean(value, words)}`);
}
