import { randomBytes } from "node:crypto";
import { nativePlatform, type Platform } from "@tandem/contract/origins";
import { authorKey, counters } from "@tandem/server/features/creators/creators.queries";
import { increment } from "@tandem/server/features/shared/daily-stats";
import { SESSION_LIFE, sessionCookie, tokenHash } from "@tandem/server/http/credential";
import { insertRows } from "@tandem/server/storage/bulk";
import { fold } from "@tandem/server/storage/fold";
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

/** Does what `addAccount` does for each, in few statements; `bulk-users.test.ts` compares them. */
async function insertUsers(tx: Db, names: string[], now: number): Promise<BulkUser[]> {
  const accounts = names.map((username) => {
    const email = `${username}@example.org`;
    return {
      username,
      username_key: username,
      email,
      email_key: email,
      role: "user" as const,
      checklist_closed: 0,
      unread: 0,
      read_upto: 0,
      created_at: now,
    };
  });
  await insertRows(tx, "users", accounts);
  const users = await tx
    .selectFrom("users")
    .select(["id", "username"])
    .where("username_key", "in", names)
    .orderBy("id")
    .execute();
  const platform: Platform = nativePlatform;
  const creators = users.map(({ id, username }) => ({
    platform,
    author: username,
    author_key: authorKey(username),
    user_id: id,
    ...counters,
  }));
  await insertRows(tx, "creators", creators);
  const userIds = users.map(({ id }) => id);
  const added = await tx
    .selectFrom("creators")
    .select(["id", "author"])
    .where("user_id", "in", userIds)
    .execute();
  const searchable = added.map(({ id, author }) => ({ id, folded: fold(author) }));
  await tx.engine.creatorSearch.add(tx, searchable);
  await increment(tx, "signUps", now, names.length);
  const cookies = await openSessions(tx, userIds, now);
  return users.map((user, i) => ({ ...user, cookie: cookies[i] ?? "" }));
}

/** Opens a session of each account. Returns their `Cookie` headers. */
export async function openSessions(tx: Db, ids: number[], now = Date.now()): Promise<string[]> {
  const tokens = ids.map(() => randomBytes(32).toString("base64url"));
  const times = { created_at: now, expires_at: now + SESSION_LIFE };
  const rows = tokens.map((token, i) => ({ token_hash: tokenHash(token), user_id: ids[i] ?? 0, ...times }));
  await insertRows(tx, "sessions", rows);
  return tokens.map((token) => `${sessionCookie(token).name}=${token}`);
}
