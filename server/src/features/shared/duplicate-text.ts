import { createHash } from "node:crypto";
import type { Actor } from "../../http/context.ts";
import { charge } from "../../http/quota.ts";
import { fold } from "../../storage/fold.ts";
import type { Db } from "../../storage/storage.ts";

/** Shorter texts may repeat: characters. */
const MIN_LENGTH = 20;

/**
 * Throws `rate_limited` if the account has posted the same text too often, ignoring case and white space. Call it as late
 * as possible: concurrent transactions with the same text wait here until this one ends.
 */
export async function refuseDuplicates(
  tx: Db,
  { caller, services, now }: Actor,
  parts: readonly (string | null | undefined)[],
): Promise<void> {
  const text = fold(parts.map((part) => part ?? "").join("\n"))
    .replace(/\s+/g, " ")
    .trim();
  if (text.length < MIN_LENGTH) return;
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, 22);
  const allowance = { name: "same text", ...services.config.limits.throttles.sameTextPerAccount };
  await charge(tx, `text:${caller.userId}:${hash}`, [allowance], now);
}
