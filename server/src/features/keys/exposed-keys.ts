import { record } from "../../http/audit.ts";
import { tokenHash } from "../../http/credential.ts";
import type { Db, Storage } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { notifyKeyRevoked } from "../notifications/notifications.queries.ts";
import { endGrant } from "./grants.queries.ts";

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
    await tell(tx, revoked, {}, now);
  });
}

/** Revokes the key of an app whose code or token was used twice, and notifies its owner. Returns false if it was revoked already. */
export async function revokeReused(tx: Db, keyId: number, now: number): Promise<boolean> {
  const key = await endGrant(tx, keyId);
  if (key) await tell(tx, [key], { reason: "a code or token was used twice" }, now);
  return key !== undefined;
}

async function tell(tx: Db, revoked: Revoked[], detail: object, now: number): Promise<void> {
  for (const key of revoked) await notifyKeyRevoked(tx, key, now);
  const entry = { caller: null, act: "revokeKey", now };
  await record(
    tx,
    revoked.map(({ id, hint }) => ({ ...entry, target: `key:${id}`, detail: { hint, ...detail } })),
  );
}

interface Revoked {
  id: number;
  owner_id: number;
  user_id: number;
  hint: string;
}

function liveAmong(db: Db, hashes: string[]): Promise<{ owner_id: number }[]> {
  return db.selectFrom("keys").select("owner_id").where("hash", "in", hashes).execute();
}
