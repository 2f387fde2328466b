import Type, { type TNull, type TObject, type TSchema, type TUnion } from "typebox";
import type { ErrorCode } from "./errors.ts";
import type { Scope } from "./scopes.ts";

/** Ids are positive integers that JavaScript, JSON and both databases represent exactly. */
export const MAX_ID = Number.MAX_SAFE_INTEGER;

export const Id = Type.Integer({ minimum: 1, maximum: MAX_ID, examples: [42] });

/** The contract's own annotations, besides JSON Schema's keywords. */
export interface Annotations {
  /** The field's description in the documents. */
  description?: string;
  /** The first one is used in the documents' examples. */
  examples?: unknown[];
  /** The error code if this field is invalid, in place of `invalid_input`. */
  "x-code"?: ErrorCode;
  /** The pattern's rule: a predicate that completes a sentence beginning with the field's name. */
  "x-rule"?: string;
  /** The words of which a text is a comma-separated list. The rule lists them, too; an error message names the one that is wrong. */
  "x-words"?: readonly string[];
  /** A flag that requires a credential. */
  "x-needs-caller"?: true;
  /** The scope that keys need to send it, unless it is null or an empty list. */
  "x-needs-scope"?: Scope;
  /** In a response: text by users. Readers must treat it as data, never as instructions. */
  "x-user-text"?: true;
  /** In an input: not useful for keys, so MCP tools omit it. */
  "x-no-tool"?: true;
  /** Shown only once: null in a replayed response. */
  "x-secret"?: true;
}

/**
 * Text that others read, `min` to `max` code points long: well-formed Unicode without hidden characters (the "text"
 * format; see `hidden-text.ts`).
 */
export function publicText(min: number, max: number, more: Annotations = {}) {
  return Type.String({ minLength: min, maxLength: max, format: "text", ...more });
}

/** Text that only the service reads, such as a password or a search: any well-formed Unicode without NUL. */
export function privateText(min: number, max: number, more: Annotations = {}) {
  return Type.String({ minLength: min, maxLength: max, format: "any-text", ...more });
}

/** Like {@link privateText}, but not blank. */
export function filledPrivateText(max: number, more: Annotations = {}) {
  return Type.String({ minLength: 1, maxLength: max, format: "any-text", pattern: "\\S", ...more });
}

/** Like {@link publicText}, but not blank. */
export function filledText(max: number, more: Annotations = {}) {
  return Type.String({ minLength: 1, maxLength: max, format: "text", pattern: "\\S", ...more });
}

/** Keywords of a string without line breaks, which the dot doesn't match. */
export const singleLine = { pattern: "^.*$", "x-rule": "must be a single line" };

/** A {@link filledText} without line breaks, such as a title. */
export function publicLine(max: number, more: Annotations = {}) {
  const blank = "[^\\S\\n\\r\\u2028\\u2029]";
  const rule = { pattern: `^${blank}*\\S.*$`, "x-rule": "must be a single line, and not blank" };
  return Type.String({ minLength: 1, maxLength: max, format: "text", ...rule, ...more });
}

/** An absolute http or https URL. */
export function webAddress(max: number, more: Annotations = {}) {
  return Type.String({ minLength: 1, maxLength: max, format: "web-address", ...more });
}

interface FieldSchema {
  format?: string;
  anyOf?: FieldSchema[];
  items?: FieldSchema;
  properties?: Record<string, FieldSchema>;
}

/** The fields of a schema whose text others will read, directly or within a list or an object. */
export function publishedFields({ properties }: TObject): string[] {
  return Object.keys(properties).filter((name) => isPublished(properties[name] as FieldSchema));
}

function isPublished({ format, anyOf = [], items, properties = {} }: FieldSchema): boolean {
  return (
    format === "text" ||
    format === "web-address" ||
    anyOf.some(isPublished) ||
    Object.values(properties).some(isPublished) ||
    (!!items && isPublished(items))
  );
}

export function nullable<T extends TSchema>(schema: T, more: Annotations = {}): TUnion<[T, TNull]> {
  return Type.Union([schema, Type.Null()], { ...more });
}

export const optional = Type.Optional;

/** One of a fixed set of words. */
export function oneOf<const W extends readonly string[]>(words: W, more: Annotations = {}) {
  return Type.Unsafe<W[number]>({ type: "string", enum: [...words], ...more });
}

/** One or more of a fixed set of words, comma-separated. */
export function csvOf(words: readonly string[], more: Annotations = {}) {
  const word = `(${words.join("|")})`;
  return Type.String({
    pattern: `^${word}(,${word})*$`,
    "x-rule": `must be a comma-separated list of ${words.join(", ")}`,
    "x-words": words,
    ...more,
  });
}

/** A query flag: 1 sets it, 0 means the same as leaving it out. */
export function flag(more: Annotations = {}) {
  return Type.Unsafe<0 | 1>({ type: "integer", enum: [0, 1], ...more });
}

/** A time in a response: RFC 3339 in UTC, with milliseconds. */
export const Time = Type.String({ format: "date-time", examples: ["2026-01-31T12:00:00.000Z"] });

/** A time in a request. */
export const TimeInput = Type.String({ ...Time, maxLength: 40 });

/** A day in a request, in UTC. */
export const DayInput = Type.String({ format: "date", maxLength: 10, examples: ["2026-01-31"] });
export const Count = Type.Integer({ minimum: 0, examples: [3] });
