import { createHash } from "node:crypto";
import type { OAuthRecordKind } from "../../storage/schema/oauth.ts";
import type { Db } from "../../storage/storage.ts";
import { lockGrant } from "../keys/grants.queries.ts";

/** What the authorization server remembers. An id is a secret of its holder, so only its hash is stored. */
export interface OAuthRecord {
  kind: OAuthRecordKind;
  id: string;
  payload: Record<string, unknown>;
  /** The key of its grant; null if it has none yet. */
  keyId: number | null;
  /** The code that a device shows. */
  userCode?: string | undefined;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export interface FoundRecord {
  hash: string;
  /** The payload as it is stored, to replace it only if it is still the same. */
  stored: string;
  payload: Record<string, unknown>;
  usedAt: number | null;
  expiresAt: number;
}

/** Redeemed refresh tokens of a grant that are remembered, to notice that one is used again. */
const USED_TOKENS = 100;

/** Stores a record. Returns false if its grant has ended. */
export async function storeRecord(
  tx: Db,
  { kind, id, payload, keyId, userCode, expiresAt }: OAuthRecord,
): Promise<boolean> {
  if (keyId !== null && !(await lockGrant(tx, keyId))) return false;
  const values = {
    payload: JSON.stringify(payload),
    key_id: keyId,
    user_code: userCode === undefined ? null : hashOf("DeviceCode", userCode),
    expires_at: expiresAt,
  };
  await tx
    .insertInto("oauth_records")
    .values({ hash: hashOf(kind, id), kind, ...values })
    .onConflict((conflict) => conflict.column("hash").doUpdateSet(values))
    .execute();
  return true;
}

/** A record, also one that has expired and isn't deleted yet. */
export function findRecord(db: Db, kind: OAuthRecordKind, id: string): Promise<FoundRecord | undefined> {
  return find(db, "hash", hashOf(kind, id));
}

export function findByUserCode(db: Db, userCode: string): Promise<FoundRecord | undefined> {
  return find(db, "user_code", hashOf("DeviceCode", userCode));
}

async function find(db: Db, column: "hash" | "user_code", value: string): Promise<FoundRecord | undefined> {
  const row = await db
    .selectFrom("oauth_records")
    .select(["hash", "payload", "used_at", "expires_at"])
    .where(column, "=", value)
    .executeTakeFirst();
  return (
    row && {
      hash: row.hash,
      stored: row.payload,
      payload: JSON.parse(row.payload),
      usedAt: row.used_at,
      expiresAt: row.expires_at,
    }
  );
}

/** Replaces a record's payload. Returns false if it has changed since it was read. */
export async function replacePayload(
  tx: Db,
  { hash, stored }: FoundRecord,
  payload: Record<string, unknown>,
  keyId: number | null,
): Promise<boolean> {
  const replaced = await tx
    .updateTable("oauth_records")
    .set({ payload: JSON.stringify(payload), key_id: keyId })
    .where("hash", "=", hash)
    .where("payload", "=", stored)
    .executeTakeFirst();
  return replaced.numUpdatedRows === 1n;
}

/** Marks a code or refresh token as used. Of concurrent calls, only one returns true. */
export async function redeem(tx: Db, kind: OAuthRecordKind, id: string, now: number): Promise<boolean> {
  const row = await tx
    .updateTable("oauth_records")
    .set({ used_at: now })
    .where("hash", "=", hashOf(kind, id))
    .where("used_at", "is", null)
    .returning("key_id")
    .executeTakeFirst();
  if (row?.key_id != null) await forgetUsed(tx, row.key_id);
  return row !== undefined;
}

async function forgetUsed(tx: Db, keyId: number): Promise<void> {
  await tx
    .deleteFrom("oauth_records")
    .where("key_id", "=", keyId)
    .where("used_at", "<", (eb) =>
      eb
        .selectFrom("oauth_records as used")
        .select("used.used_at")
        .where("used.key_id", "=", keyId)
        .where("used.used_at", "is not", null)
        .orderBy("used.used_at", "desc")
        .offset(USED_TOKENS)
        .limit(1),
    )
    .execute();
}

export async function deleteRecord(tx: Db, kind: OAuthRecordKind, id: string): Promise<void> {
  await tx.deleteFrom("oauth_records").where("hash", "=", hashOf(kind, id)).execute();
}

/** Remembers a registered app for longer. */
export async function keepClient(tx: Db, clientId: string, expiresAt: number): Promise<void> {
  await tx
    .updateTable("oauth_records")
    .set({ expires_at: expiresAt })
    .where("hash", "=", hashOf("Client", clientId))
    .execute();
}

function hashOf(kind: OAuthRecordKind, id: string): string {
  return createHash("sha256").update(`${kind}:${id}`).digest("hex");
}
