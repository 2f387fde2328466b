import { OriginError, type OriginResponse } from "../connector.ts";
import { decode } from "./charset.ts";

/** The most bytes of JSON. Parsing blocks the thread, and twice as much would be noticeable. */
const MAX_LENGTH = 2 ** 21;

/** Parses a response as JSON of unknown shape. Throws {@link OriginError}. */
export function jsonOf({ bytes, headers }: Pick<OriginResponse, "bytes" | "headers">): unknown {
  if (bytes.length > MAX_LENGTH) throw new OriginError("The JSON response is too large.");
  try {
    return JSON.parse(decode(bytes, headers.get("content-type")));
  } catch {
    throw new OriginError("The response isn't JSON.");
  }
}

/** The value at a path in JSON; undefined if there is none. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here;
}

/** The list at a path; empty if there is none. */
export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The string at a path; null if there is none or it is empty. */
export function stringAt(value: unknown, ...path: (string | number)[]): string | null {
  const found = at(value, ...path);
  return typeof found === "string" && found !== "" ? found : null;
}

/**
 * Converts a number or numeric string of unknown origin; NaN for anything else, such as an empty string. `Number(value)`
 * could throw, because an object can have a `toString` property.
 */
export function numberOf(value: unknown): number {
  if (typeof value === "string" && value.trim() === "") return Number.NaN;
  return typeof value === "number" || typeof value === "string" ? Number(value) : Number.NaN;
}
