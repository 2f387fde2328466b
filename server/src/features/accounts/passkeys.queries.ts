import type { Passkey } from "@tandem/contract/account-resources";
import { limits } from "@tandem/contract/limits";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { PasskeyRow } from "../../storage/schema/accounts.ts";
import type { Db } from "../../storage/storage.ts";

/** An account's passkeys. Their number is limited, so the list has one page. */
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

/**
 * The account must be locked. Throws `forbidden` if it is at its limit, or if the passkey is already registered with any
 * account.
 */
export async function storePasskey(tx: Db, passkey: NewPasskey): Promise<Passkey> {
  const others = await passkeysOf(tx, passkey.user_id);
  if (others.length >= limits.passkeysPerAccount)
    throw new ApiError(
      "forbidden",
      `An account can have at most ${limits.passkeysPerAccount} passkeys. Remove one first.`,
    );
  const added = await tx
    .insertInto("passkeys")
    .values({ ...passkey, last_used_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!added) throw new ApiError("forbidden", "This passkey is already registered.", { field: "id" });
  return asPasskey(added);
}

/** Throws `not_found` if the account has no such passkey. */
export async function renameOwn(tx: Db, userId: number, id: number, name: string): Promise<Passkey> {
  const row = await tx
    .updateTable("passkeys")
    .set({ name })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw noSuchPasskey();
  return asPasskey(row);
}

/** Throws `not_found` if the account has no such passkey. */
export async function removeOwn(tx: Db, userId: number, id: number): Promise<void> {
  const deleted = await tx
    .deleteFrom("passkeys")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (deleted.numDeletedRows === 0n) throw noSuchPasskey();
}

function noSuchPasskey(): ApiError {
  return notFound("passkey", "You have no passkey with this id.");
}

export function findPasskey(db: Db, credential: string) {
  return db.selectFrom("passkeys").selectAll().where("credential", "=", credential).executeTakeFirst();
}

/**
 * Stores the counter and time of a use. Returns false if the passkey was removed meanwhile, or if its counter hasn't
 * grown, which means that it was cloned. A counter of 0 means that the device doesn't count.
 */
export async function recordUse(tx: Db, id: number, counter: number, now: number): Promise<boolean> {
  const updated = await tx
    .updateTable("passkeys")
    .set({ counter, last_used_at: now })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("counter", "<", counter), eb(eb.val(counter), "=", 0)]))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}
