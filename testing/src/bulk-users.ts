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
  const users: BulkUser[] = [];
  const sessions = [];
  // All at once, so that PostgreSQL gets many statements at a time.
  const ids = await Promise.all(
    names.map((username) => {
      const account = { username, email: `${username}@example.org`, passwordHash: null, displayName: null };
      return addAccount(tx, { registration: "open" }, { ...account, role: "user", operatorId: null, now });
    }),
  );
  for (const [i, username] of names.entries()) {
    const id = Number(ids[i]);
    const token = randomBytes(32).toString("base64url");
    const times = { created_at: now, expires_at: now + SESSION_LIFE };
    sessions.push({ token_hash: tokenHash(token), user_id: id, ...times });
    users.push({ id, username, cookie: `${sessionCookie(token).name}=${token}` });
  }
  await insertRows(tx, "sessions", sessions);
  return users;
}
