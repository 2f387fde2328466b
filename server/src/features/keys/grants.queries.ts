import type { App } from "@tandem/contract/apps";
import { limits } from "@tandem/contract/limits";
import { tokenHash } from "../../http/credential.ts";
import { keyHint } from "../../http/key-format.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";

/*
 * A grant is the key of an app that someone authorized by OAuth. The key's secret is the current access token, so whatever holds for
 * keys holds for apps; revoking the key ends the grant.
 */

/** The app that a key is granted to. */
export interface GrantedTo {
  clientId: string;
  app: App;
}

/** The hash of a key without a secret. No token has it. */
export function noToken(): string {
  return `none:${crypto.randomUUID()}`;
}

export interface Grant {
  keyId: number;
  ownerId: number;
  clientId: string;
  /** Comma-separated. */
  scopes: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** When its access token stops working; null if it has none. */
  tokenExpiresAt: number | null;
}

export function findGrant(db: Db, keyId: number): Promise<Grant | undefined> {
  return find(db, "keys.id", keyId);
}

/** The grant with this access token, expired or not. */
export function findGrantByToken(db: Db, token: string): Promise<Grant | undefined> {
  return find(db, "keys.hash", tokenHash(token));
}

async function find(db: Db, column: "keys.id" | "keys.hash", value: number | string) {
  const row = await db
    .selectFrom("keys")
    .innerJoin("users", "users.id", "keys.user_id")
    .select(["keys.id", "keys.owner_id", "keys.client_id", "keys.scopes"])
    .select(["keys.expires_at", "keys.token_expires_at"])
    .where(column, "=", value)
    .where("keys.client_id", "is not", null)
    .where("users.removing_at", "is", null)
    .executeTakeFirst();
  if (!row || row.client_id === null || row.expires_at === null) return undefined;
  return {
    keyId: row.id,
    ownerId: row.owner_id,
    clientId: row.client_id,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    tokenExpiresAt: row.token_expires_at,
  };
}

/** What is known of a grant that is locked. */
interface LockedGrant {
  id: number;
  owner_id: number;
  user_id: number;
  client_id: string | null;
  hint: string;
  token_expires_at: number | null;
}

/**
 * Locks a grant until the transaction ends, so that nothing is added to one that has ended, and before it its owner's account, as everything that
 * revokes keys does. Undefined if it has ended.
 */
export async function lockGrant(tx: Db, keyId: number): Promise<LockedGrant | undefined> {
  const grant = await tx
    .selectFrom("keys")
    .select("owner_id")
    .where("id", "=", keyId)
    .where("client_id", "is not", null)
    .executeTakeFirst();
  if (!grant) return undefined;
  await lockAccount(tx, grant.owner_id);
  return tx
    .updateTable("keys")
    .set((eb) => ({ client_id: eb.ref("client_id") }))
    .where("id", "=", keyId)
    .returning(["id", "owner_id", "user_id", "client_id", "hint", "token_expires_at"])
    .executeTakeFirst();
}

/**
 * Replaces a grant's access token; with its first one, the oldest grants of the same app for the same account end if there are too many.
 * Returns false if the grant has ended.
 */
export async function setAccessToken(
  tx: Db,
  keyId: number,
  token: string,
  expiresAt: number,
): Promise<boolean> {
  const grant = await lockGrant(tx, keyId);
  if (!grant) return false;
  await tx
    .updateTable("keys")
    .set({ hash: tokenHash(token), hint: keyHint(token), token_expires_at: expiresAt })
    .where("id", "=", keyId)
    .execute();
  if (grant.token_expires_at === null) await endOldest(tx, grant);
  return true;
}

/** The owner, the account and the app of a grant. */
type Parties = Pick<LockedGrant, "owner_id" | "user_id" | "client_id">;

async function endOldest(tx: Db, parties: Parties): Promise<void> {
  const ids = (await grantsWithToken(tx, parties)).slice(limits.grantsPerApp);
  if (ids.length > 0) await tx.deleteFrom("keys").where("id", "in", ids).execute();
}

/** How many grants end when another one of the same app for the same account gets its first token. */
export async function countReplaced(tx: Db, parties: Parties): Promise<number> {
  const others = await grantsWithToken(tx, parties);
  return Math.max(0, others.length + 1 - limits.grantsPerApp);
}

/** The owner's accounts for which the app has a key that needs approval. */
export async function accountsWithApproval(
  db: Db,
  { owner_id, client_id }: Pick<Parties, "owner_id" | "client_id">,
): Promise<number[]> {
  const rows = await db
    .selectFrom("keys")
    .select("user_id")
    .distinct()
    .where("owner_id", "=", owner_id)
    .where("client_id", "=", client_id)
    .where("approval", "=", 1)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Newest first. */
async function grantsWithToken(tx: Db, { owner_id, user_id, client_id }: Parties): Promise<number[]> {
  const rows = await tx
    .selectFrom("keys")
    .select("id")
    .where("owner_id", "=", owner_id)
    .where("user_id", "=", user_id)
    .where("client_id", "=", client_id)
    .where("token_expires_at", "is not", null)
    .orderBy("id", "desc")
    .execute();
  return rows.map(({ id }) => id);
}

/** Revokes a grant's key, and with it all of its codes and tokens. Undefined if it has ended already. */
export async function endGrant(tx: Db, keyId: number): Promise<LockedGrant | undefined> {
  const grant = await lockGrant(tx, keyId);
  if (grant) await tx.deleteFrom("keys").where("id", "=", keyId).execute();
  return grant;
}

/** The app of a key's row. */
export function appOf({ app }: { app: string | null }): App | null {
  return app === null ? null : JSON.parse(app);
}
