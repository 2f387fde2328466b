import { randomBytes } from "node:crypto";
import { addAccount } from "@tandem/server/features/accounts/accounts.queries";
import { SESSION_LIFE, sessionCookie, tokenHash } from "@tandem/server/http/credential";
import { insertRows } from "@tandem/server/storage/bulk";
import type { Db, Storage } from "@tandem/server/storage/storage";

/** An account with an open session. */
export interface BulkUser {
  id: number;
  username: string;
  /** The `Cookie` header of the session. */
  cookie: string;
}

/** Accounts per transaction. */
const CHUNK = 500;

/** Adds thousands of people directly to the database: by the API, hashing their passwords alone would take minutes. */
export async function addBulkUsers(storage: Storage, count: number, now = Date.now()): Promise<BulkUser[]> {
  const users: BulkUser[] = [];
  while (users.length < count) {
    const names = Array.from(
      { length: Math.min(CHUNK, count - users.length) },
      () => `c${randomBytes(8).toString("hex")}`,
    );
    users.push(...(await storage.write((tx) => insertUsers(tx, names, now))));
  }
  return users;
}

async function insertUsers(tx: Db, names: string[], now: number): Promise<BulkUser[]> {
  // All at once, so that PostgreSQL gets many statements at a time.
  const ids = await Promise.all(
    names.map((username) => {
      const account = { username, email: `${username}@example.org`, passwordHash: null, displayName: null };
      return addAccount(tx, { registration: "open" }, { ...account, role: "user", operatorId: null, now });
    }),
  );
  const cookies = await openSessions(tx, ids.map(Number), now);
  return names.map((username, i) => ({ id: Number(ids[i]), username, cookie: cookies[i] ?? "" }));
}

/** Opens a session of each account. Returns their `Cookie` headers. */
export async function openSessions(tx: Db, ids: number[], now = Date.now()): Promise<string[]> {
  const tokens = ids.map(() => randomBytes(32).toString("base64url"));
  const times = { created_at: now, expires_at: now + SESSION_LIFE };
  const rows = tokens.map((token, i) => ({ token_hash: tokenHash(token), user_id: ids[i] ?? 0, ...times }));
  await insertRows(tx, "sessions", rows);
  return tokens.map((token) => `${sessionCookie(token).name}=${token}`);
}
