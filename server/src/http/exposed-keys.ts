import { readTexts } from "@tandem/contract/markdown/read-texts";
import type { Operation } from "@tandem/contract/operation";
import { publishedFields } from "@tandem/contract/schema";
import { ApiError } from "./api-error.ts";
import { keysIn } from "./key-format.ts";
import type { Services } from "./services.ts";

/** Refuses input that would publish an API key of this service. */
export type PublishedTextCheck = (input: Record<string, unknown>) => Promise<void>;

/**
 * Checks an operation's input for API keys. A key sent where others could read it is exposed, so it is revoked even
 * though the request is refused, and even in a dry run. The error doesn't reveal whether the key was live.
 */
export function keyCheck(services: Services, op: Operation): PublishedTextCheck {
  const fields = publishedFields(op.body);
  return async (input) => {
    const checked = fields.map((name) => ({ name, keys: keysAmong(input[name]) }));
    const first = checked.find(({ keys }) => keys.length > 0);
    if (!first) return;
    const keys = new Set(checked.flatMap(({ keys }) => keys));
    await services.revokeExposed(services.storage, [...keys], services.now());
    throw new ApiError(
      "key_exposed",
      `${first.name} contains an API key of this service. Nothing was published; if the key was live, it is now revoked.`,
      { field: first.name },
    );
  };
}

function keysAmong(value: unknown): string[] {
  if (typeof value === "string") return readTexts(value).flatMap(keysIn);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(keysAmong) : [];
}
