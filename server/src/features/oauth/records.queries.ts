import { createHash } from "node:crypto";
import { DAY } from "@tandem/contract/durations";
import { sql } from "kysely";
import type { OAuthRecordKind } from "../../storage/schema/oauth.ts";
import type { Db } from "../../storage/storage.ts";
import { lockGrant } from "../keys/grants.queries.ts";

/** What the authorization server remembers. An id is a secret of its holder, except an app's, so only its hash is stored. */
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
export async function storeRecord(tx: Db, record: OAuthRecord): Promise<boolean> {
  if (record.keyId !== null && !(await lockGrant(tx, record.keyId))) return false;
  const { hash, kind, ...values } = rowOf(record);
  await tx
    .insertInto("oauth_records")
    .values({ hash, kind, ...values })
    .onConflict((conflict) => conflict.column("hash").doUpdateSet(values))
    .execute();
  return true;
}

/** Stores a record without a grant. Of concurrent calls with the same id, only one returns true. */
export async function insertRecord(tx: Db, record: OAuthRecord): Promise<boolean> {
  const inserted = await tx
    .insertInto("oauth_records")
    .values(rowOf(record))
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

function rowOf({ kind, id, payload, keyId, userCode, expiresAt }: OAuthRecord) {
  return {
    hash: hashOf(kind, id),
    kind,
    payload: JSON.stringify(payload),
    key_id: keyId,
    user_code: userCode === undefined ? null : hashOf("DeviceCode", userCode),
    expires_at: expiresAt,
  };
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

/** Marks a code or refresh token as used. Of concurrent calls, only one is the first. */
export async function redeem(
  tx: Db,
  kind: OAuthRecordKind,
  id: string,
  now: number,
): Promise<{ isFirst: boolean; keyId: number | null }> {
  const hash = hashOf(kind, id);
  const keyId = await lockGrantOf(tx, hash);
  const row = await tx
    .updateTable("oauth_records")
    .set({ used_at: now })
    .where("hash", "=", hash)
    .where("used_at", "is", null)
    .executeTakeFirst();
  const isFirst = row.numUpdatedRows === 1n;
  if (isFirst && keyId !== null) await forgetUsed(tx, keyId);
  return { isFirst, keyId };
}

/** Locks the grant of a record before the record: the database deletes them in this order. */
async function lockGrantOf(tx: Db, hash: string): Promise<number | null> {
  const row = await tx
    .selectFrom("oauth_records")
    .select("key_id")
    .where("hash", "=", hash)
    .executeTakeFirst();
  const keyId = row?.key_id ?? null;
  if (keyId !== null) await lockGrant(tx, keyId);
  return keyId;
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

/** Deletes a record. Of concurrent calls, only one returns true. */
export async function deleteRecord(tx: Db, kind: OAuthRecordKind, id: string): Promise<boolean> {
  const hash = hashOf(kind, id);
  await lockGrantOf(tx, hash);
  const deleted = await tx.deleteFrom("oauth_records").where("hash", "=", hash).executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}

/** The id of an app is no secret, and keys name it, so it can be found from there. */
function hashOf(kind: OAuthRecordKind, id: string): string {
  return kind === "Client" ? CLIENT + id : createHash("sha256").update(`${kind}:${id}`).digest("hex");
}

const CLIENT = "Client:";

/** Whether a record is an app that registered, and that has access to someone's account. */
export const isUsedApp = sql<boolean>`kind = 'Client' and exists
  (select 1 from keys where keys.client_id = substr(oauth_records.hash, ${sql.lit(CLIENT.length + 1)}))`;

/** Keeps apps that are used for another day if they would be forgotten now. Returns how many of at most `batch` there were. */
export async function keepUsedApps(tx: Db, now: number, batch: number): Promise<number> {
  const due = sql<boolean>`expires_at <= ${now} and ${isUsedApp}`;
  const kept = await tx
    .updateTable("oauth_records")
    .set({ expires_at: now + DAY })
    .where(due)
    .where("hash", "in", tx.selectFrom("oauth_records").select("hash").where(due).limit(batch))
    .executeTakeFirst();
  return Number(kept.numUpdatedRows);
}
