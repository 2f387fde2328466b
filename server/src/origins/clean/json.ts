import { type Answer, OriginError } from "../connector.ts";
import { decode } from "./charset.ts";

/** Nobody else is served while it is read: of twice as much that would be felt. */
const LONGEST = 2 ** 21;

/** What an origin answered as JSON: nothing is known of its shape. Throws {@link OriginError}. */
export function jsonOf({ bytes, headers }: Pick<Answer, "bytes" | "headers">): unknown {
  if (bytes.length > LONGEST) throw new OriginError("It answered more JSON than any list needs.");
  try {
    return JSON.parse(decode(bytes, headers.get("content-type")));
  } catch {
    throw new OriginError("It answered something that isn't JSON.");
  }
}

/** What lies at the end of a way through JSON; undefined where it leads nowhere. */
export function at(value: unknown, ...way: (string | number)[]): unknown {
  let here = value;
  for (const step of way) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here;
}

/** The list at the end of a way; empty where there is none. */
export function listAt(value: unknown, ...way: (string | number)[]): unknown[] {
  const found = at(value, ...way);
  return Array.isArray(found) ? found : [];
}

/** The text at the end of a way; null where there is none, or an empty one. */
export function stringAt(value: unknown, ...way: (string | number)[]): string | null {
  const found = at(value, ...way);
  return typeof found === "string" && found !== "" ? found : null;
}

/**
 * The number that somebody else's value is, or says in text; NaN for all else. What is plainly converted may throw, for an object
 * can name a `toString` of its own.
 */
export function numberOf(value: unknown): number {
  return typeof value === "number" || typeof value === "string" ? Number(value) : Number.NaN;
}
