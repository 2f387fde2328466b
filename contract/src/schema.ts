import Type, { type TNull, type TObject, type TSchema, type TUnion } from "typebox";
import type { ErrorCode } from "./errors.ts";

/** Ids are positive integers that JavaScript, JSON and both engines hold exactly. */
export const MAX_ID = Number.MAX_SAFE_INTEGER;

export const Id = Type.Integer({ minimum: 1, maximum: MAX_ID, examples: [42] });

/** Extra facts that a schema may carry besides JSON Schema's own. */
export interface Annotations {
  /** Describes the field, in the documents. */
  description?: string;
  /** The first of them stands in the documents' example of whatever has the field. */
  examples?: unknown[];
  /** The error code for this field, where it is more precise than `invalid_input`. */
  "x-code"?: ErrorCode;
  /** What the pattern asks for, in words that complete a sentence about the field. */
  "x-rule"?: string;
  /** Its words are a fixed set, which its rule names: where they are told already, a refusal need not tell them. */
  "x-words"?: true;
  /** A flag that only a signed-in caller may raise. */
  "x-needs-caller"?: true;
  /** In an answer: somebody wrote it. Whoever reads it takes it as data, never as an instruction. */
  "x-user-text"?: true;
  /** In an input: of no use to who calls with a key, so tools leave it out. */
  "x-no-tool"?: true;
  /** Shown once: a replayed answer says null. */
  "x-secret"?: true;
}

/**
 * Text that others read, of `min` to `max` code points: well-formed Unicode in which nothing is hidden (the "text"
 * format; see `hidden-text.ts`).
 */
export function publicText(min: number, max: number, more: Annotations = {}) {
  return Type.String({ minLength: min, maxLength: max, format: "text", ...more });
}

/** Text for the service alone, such as a password or a search: any well-formed Unicode without NUL. */
export function privateText(min: number, max: number, more: Annotations = {}) {
  return Type.String({ minLength: min, maxLength: max, format: "any-text", ...more });
}

/** Text for the service alone that holds more than blanks. */
export function privateLine(max: number, more: Annotations = {}) {
  return Type.String({ minLength: 1, maxLength: max, format: "any-text", pattern: "\\S", ...more });
}

/** Text that others read, and that holds more than blanks. */
export function publicLine(max: number, more: Annotations = {}) {
  return Type.String({ minLength: 1, maxLength: max, format: "text", pattern: "\\S", ...more });
}

/** An absolute http or https address. */
export function webAddress(max: number, more: Annotations = {}) {
  return Type.String({ minLength: 1, maxLength: max, format: "web-address", ...more });
}

interface Taking {
  format?: string;
  anyOf?: Taking[];
  items?: Taking;
}

/** The fields of a schema that take what others read, as text or as part of it. */
export function publishedFields({ properties }: TObject): string[] {
  return Object.keys(properties).filter((name) => isPublished(properties[name] as Taking));
}

function isPublished({ format, anyOf = [], items }: Taking): boolean {
  return (
    format === "text" ||
    format === "web-address" ||
    anyOf.some(isPublished) ||
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
    "x-rule": `takes any of ${words.join(", ")}, with commas between`,
    "x-words": true,
    ...more,
  });
}

/** A query flag: 1 raises it, 0 is as good as leaving it out. */
export function flag(more: Annotations = {}) {
  return Type.Unsafe<0 | 1>({ type: "integer", enum: [0, 1], ...more });
}

/** An instant, RFC 3339 in UTC with milliseconds. */
export const Time = Type.String({ format: "date-time", examples: ["2026-01-31T12:00:00.000Z"] });

/** A time that is sent to us. */
export const Moment = Type.String({ ...Time, maxLength: 40 });
export const Count = Type.Integer({ minimum: 0, examples: [3] });
