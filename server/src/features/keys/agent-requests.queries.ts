import { hkdfSync, randomBytes, randomInt } from "node:crypto";
import { type AgentRequest, CODE_LETTERS } from "@tandem/contract/agent-requests";
import { SECONDS_PER_HOUR } from "@tandem/contract/durations";
import { routeOf } from "@tandem/contract/hints";
import { limits } from "@tandem/contract/limits";
import type { Selectable } from "kysely";
import { ApiError } from "../../http/api-error.ts";
import { tokenHash } from "../../http/credential.ts";
import { keyFrom } from "../../http/key-format.ts";
import type { AgentRequestRow } from "../../storage/schema/agents.ts";
import type { Db } from "../../storage/storage.ts";
import { fingerprintOf } from "./keys.queries.ts";

export type RequestRow = Selectable<AgentRequestRow>;

/** 20 letters to the power of 8: 34 bits. Guesses are limited, and a request waits for an hour. */
const CODE_LENGTH = 8;

interface NewRequest {
  username: string;
  displayName: string | null;
  bio: string | null;
  scopes: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  now: number;
}

/** Stores a request and returns its code and its token, of which only hashes are stored. */
export async function addAgentRequest(tx: Db, { displayName, expiresAt, now, ...about }: NewRequest) {
  const letters = Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]);
  const code = spelled(letters.join(""));
  const [token, salt] = [randomBytes(32).toString("base64url"), randomBytes(32).toString("base64url")];
  const { hash: key_hash, hint: key_hint } = fingerprintOf(keyOf(token, salt));
  const row = await tx
    .insertInto("agent_requests")
    .values({
      ...about,
      ...{ token_hash: tokenHash(token), code_hash: codeHash(code), display_name: displayName },
      ...{ salt, key_hash, key_hint },
      ...{ state: "pending", expires_at: expiresAt, created_at: now },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { request: asRequest(row, code), token };
}

/**
 * The key that an approval makes valid. Only the asker has the token, and only the row has the salt: neither a copy of the database
 * nor, once the row is gone, the token reveals the key. The same call gives the same key, so a lost response loses nothing.
 */
export function keyOf(token: string, salt: string): string {
  return keyFrom(new Uint8Array(hkdfSync("sha256", token, salt, "tandem agent key", 48)));
}

const codeHash = (code: string) => tokenHash(lettersOf(code));

/** However someone types the code. */
const lettersOf = (code: string) => code.toUpperCase().replace(/[^A-Z]/g, "");

/** A code as it is shown. */
export function spelled(code: string): string {
  const letters = lettersOf(code);
  return `${letters.slice(0, CODE_LENGTH / 2)}-${letters.slice(CODE_LENGTH / 2)}`;
}

/** Bounds the waiting requests, however many addresses someone has. Counts no further than the bound. */
export async function requireRoom(tx: Db, now: number): Promise<void> {
  const last = await tx
    .selectFrom("agent_requests")
    .select("id")
    .where("state", "=", "pending")
    .where("expires_at", ">", now)
    .orderBy("expires_at")
    .offset(limits.agentRequests - 1)
    .limit(1)
    .executeTakeFirst();
  if (last)
    throw new ApiError("rate_limited", "Too many agents wait for an account. Try again later.", {
      retryAfter: SECONDS_PER_HOUR,
    });
}

/** The request of an asker; undefined if there is none, or if its key can't be had any more. */
export function findByToken(db: Db, token: string, now: number): Promise<RequestRow | undefined> {
  return db
    .selectFrom("agent_requests")
    .selectAll()
    .where("token_hash", "=", tokenHash(token))
    .where((eb) => eb.or([eb("state", "<>", "approved"), eb("expires_at", ">", now)]))
    .executeTakeFirst();
}

/** The request that waits for a decision with this code. Throws `not_found`. */
export async function requirePending(db: Db, code: string, now: number): Promise<RequestRow> {
  const request = await db
    .selectFrom("agent_requests")
    .selectAll()
    .where("code_hash", "=", codeHash(code))
    .where("state", "=", "pending")
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (!request) throw noSuchRequest();
  return request;
}

/** Throws `not_found` if someone else decides at the same time. */
export async function decide(tx: Db, id: number, state: "approved" | "declined"): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("agent_requests")
    .set({ state })
    .where("id", "=", id)
    .where("state", "=", "pending")
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw noSuchRequest();
}

function noSuchRequest(): ApiError {
  return new ApiError(
    "not_found",
    "No request with this code is waiting: it has expired, was answered, or never existed.",
    {
      hint: `Compare the code with the agent's. If it has expired, the agent can ask again (${routeOf("requestAgent")}).`,
    },
  );
}

/** Notes the key that an approval created. Its asker can get it until a time in milliseconds since 1970. */
export async function noteKey(tx: Db, id: number, keyId: number, until: number): Promise<void> {
  await tx
    .updateTable("agent_requests")
    .set({ key_id: keyId, expires_at: until })
    .where("id", "=", id)
    .execute();
}

export function asRequest(row: RequestRow, code: string): AgentRequest {
  return {
    code,
    username: row.username,
    displayName: row.display_name,
    bio: row.bio,
    scopes: row.scopes,
    createdAt: new Date(row.created_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
  };
}
