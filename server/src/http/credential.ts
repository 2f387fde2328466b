import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { DAY, MINUTE } from "@tandem/contract/durations";
import { routeOf } from "@tandem/contract/hints";
import { limits } from "@tandem/contract/limits";
import type { AiContent, Role, SensitiveContent } from "@tandem/contract/resources";
import { isScope } from "@tandem/contract/scopes";
import { parseCookie, stringifySetCookie } from "cookie";
import { prepared } from "../storage/prepared.ts";
import { ApiError } from "./api-error.ts";
import type { Caller, CallerKey } from "./caller.ts";
import type { Context, Cookie } from "./context.ts";
import { KEY_LENGTH, KEY_PREFIX, looksLikeKey } from "./key-format.ts";
import { memoizePerInstance } from "./memoize-per-instance.ts";
import { RecentCredentials } from "./recent-credentials.ts";
import type { Services } from "./services.ts";

const SESSION_COOKIE = "tandem_session";
/** Names the operator's parked session while they act as an agent. It authenticates nothing. */
const OPERATOR_COOKIE = "tandem_operator";

/**
 * A key's last use is written at most once a minute, to avoid a write per request. A failed write isn't retried sooner,
 * to spare a failing disk.
 */
const KEY_USE_INTERVAL = MINUTE;
/** A session's last use is written less often: there are many more sessions, and it only helps to recognize them. */
const SESSION_USE_INTERVAL = 10 * MINUTE;
/** A session's expiry is extended at most once a day, up to its absolute end. */
const EXTENSION_INTERVAL = DAY;
export const SESSION_LIFE = limits.sessionDays * DAY;

export interface Credential {
  caller: Caller | null;
  /** The session token to send again, because its expiry was extended. */
  renewed: string | null;
  /** Milliseconds since 1970: until then, and until the next commit, authenticating again finds the same and writes nothing. */
  until: number;
}

const anonymous: Credential = { caller: null, renewed: null, until: Number.POSITIVE_INFINITY };

/**
 * Authenticates a request. A Bearer token takes precedence over a cookie; an unknown or revoked one is always an error.
 * A cookie without a live session is ignored.
 */
export async function authenticate(
  services: Services,
  headers: { authorization?: string | undefined; cookie?: string | undefined },
): Promise<Credential> {
  if (headers.authorization !== undefined) return byKey(services, headers.authorization);
  const token = sessionToken(headers.cookie);
  return token ? bySession(services, token) : anonymous;
}

/** Basic credentials are for a proxy in front of the service; browsers send them here too. */
export function ownScheme(authorization: string | undefined): string | undefined {
  return authorization !== undefined && /^basic /i.test(authorization) ? undefined : authorization;
}

/** The session cookie, or without a token the one that clears it. */
export function sessionCookie(token: string | null): Cookie {
  return { name: SESSION_COOKIE, value: token, maxAge: SESSION_LIFE / 1000 };
}

/** A `Set-Cookie` header. */
export function cookieText({ baseUrl }: Services, { name, value, maxAge }: Cookie): string {
  const attributes = { httpOnly: true, sameSite: "lax", path: "/" } as const;
  const secure = baseUrl.startsWith("https:");
  return stringifySetCookie({
    name,
    value: value ?? "",
    ...attributes,
    secure,
    maxAge: value === null ? 0 : maxAge,
  });
}

/** The cookie with the handle of a parked session, or without a handle the one that clears it. */
export function operatorCookie(handle: string | null): Cookie {
  return { name: OPERATOR_COOKIE, value: handle, maxAge: SESSION_LIFE / 1000 };
}

/** What a browser sent: the token of its session, and the handle of a parked one. */
export function sessionOf(cookies: ReturnType<Context["cookies"]>): {
  token: string | null;
  handle: string | null;
} {
  return { token: cookies[SESSION_COOKIE] || null, handle: cookies[OPERATOR_COOKIE] || null };
}

/**
 * Equal for requests whose credentials are, as they were sent; empty without any. A hash, so that what is kept by it doesn't hold the
 * credentials themselves.
 */
export function credentialHash({ authorization, cookie }: IncomingHttpHeaders): string {
  if (authorization !== undefined) return tokenHash(`${authorization}\n${cookie ?? ""}`);
  return cookie !== undefined && namesSession(cookie) ? tokenHash(cookie) : "";
}

/** Whether a `Cookie` header may name a session. */
export function namesSession(cookies: string | undefined): boolean {
  return cookies?.includes(SESSION_COOKIE) ?? false;
}

function sessionToken(cookies: string | undefined): string | null {
  return (cookies && parseCookie(cookies)[SESSION_COOKIE]) || null;
}

/** Whether the request's credential was live when it was last used here. Costs no query, and authenticates nothing. */
export function wasLive(
  services: Services,
  { authorization, cookie }: Pick<IncomingHttpHeaders, "authorization" | "cookie">,
): boolean {
  const token = authorization === undefined ? sessionToken(cookie) : BEARER.exec(authorization)?.[1];
  return token != null && recentCredentials(services).has(tokenHash(token));
}

const BEARER = /^Bearer +([^ ]+) *$/i;

const recentCredentials = memoizePerInstance((_services: Services) => new RecentCredentials());

/** Tokens are stored only as this hash, so a leaked table can't be used to log in. */
export function tokenHash(token: string): string {
  return hash("sha256", token);
}

/** What a parked session has instead of its token's hash. No token has this hash, so nothing can authenticate by it. */
export function parkedHash(handle: string): string {
  return `${PARKED}${tokenHash(handle)}`;
}

export const PARKED = "parked:";

async function byKey(services: Services, authorization: string): Promise<Credential> {
  const token = BEARER.exec(authorization)?.[1];
  const hashed = token && looksLikeKey(token) ? tokenHash(token) : null;
  const row = hashed === null ? undefined : (await keyByHash(services.storage.read, { hash: hashed }))[0];
  if (hashed !== null) recentCredentials(services).note(hashed, row !== undefined);
  if (!token) throw new ApiError("unauthorized", "`Authorization` must be `Bearer`, a space and a key.");
  if (hashed === null)
    throw new ApiError("unauthorized", "This isn't the form of a key.", {
      hint: `Keys begin with ${KEY_PREFIX} and have ${KEY_LENGTH} characters. Check that this one is whole and has no typo, and that a variable was replaced by its value. Without a key, ask a person for an account: ${routeOf("requestAgent")}.`,
    });
  if (!row) throw new ApiError("unauthorized", "This key is unknown or has been revoked.");
  const now = services.now();
  if (row.expires_at !== null && row.expires_at <= now) throw new ApiError("key_expired");
  if (row.token_expires_at !== null && row.token_expires_at <= now)
    throw new ApiError("key_expired", "This access token has expired.", {
      hint: "Get another with the refresh token. If that has ended, too, ask for access again.",
    });
  if (row.last_used_at === null || row.last_used_at < now - KEY_USE_INTERVAL)
    recordUse(services, "keys", row.id, now);
  const paused = row.paused + row.key_paused > 0;
  const until = earliest([
    row.expires_at,
    row.token_expires_at,
    row.mutes_change_at,
    (row.last_used_at ?? 0) + KEY_USE_INTERVAL,
  ]);
  return { caller: caller(row, { key: callerKey(row), byAi: true, paused }), renewed: null, until };
}

async function bySession(services: Services, token: string): Promise<Credential> {
  const now = services.now();
  const hashed = tokenHash(token);
  const [row] = await sessionByHash(services.storage.read, { hash: hashed, now });
  recentCredentials(services).note(hashed, row !== undefined);
  // The setting may have been lowered.
  if (!row || row.created_at + services.config.sessionLife <= now) return anonymous;
  if (row.last_used_at === null || row.last_used_at < now - SESSION_USE_INTERVAL)
    recordUse(services, "sessions", row.id, now);
  const end = row.created_at + services.config.sessionLife;
  const expiresAt = Math.min(now + SESSION_LIFE, end);
  const due = row.expires_at < expiresAt - EXTENSION_INTERVAL;
  const extended = due && (await extend(services, row.id, now, expiresAt));
  const isLast = row.expires_at >= end - EXTENSION_INTERVAL;
  const extendedAt = isLast ? end : row.expires_at + EXTENSION_INTERVAL - SESSION_LIFE;
  const until = earliest([
    row.expires_at,
    end,
    row.mutes_change_at,
    extendedAt,
    (row.last_used_at ?? 0) + SESSION_USE_INTERVAL,
  ]);
  return { caller: caller(row, { sessionId: row.id }), renewed: extended ? token : null, until };
}

/** Of those that aren't never. */
function earliest(times: readonly (number | null | undefined)[]): number {
  return times.reduce<number>((least, time) => Math.min(least, time ?? least), Number.POSITIVE_INFINITY);
}

/** The fields of a key's row. */
export function callerKey(row: KeyRow): CallerKey {
  const { id, approval, caps } = row;
  return {
    id,
    scopes: row.scopes.split(",").filter(isScope),
    caps: caps === null ? {} : JSON.parse(caps),
    approval: approval === 1,
    isGrant: row.client_id !== null,
    expiresAt: row.expires_at,
  };
}

interface KeyRow {
  id: number;
  client_id: string | null;
  expires_at: number | null;
  scopes: string;
  caps: string | null;
  approval: number;
}

interface AccountRow {
  user_id: number;
  username: string;
  role: Role;
  paused: number;
  /** Omitted if not needed. */
  suspended_until?: number | null;
  ai_posts?: AiContent;
  ai_comments?: AiContent;
  sensitive_posts?: SensitiveContent;
  operator_id?: number | null;
  has_blocks?: number;
  mutes_change_at?: number | null;
  followed_tags?: number;
  followed_communities?: number;
  operator_has_blocks?: number | null;
}

/** Columns of the account behind a credential; expects `operator` to be joined. */
export const accountColumns = [
  "users.id as user_id",
  "users.username",
  "users.role",
  "users.paused",
  "users.suspended_until",
  "users.ai_posts",
  "users.ai_comments",
  "users.sensitive_posts",
  "users.operator_id",
  "users.has_blocks",
  "users.mutes_change_at",
  "users.followed_tags",
  "users.followed_communities",
  "operator.has_blocks as operator_has_blocks",
] as const;

export function caller(row: AccountRow, more: Partial<Caller>): Caller {
  const isAgent = row.role === "agent";
  const { user_id: userId, username, role, ai_posts: posts = "show", ai_comments: comments = "show" } = row;
  const ai = { posts, comments };
  const paused = row.paused === 1;
  const common = {
    ai,
    hidesSensitive: row.sensitive_posts === "hide",
    paused,
    suspendedUntil: row.suspended_until ?? null,
    blocksOf: blocksOf(row),
    mutesChangeAt: row.mutes_change_at ?? null,
    followedTags: row.followed_tags ?? 0,
    followedCommunities: row.followed_communities ?? 0,
    key: null,
    sessionId: null,
    signature: null,
  };
  return { userId, username, role, isAgent, byAi: isAgent, ...common, ...more };
}

function blocksOf({ user_id, has_blocks, operator_id, operator_has_blocks }: AccountRow): number[] {
  const own = has_blocks === 1 ? [user_id] : [];
  return operator_has_blocks === 1 && operator_id ? [...own, operator_id] : own;
}

interface KeyByHash extends AccountRow, KeyRow {
  token_expires_at: number | null;
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
      "keys.caps",
      "keys.approval",
      "keys.client_id",
      "keys.expires_at",
      "keys.token_expires_at",
      "keys.paused as key_paused",
      "keys.last_used_at",
      ...accountColumns,
    ])
    .compile(),
);

interface SessionByHash extends AccountRow {
  id: number;
  created_at: number;
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
    .select([
      "sessions.id",
      "sessions.created_at",
      "sessions.expires_at",
      "sessions.last_used_at",
      ...accountColumns,
    ])
    .compile(),
);

/** Not awaited: no response depends on it, and closing the storage waits for it. */
function recordUse(services: Services, table: "keys" | "sessions", id: number, now: number): void {
  if (triedLately(services, `${table} ${id}`, now)) return;
  services.storage
    .write((tx) => tx.updateTable(table).set({ last_used_at: now }).where("id", "=", id).execute())
    .catch((err) => services.log.error({ err, table }, "the last use of a credential could not be recorded"));
}

/** Whether the session was extended. A failure must not fail the request. */
async function extend(services: Services, id: number, now: number, expiresAt: number): Promise<boolean> {
  if (triedLately(services, `session:${id}`, now)) return false;
  try {
    await services.storage.write((tx) =>
      tx.updateTable("sessions").set({ expires_at: expiresAt }).where("id", "=", id).execute(),
    );
    return true;
  } catch (err) {
    services.log.error({ err }, "a session could not be extended");
    return false;
  }
}

/** When each write was last attempted, oldest first. */
const tries = new WeakMap<Services, Map<string, number>>();

/** Whether this was attempted within the interval; if not, records an attempt now. */
function triedLately(services: Services, what: string, now: number): boolean {
  const attempts = tries.get(services) ?? new Map<string, number>();
  tries.set(services, attempts);
  for (const [name, at] of attempts) {
    if (at >= now - KEY_USE_INTERVAL) break;
    attempts.delete(name);
  }
  if (attempts.has(what)) return true;
  attempts.set(what, now);
  return false;
}
