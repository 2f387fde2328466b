import { isDeepStrictEqual } from "node:util";
import type { Db } from "../storage/storage.ts";
import { ApiError } from "./api-error.ts";
import { JsonText } from "./context.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** A field that a write can't change isn't as its resource shows it afterwards. */
class FixedFieldError extends ApiError {
  constructor(name: string) {
    super("invalid_input", `${name} can't be set here. Leave it out, or send it unchanged.`, { field: name });
  }
}

/**
 * Performs a write; fields that it can't change must be as its resource shows them. So a client can send back what it read, but a
 * change isn't lost silently (AIP-203 calls such fields immutable).
 *
 * Some writes change such a field themselves, as a key's edit labels a post, or don't show the resource any more. So if a field
 * isn't as the resource shows it after the write, `readCurrent` reads the resource as it was, and the write is repeated.
 */
export async function keepingFixed<T>(
  fixed: Fields,
  perform: (check: (response: object) => void) => Promise<T>,
  { stringify, readCurrent }: { stringify(response: object): string; readCurrent(): Promise<Fields[]> },
): Promise<T> {
  const checkAll = (sent: Fields) => (response: object) => {
    if (Object.keys(sent).length === 0) return;
    const text = response instanceof JsonText ? response.text : stringify(response);
    const [name] = Object.keys(differing(sent, Object.values(JSON.parse(text) as object).filter(isFields)));
    if (name !== undefined) throw new FixedFieldError(name);
  };
  try {
    return await perform(checkAll(fixed));
  } catch (error) {
    if (!(error instanceof FixedFieldError)) throw error;
    const changed = differing(fixed, await readCurrent());
    if (Object.keys(changed).length === Object.keys(fixed).length) throw error;
    return await perform(checkAll(changed));
  }
}

/** Adds a check of its response to a write. */
export function checked(
  work: (tx: Db) => Promise<object>,
  check: (response: object) => void,
): (tx: Db) => Promise<object> {
  return async (tx) => {
    const response = await work(tx);
    check(response);
    return response;
  };
}

/** The fields that no resource shows with this value. */
function differing(fields: Fields, resources: readonly Fields[]): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => !resources.some((resource) => isDeepStrictEqual(resource[name], value)),
    ),
  );
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
