import type { Operation } from "@tandem/contract/operation";
import { publishedFields } from "@tandem/contract/schema";
import type { House } from "./house.ts";
import { keysIn } from "./key-format.ts";
import { Problem } from "./problem.ts";

/** Refuses an input that would publish a key of ours. */
export type Guard = (input: Record<string, unknown>) => Promise<void>;

/**
 * The guard of an operation: who sends a key where others would read it has given it away, so it is revoked, and that
 * stays done though the request is refused, or was a dry run. Whether the key was live, the refusal doesn't tell.
 */
export function keyGuard(house: House, op: Operation): Guard {
  const fields = publishedFields(op.body);
  return async (input) => {
    const found = fields.map((name) => ({ name, keys: keysAmong(input[name]) }));
    const first = found.find(({ keys }) => keys.length > 0);
    if (!first) return;
    const keys = new Set(found.flatMap(({ keys }) => keys));
    await house.revokeExposed(house.storage, [...keys], house.now());
    throw new Problem(
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
