import { createHash } from "node:crypto";
import type { Actor } from "../../http/context.ts";
import { charge } from "../../http/quota.ts";
import { fold } from "../../storage/fold.ts";
import type { Db } from "../../storage/storage.ts";

/** What is shorter may well be said often. */
const SAYS_LITTLE = 20;

/**
 * Counts how often an account has said the same, whatever its case and blanks, and refuses it as `rate_limited` where
 * that was too often. As late in a transaction as can be: others that say the same wait here for it to end.
 */
export async function refuseDuplicates(
  tx: Db,
  { caller, services, now }: Actor,
  parts: readonly (string | null | undefined)[],
): Promise<void> {
  const said = fold(parts.map((part) => part ?? "").join("\n"))
    .replace(/\s+/g, " ")
    .trim();
  if (said.length < SAYS_LITTLE) return;
  const words = createHash("sha256").update(said).digest("base64url").slice(0, 22);
  const allowance = { name: "same text", ...services.config.limits.throttles.sameTextPerAccount };
  await charge(tx, `text:${caller.userId}:${words}`, [allowance], now);
}
