import { isDeepStrictEqual } from "node:util";
import type { Db } from "../storage/storage.ts";
import { invalid } from "./api-error.ts";
import { JsonText } from "./context.ts";

/**
 * Adds a check to a write: fields that it can't change must be as its resource shows them. So a client can send back what it
 * read, but a change isn't lost silently (AIP-203 calls such fields immutable).
 */
export function keeping(
  fixed: Readonly<Record<string, unknown>>,
  stringify: (response: object) => string,
  work: (tx: Db) => Promise<object>,
): (tx: Db) => Promise<object> {
  const sent = Object.entries(fixed);
  if (sent.length === 0) return work;
  return async (tx) => {
    const response = await work(tx);
    const text = response instanceof JsonText ? response.text : stringify(response);
    const resources = Object.values(JSON.parse(text) as object).filter(isObject);
    for (const [name, value] of sent)
      if (!resources.some((resource) => isDeepStrictEqual(resource[name], value)))
        throw invalid(name, `${name} can't be set here. Leave it out, or send it unchanged.`);
    return response;
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
