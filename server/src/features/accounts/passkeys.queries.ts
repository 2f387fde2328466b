import type { Passkey } from "@tandem/contract/account-resources";
import { limits } from "@tandem/contract/limits";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { PasskeyRow } from "../../storage/schema/accounts.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "./accounts.queries.ts";

/** The passkeys of an account; never more than it may have. */
export function passkeysOf(db: Db, userId: number) {
  return db
    .selectFrom("passkeys")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("id", "desc")
    .limit(limits.passkeysPerAccount)
    .execute();
}

export function asPasskey(row: Omit<PasskeyRow, "id"> & { id: number }): Passkey {
  return {
    id: row.id,
    name: row.name,
    synced: row.synced === 1,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  };
}

export type NewPasskey = Omit<PasskeyRow, "id" | "last_used_at">;

/** Throws `forbidden` where the account has as many as it may, and where the passkey is somebody's already. */
export async function keepPasskey(tx: Db, passkey: NewPasskey): Promise<Passkey> {
  await lockAccount(tx, passkey.user_id);
  const others = await passkeysOf(tx, passkey.user_id);
  if (others.length >= limits.passkeysPerAccount)
    throw new ApiError("forbidden", `An account has at most ${limits.passkeysPerAccount} passkeys.`);
  const added = await tx
    .insertInto("passkeys")
    .values({ ...passkey, last_used_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!added) throw new ApiError("forbidden", "This passkey opens an account already.", { field: "id" });
  return asPasskey(added);
}

/** Somebody else's passkey is as good as none. */
export async function renameOwn(tx: Db, userId: number, id: number, name: string): Promise<Passkey> {
  const row = await tx
    .updateTable("passkeys")
    .set({ name })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound("passkey of yours");
  return asPasskey(row);
}

export async function removeOwn(tx: Db, userId: number, id: number): Promise<void> {
  const gone = await tx
    .deleteFrom("passkeys")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (gone.numDeletedRows === 0n) throw notFound("passkey of yours");
}

export function passkeyBy(db: Db, credential: string) {
  return db.selectFrom("passkeys").selectAll().where("credential", "=", credential).executeTakeFirst();
}

/** Notes a use. False where the passkey was removed meanwhile, or has counted further: then there is a copy of it. */
export async function noteUse(tx: Db, id: number, counter: number, now: number): Promise<boolean> {
  const noted = await tx
    .updateTable("passkeys")
    .set({ counter, last_used_at: now })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("counter", "<", counter), eb(eb.val(counter), "=", 0)]))
    .executeTakeFirst();
  return noted.numUpdatedRows > 0n;
}
