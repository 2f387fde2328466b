import { record } from "../../http/audit.ts";
import { tokenHash } from "../../http/credential.ts";
import type { Db, Storage } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { notifyKeyRevoked } from "../notifications/notifications.queries.ts";

/**
 * Revokes those of these keys that are live, and notifies their owners. Runs in its own transaction, because the request in
 * which they were found is refused. If none is live, this costs one read.
 */
export async function revokeExposed(storage: Storage, keys: string[], now: number): Promise<void> {
  const hashes = keys.map(tokenHash);
  if ((await liveAmong(storage.read, hashes)).length === 0) return;
  await storage.write(async (tx) => {
    // Accounts before their webhooks, which the database deletes with the keys.
    const owners = new Set((await liveAmong(tx, hashes)).map(({ owner_id }) => owner_id));
    for (const id of [...owners].sort((a, b) => a - b)) await lockAccount(tx, id);
    const revoked = await tx
      .deleteFrom("keys")
      .where("hash", "in", hashes)
      .returning(["id", "owner_id", "user_id", "hint"])
      .execute();
    for (const key of revoked) await notifyKeyRevoked(tx, key, now);
    const entry = { caller: null, act: "revokeKey", now };
    await record(
      tx,
      revoked.map(({ id, hint }) => ({ ...entry, target: `key:${id}`, detail: { hint } })),
    );
  });
}

function liveAmong(db: Db, hashes: string[]): Promise<{ owner_id: number }[]> {
  return db.selectFrom("keys").select("owner_id").where("hash", "in", hashes).execute();
}
