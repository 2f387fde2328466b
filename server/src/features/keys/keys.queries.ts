import { limits } from "@tandem/contract/limits";
import { didYouMean } from "@tandem/contract/nearest-name";
import type { Caps, Key } from "@tandem/contract/resources";
import { isScope, type Scope, scopeNames } from "@tandem/contract/scopes";
import { firstTier } from "@tandem/contract/tiers";
import { LONGEST_NAME } from "@tandem/contract/unknown-fields";
import type { Insertable, Selectable } from "kysely";
import { ApiError, invalid, notFound } from "../../http/api-error.ts";
import type { Context } from "../../http/context.ts";
import { tokenHash } from "../../http/credential.ts";
import { tierOf } from "../../http/graduation.ts";
import { KEY_PREFIX, keyHint, newKey } from "../../http/key-format.ts";
import type { KeyRow } from "../../storage/schema/agents.ts";
import type { Db } from "../../storage/storage.ts";
import { appOf, countReplaced, type GrantedTo, noToken } from "./grants.queries.ts";

/** What is stored of a key. */
export interface KeyFingerprint {
  hash: string;
  hint: string;
}

/** The same, with the app that it is granted to. */
export type StoredKey = KeyFingerprint & Partial<Pick<Insertable<KeyRow>, "client_id" | "app">>;

export const fingerprintOf = (secret: string): KeyFingerprint => ({
  hash: tokenHash(secret),
  hint: keyHint(secret),
});

export interface NewKey {
  ownerId: number;
  userId: number;
  name: string;
  scopes: Scope[];
  /** Milliseconds since 1970; null if it has no end. */
  expiresAt?: number | null;
  /** Whether what it publishes needs the owner's approval. */
  approval?: boolean | undefined;
}

/** When a new key ends, in milliseconds since 1970; null for never. Throws `invalid_input` for the past. */
export function readEnd({ now }: Pick<Context, "now">, expiresAt: string | null | undefined): number | null {
  if (expiresAt == null) return null;
  const end = Date.parse(expiresAt);
  if (end <= now) throw invalid("expiresAt", "expiresAt must be in the future.");
  return end;
}

/** Adds a key; its owner's account must be locked. Its secret is only returned here and never stored. Throws `key_limit`. */
export async function addKey(ctx: Adding, tx: Db, key: NewKey): Promise<{ key: Key; secret: string }> {
  const secret = newKey();
  return { key: await insertKey(ctx, tx, { ...key, ...fingerprintOf(secret) }), secret };
}

/** What is stored of the key of an app that someone authorizes. It has no secret until the app gets an access token. */
export function grantTo({ clientId, app }: GrantedTo): StoredKey {
  return { hint: `${KEY_PREFIX}…`, hash: noToken(), client_id: clientId, app: JSON.stringify(app) };
}

type Adding = Pick<Context, "services" | "now" | "concerns">;

/** Adds a key whose secret someone else knows, or that has none yet. Throws `key_limit`. */
export async function insertKey(
  ctx: Adding,
  tx: Db,
  { ownerId, userId, scopes, expiresAt = null, approval = false, ...row }: NewKey & StoredKey,
): Promise<Key> {
  const { client_id = null } = row;
  const replaced =
    client_id === null ? 0 : await countReplaced(tx, { owner_id: ownerId, user_id: userId, client_id });
  await requireRoom(tx, ownerId, replaced);
  const { id } = await tx
    .insertInto("keys")
    .values({
      ...row,
      owner_id: ownerId,
      user_id: userId,
      scopes: scopes.join(","),
      tier: firstTier,
      accepted_writes: 0,
      created_at: ctx.now,
      last_used_at: null,
      expires_at: expiresAt,
      approval: Number(approval),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  ctx.concerns("key", id);
  return asKey(await findOwnKey(tx, id, ownerId), ctx);
}

/** `replaced` is how many keys will end because of the new one. */
async function requireRoom(tx: Db, ownerId: number, replaced: number): Promise<void> {
  const live = await tx
    .selectFrom("keys")
    .select("id")
    .where("owner_id", "=", ownerId)
    .limit(limits.keysPerAccount + replaced)
    .execute();
  if (live.length < limits.keysPerAccount + replaced) return;
  throw new ApiError(
    "key_limit",
    `You can have at most ${limits.keysPerAccount} live keys. Revoke one first.`,
  );
}

/** Parses a list or a comma-separated string of scopes; keeps their order, without duplicates. Throws `invalid_scope`. */
export function readScopes(requested: string | string[] | null | undefined, fallback: Scope[]): Scope[] {
  if (requested == null) return fallback;
  const words = typeof requested === "string" ? requested.split(",") : requested;
  const names = words.map((word) => word.trim()).filter(Boolean);
  const unknown = new Set(names.filter((name) => !isScope(name)));
  if (unknown.size === 0) return [...new Set(names.filter(isScope))];
  const sentences = [...unknown]
    .slice(0, limits.fieldErrors)
    .map((name) => `There is no scope \`${name.slice(0, LONGEST_NAME)}\`${didYouMean(name, scopeNames)}`);
  throw new ApiError("invalid_scope", sentences.join(" "), { field: "scopes" });
}

/** Keys, with what their tier depends on. */
export function selectKeys(db: Db) {
  return db
    .selectFrom("keys as k")
    .innerJoin("users as u", "u.id", "k.user_id")
    .selectAll("k")
    .select(["u.last_strike_at", "u.paused as account_paused"]);
}

export type FoundKey = Selectable<KeyRow> & {
  last_strike_at: number | null;
  /** Of the account that the key acts as. */
  account_paused: number;
};

/** Throws `not_found`. */
export async function findOwnKey(db: Db, id: number, ownerId: number): Promise<FoundKey> {
  const row = await selectKeys(db)
    .where("k.id", "=", id)
    .where("k.owner_id", "=", ownerId)
    .executeTakeFirst();
  if (!row) throw noSuchKey();
  return row;
}

/** For a key that doesn't exist or that someone else owns. */
export function noSuchKey(): ApiError {
  return notFound("key", "You have no key with this id.");
}

const noCaps: Caps = { posts: null, comments: null, engagement: null, writes: null };

export function asKey(row: FoundKey, { services, now }: Pick<Context, "services" | "now">): Key {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: row.scopes,
    tier: tierOf(row, services.config.limits, now),
    agentId: row.user_id === row.owner_id ? null : row.user_id,
    paused: row.paused === 1,
    approval: row.approval === 1,
    caps: row.caps === null ? null : { ...noCaps, ...JSON.parse(row.caps) },
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
    app: appOf(row),
  };
}
