import type { Operation } from "@tandem/contract/operation";
import { publishedFields } from "@tandem/contract/schema";
import { ApiError } from "./api-error.ts";
import { keysIn } from "./key-format.ts";
import type { Services } from "./services.ts";

/** Refuses input that would publish an API key of this service. */
export type Guard = (input: Record<string, unknown>) => Promise<void>;

/**
 * Checks an operation's input for API keys. A key sent where others could read it is exposed, so it is revoked even
 * though the request is refused, and even in a dry run. The error doesn't reveal whether the key was live.
 */
export function keyGuard(services: Services, op: Operation): Guard {
  const fields = publishedFields(op.body);
  return async (input) => {
    const found = fields.map((name) => ({ name, keys: keysAmong(input[name]) }));
    const first = found.find(({ keys }) => keys.length > 0);
    if (!first) return;
    const keys = new Set(found.flatMap(({ keys }) => keys));
    await services.revokeExposed(services.storage, [...keys], services.now());
    throw new ApiError(
      "key_exposed",
      `${first.name} holds a key of this service. Nothing was published, and the key is revoked, if it was live.`,
      { field: first.name },
    );
  };
}

function keysAmong(value: unknown): string[] {
  if (typeof value === "string") return keysIn(value);
  return Array.isArray(value) ? value.flatMap(keysAmong) : [];
}
