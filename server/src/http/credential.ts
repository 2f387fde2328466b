import { createHash } from "node:crypto";
import { limits } from "@tandem/contract/limits";
import type { AiContent, Role } from "@tandem/contract/resources";
import { isScope } from "@tandem/contract/scopes";
import type { Tier } from "@tandem/contract/tiers";
import { parseCookie } from "cookie";
import { type RawBuilder, sql } from "kysely";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/storage.ts";
import type { Caller, CallerKey } from "./caller.ts";
import type { Context, Cookie } from "./context.ts";
import type { House } from "./house.ts";
import { looksLikeKey } from "./key-format.ts";
import { Problem } from "./problem.ts";

const SESSION_COOKIE = "tandem_session";
/** Keeps an operator's own session beside that as an agent. By itself it is no credential. */
const OPERATOR_COOKIE = "tandem_operator";

/**
 * A key's use is noted at most once a minute: knowing it to the second isn't worth a write a request. Nor is a note
 * that failed tried again sooner, lest a disk in trouble be asked with every request.
 */
const NOTED_EVERY = 60_000;
/** A session's use is noted more seldom still: there are many more of them, and all it is for is to recognise them. */
const SESSION_NOTED_EVERY = 600_000;
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

/** The cookie that keeps an operator's session to come back to; without a token, the one that forgets it. */
export function operatorCookie(token: string | null): Cookie {
  return { name: OPERATOR_COOKIE, value: token, maxAge: SESSION_LIFE / 1000 };
}

/** The tokens that a browser sent: of the session that it is in, and of the operator's that it keeps. */
export function sessionOf(cookies: Context["cookies"]): { own: string | null; operator: string | null } {
  return { own: cookies[SESSION_COOKIE] || null, operator: cookies[OPERATOR_COOKIE] || null };
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
  if (row.last_used_at === null || row.last_used_at < now - NOTED_EVERY) noteUse(house, "keys", row.id, now);
  const paused = row.paused + row.key_paused > 0;
  return { caller: caller(row, { key: callerKey(row), byAi: true, paused }), renewed: null };
}

async function bySession(house: House, token: string): Promise<Credential> {
  const now = house.now();
  const [row] = await sessionByHash(house.storage.read, { hash: tokenHash(token), now });
  if (!row) return nobody;
  if (row.last_used_at === null || row.last_used_at < now - SESSION_NOTED_EVERY)
    noteUse(house, "sessions", row.id, now);
  const due = row.expires_at < now + SESSION_LIFE - ROLLED_EVERY;
  const rolled = due && (await roll(house, row.id, now));
  return { caller: caller(row, { sessionId: row.id }), renewed: rolled ? token : null };
}

/** What a key's row says of its holder. */
export function callerKey(row: KeyFacts): CallerKey {
  const { id, tier, approval, caps } = row;
  return {
    id,
    tier,
    scopes: row.scopes.split(",").filter(isScope),
    caps: caps === null ? {} : JSON.parse(caps),
    approval: approval === 1,
  };
}

interface KeyFacts {
  id: number;
  scopes: string;
  tier: Tier;
  caps: string | null;
  approval: number;
}

interface AccountRow {
  user_id: number;
  username: string;
  role: Role;
  paused: number;
  /** Left out where nothing is read or said on its behalf. */
  suspended_until?: number | null;
  ai_posts?: AiContent;
  ai_comments?: AiContent;
  operator_id?: number | null;
  has_blocks?: number;
  operator_has_blocks?: number | null;
}

/** What is known of the account behind a credential, where `operator` is joined to it. */
export const accountColumns = [
  "users.id as user_id",
  "users.username",
  "users.role",
  "users.paused",
  "users.suspended_until",
  "users.ai_posts",
  "users.ai_comments",
  "users.operator_id",
  "users.has_blocks",
  "operator.has_blocks as operator_has_blocks",
] as const;

export function caller(row: AccountRow, more: Partial<Caller>): Caller {
  const isAgent = row.role === "agent";
  const { user_id: userId, username, role, ai_posts: posts = "show", ai_comments: comments = "show" } = row;
  const ai = { posts, comments };
  const paused = row.paused === 1;
  const common = {
    ai,
    paused,
    suspendedUntil: row.suspended_until ?? null,
    blocksOf: blocksOf(row),
    key: null,
    sessionId: null,
  };
  return { userId, username, role, isAgent, byAi: isAgent, ...common, ...more };
}

function blocksOf({ user_id, has_blocks, operator_id, operator_has_blocks }: AccountRow): number[] {
  const own = has_blocks === 1 ? [user_id] : [];
  return operator_has_blocks === 1 && operator_id ? [...own, operator_id] : own;
}

/** What a credential that was judged before is by now. */
export interface Standing {
  paused: boolean;
  suspendedUntil: number | null;
  role: Role;
  /** Whether the key's owner is asked before anything is published. */
  approval: boolean;
}

/**
 * How those stand, inside the transaction of their writes, who were judged before it: while a write waited for its turn, or
 * its body came slowly, the key may have been paused, or the account suspended. Whose credential has ended is left out.
 */
export async function standing(tx: Db, callers: Caller[]): Promise<Map<Caller, Standing>> {
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
  return new Map(
    callers.flatMap((caller) => {
      const { key, sessionId } = caller;
      const stands = key ? keys.get(key.id) : sessions.get(sessionId ?? 0);
      return stands ? [[caller, stands] as const] : [];
    }),
  );
}

/** The same of callers who stay: a session may also have reached its end since. */
export async function lasting(db: Db, callers: Caller[], now: number): Promise<Caller[]> {
  const stand = await standing(db, callers);
  const upright = callers.filter((caller) => stand.has(caller));
  const sessions = upright.flatMap(({ sessionId }) => sessionId ?? []);
  if (sessions.length === 0) return upright;
  const over = await db
    .selectFrom("sessions")
    .select("id")
    .where(sql<boolean>`id in (${db.engine.oneOf(sessions)})`)
    .where("expires_at", "<=", now)
    .execute();
  const ended = new Set<number | null>(over.map(({ id }) => id));
  return upright.filter(({ sessionId }) => !ended.has(sessionId));
}

async function among(
  tx: Db,
  query: typeof keysAmong,
  ids: (number | null | undefined)[],
): Promise<Map<number, Standing>> {
  const rows = ids.filter((id) => typeof id === "number").map((id) => ({ id }));
  const found = rows.length > 0 ? await query(tx, { ids: JSON.stringify(rows) }) : [];
  return new Map(
    found.map(({ id, role, paused, suspended_until: suspendedUntil, approval }) => [
      id,
      { role, suspendedUntil, paused: paused > 0, approval: approval === 1 },
    ]),
  );
}

interface StandingRow {
  id: number;
  role: Role;
  paused: number;
  suspended_until: number | null;
  approval: number;
}

const existing = (
  table: "keys" | "sessions",
  own: { paused: RawBuilder<number>; approval: RawBuilder<number> },
) =>
  prepared<{ ids: string }, StandingRow>((db, { ids }) =>
    sql<StandingRow>`select c.id, u.role, ${own.paused} as paused, u.suspended_until, ${own.approval} as approval
      from ${sql.table(table)} c join users u on u.id = c.user_id
      where c.id in (${db.engine.rows(ids, { id: "integer" })}) and u.removing_at is null`.compile(db),
  );

const keysAmong = existing("keys", { paused: sql`c.paused + u.paused`, approval: sql`c.approval` });
const sessionsAmong = existing("sessions", { paused: sql`u.paused`, approval: sql`0` });

interface KeyByHash extends AccountRow, KeyFacts {
  key_paused: number;
  last_used_at: number | null;
}

const keyByHash = prepared<{ hash: string }, KeyByHash>((db, { hash }) =>
  db
    .selectFrom("keys")
    .innerJoin("users", "users.id", "keys.user_id")
    .leftJoin("users as operator", "operator.id", "users.operator_id")
    .where("keys.hash", "=", hash)
    .where("users.removing_at", "is", null)
    .select([
      "keys.id",
      "keys.scopes",
      "keys.tier",
      "keys.caps",
      "keys.approval",
      "keys.paused as key_paused",
      "keys.last_used_at",
      ...accountColumns,
    ])
    .compile(),
);

interface SessionByHash extends AccountRow {
  id: number;
  expires_at: number;
  last_used_at: number | null;
}

const sessionByHash = prepared<{ hash: string; now: number }, SessionByHash>((db, { hash, now }) =>
  db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .leftJoin("users as operator", "operator.id", "users.operator_id")
    .where("sessions.token_hash", "=", hash)
    .where("sessions.expires_at", ">", now)
    .where("users.removing_at", "is", null)
    .select(["sessions.id", "sessions.expires_at", "sessions.last_used_at", ...accountColumns])
    .compile(),
);

/** Not awaited: nobody's answer depends on it, and closing the storage waits for it. */
function noteUse(house: House, table: "keys" | "sessions", id: number, now: number): void {
  if (triedLately(house, `${table} ${id}`, now)) return;
  house.storage
    .write((tx) => tx.updateTable(table).set({ last_used_at: now }).where("id", "=", id).execute())
    .catch((err) => house.log.error({ err, table }, "a credential's use could not be noted"));
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
