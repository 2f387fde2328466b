import { createHash } from "node:crypto";
import { limits } from "@tandem/contract/limits";
import type { Role } from "@tandem/contract/resources";
import { isScope } from "@tandem/contract/scopes";
import type { Tier } from "@tandem/contract/tiers";
import { parseCookie } from "cookie";
import { sql } from "kysely";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/storage.ts";
import type { Caller } from "./caller.ts";
import type { Cookie } from "./context.ts";
import type { House } from "./house.ts";
import { looksLikeKey } from "./key-format.ts";
import { Problem } from "./problem.ts";

const SESSION_COOKIE = "tandem_session";

/**
 * A key's use is noted at most once a minute: knowing it to the second isn't worth a write a request. Nor is a note
 * that failed tried again sooner, lest a disk in trouble be asked with every request.
 */
const NOTED_EVERY = 60_000;
/** A session's end is moved at most once a day. */
const ROLLED_EVERY = 86_400_000;
export const SESSION_LIFE = limits.sessionDays * 86_400_000;

export interface Credential {
  caller: Caller | null;
  /** The session token to send again, because its end was moved. */
  renewed: string | null;
}

const nobody: Credential = { caller: null, renewed: null };

/**
 * Who calls (decisions: order, step 1). A Bearer token wins over a cookie, and one that is no live key is an
 * error everywhere; a cookie of no live session is as good as none.
 */
export async function judgeCredential(
  house: House,
  headers: { authorization?: string | undefined; cookie?: string | undefined },
): Promise<Credential> {
  if (headers.authorization !== undefined) return byKey(house, headers.authorization);
  const token = sessionToken(headers.cookie);
  return token ? bySession(house, token) : nobody;
}

/** The cookie that carries a session; without a token, the one that ends it. */
export function sessionCookie(token: string | null): Cookie {
  return { name: SESSION_COOKIE, value: token, maxAge: SESSION_LIFE / 1000 };
}

function sessionToken(cookies: string | undefined): string | null {
  return (cookies && parseCookie(cookies)[SESSION_COOKIE]) || null;
}

/** Tokens are kept as this alone: who reads the table can't use what is in it. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

async function byKey(house: House, authorization: string): Promise<Credential> {
  const token = /^Bearer +([^ ]+) *$/i.exec(authorization)?.[1];
  const row =
    token && looksLikeKey(token)
      ? (await keyByHash(house.storage.read, { hash: tokenHash(token) }))[0]
      : undefined;
  if (!row) throw new Problem("unauthorized", "This is no live key.");
  const now = house.now();
  if (row.last_used_at === null || row.last_used_at < now - NOTED_EVERY) noteUse(house, row.id, now);
  const key = { id: row.id, scopes: row.scopes.split(",").filter(isScope), tier: row.tier };
  return { caller: caller(row, { key, byAi: true }), renewed: null };
}

async function bySession(house: House, token: string): Promise<Credential> {
  const now = house.now();
  const [row] = await sessionByHash(house.storage.read, { hash: tokenHash(token), now });
  if (!row) return nobody;
  const due = row.expires_at < now + SESSION_LIFE - ROLLED_EVERY;
  const rolled = due && (await roll(house, row.id, now));
  return { caller: caller(row, { sessionId: row.id }), renewed: rolled ? token : null };
}

interface AccountRow {
  user_id: number;
  username: string;
  role: Role;
  suspended_until: number | null;
}

function caller(row: AccountRow, more: Partial<Caller>): Caller {
  const isAgent = row.role === "agent";
  const { user_id: userId, username, role, suspended_until: suspendedUntil } = row;
  const plain = { userId, username, role, isAgent, byAi: isAgent, key: null, sessionId: null };
  return { ...plain, suspendedUntil, ...more };
}

/**
 * Tells, inside the transaction of their writes, whose credentials still hold of those that were judged before it:
 * while a write waited for its turn, the key may have been revoked, or the account removed.
 */
export async function standing(tx: Db, callers: Caller[]): Promise<Caller[]> {
  const keys = await among(
    tx,
    keysAmong,
    callers.map(({ key }) => key?.id),
  );
  const sessions = await among(
    tx,
    sessionsAmong,
    callers.map(({ sessionId }) => sessionId),
  );
  return callers.filter(({ key, sessionId }) => (key ? keys.has(key.id) : sessions.has(sessionId)));
}

async function among(
  tx: Db,
  query: typeof keysAmong,
  ids: (number | null | undefined)[],
): Promise<Set<number | null>> {
  const rows = ids.filter((id) => typeof id === "number").map((id) => ({ id }));
  return new Set(rows.length > 0 ? (await query(tx, { ids: JSON.stringify(rows) })).map(({ id }) => id) : []);
}

const existing = (table: "keys" | "sessions") =>
  prepared<{ ids: string }, { id: number }>((db, { ids }) =>
    sql<{
      id: number;
    }>`select id from ${sql.table(table)} where id in (${db.engine.rows(ids, { id: "integer" })})`.compile(
      db,
    ),
  );

const keysAmong = existing("keys");
const sessionsAmong = existing("sessions");

interface KeyByHash extends AccountRow {
  id: number;
  scopes: string;
  tier: Tier;
  last_used_at: number | null;
}

const keyByHash = prepared<{ hash: string }, KeyByHash>((db, { hash }) =>
  db
    .selectFrom("keys")
    .innerJoin("users", "users.id", "keys.user_id")
    .where("keys.hash", "=", hash)
    .select([
      "keys.id",
      "keys.scopes",
      "keys.tier",
      "keys.last_used_at",
      "users.id as user_id",
      "users.username",
      "users.role",
      "users.suspended_until",
    ])
    .compile(),
);

interface SessionByHash extends AccountRow {
  id: number;
  expires_at: number;
}

const sessionByHash = prepared<{ hash: string; now: number }, SessionByHash>((db, { hash, now }) =>
  db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .where("sessions.token_hash", "=", hash)
    .where("sessions.expires_at", ">", now)
    .select(["sessions.id", "sessions.expires_at", "users.id as user_id"])
    .select(["users.username", "users.role", "users.suspended_until"])
    .compile(),
);

/** Not awaited: nobody's answer depends on it, and closing the storage waits for it. */
function noteUse(house: House, id: number, now: number): void {
  if (triedLately(house, `key:${id}`, now)) return;
  house.storage
    .write((tx) => tx.updateTable("keys").set({ last_used_at: now }).where("id", "=", id).execute())
    .catch((err) => house.log.error({ err }, "a key's use could not be noted"));
}

/** Whether the session's end was moved. Where it can't be, that is no reason to refuse what the session came for. */
async function roll(house: House, id: number, now: number): Promise<boolean> {
  if (triedLately(house, `session:${id}`, now)) return false;
  try {
    await house.storage.write((tx) =>
      tx
        .updateTable("sessions")
        .set({ expires_at: now + SESSION_LIFE })
        .where("id", "=", id)
        .execute(),
    );
    return true;
  } catch (err) {
    house.log.error({ err }, "a session's end could not be moved");
    return false;
  }
}

/** When each of these notes was last tried, the oldest first. */
const tries = new WeakMap<House, Map<string, number>>();

/** Tells whether this was tried within the last minute, and remembers it as tried now if it wasn't. */
function triedLately(house: House, what: string, now: number): boolean {
  const known = tries.get(house) ?? new Map<string, number>();
  tries.set(house, known);
  for (const [one, at] of known) {
    if (at >= now - NOTED_EVERY) break;
    known.delete(one);
  }
  if (known.has(what)) return true;
  known.set(what, now);
  return false;
}
