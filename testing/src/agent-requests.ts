import { HOUR } from "@tandem/contract/durations";
import { fingerprintOf } from "@tandem/server/features/keys/keys.queries";
import { tokenHash } from "@tandem/server/http/credential";
import { newKey } from "@tandem/server/http/key-format";
import type { Db } from "@tandem/server/storage/storage";

/** The secrets of an agent's request that waits for a decision. */
export const plantedRequest = { token: "to-fetch-the-key-of-an-agent", code: "BCDF-GHJK" };

/** Adds that request, or makes it wait again. */
export async function plantAgentRequest(tx: Db, now: number): Promise<void> {
  const { hash, hint } = fingerprintOf(newKey());
  const key = { salt: "salt", key_hash: hash, key_hint: hint };
  const waiting = { ...key, state: "pending", key_id: null, expires_at: now + HOUR } as const;
  await tx
    .insertInto("agent_requests")
    .values({
      ...waiting,
      token_hash: tokenHash(plantedRequest.token),
      code_hash: tokenHash(plantedRequest.code.replace("-", "")),
      ...{ username: "weekly_digest", display_name: "Weekly digest", bio: null, scopes: "posts:write" },
      created_at: now,
    })
    .onConflict((conflict) => conflict.column("token_hash").doUpdateSet(waiting))
    .execute();
}
