import { record } from "../../http/audit.ts";
import { tokenHash } from "../../http/credential.ts";
import type { Db, Storage } from "../../storage/storage.ts";
import { tellOfRevoked } from "../notifications/notifications.queries.ts";

/**
 * Revokes those of these keys that are live, and tells their owners: in a transaction of its own, for what the keys
 * were found in is refused. A key that is none costs one look.
 */
export async function revokeExposed(storage: Storage, keys: string[], now: number): Promise<void> {
  const hashes = keys.map(tokenHash);
  if ((await liveAmong(storage.read, hashes)).length === 0) return;
  await storage.write(async (tx) => {
    const revoked = await tx
      .deleteFrom("keys")
      .where("hash", "in", hashes)
      .returning(["id", "owner_id", "user_id", "hint"])
      .execute();
    for (const key of revoked) await tellOfRevoked(tx, key, now);
    const why = { caller: null, act: "revokeKey", now };
    await record(
      tx,
      revoked.map(({ id, hint }) => ({ ...why, target: `key:${id}`, detail: { hint } })),
    );
  });
}

function liveAmong(db: Db, hashes: string[]): Promise<{ id: number }[]> {
  return db.selectFrom("keys").select("id").where("hash", "in", hashes).execute();
}
