import type { Role, User } from "@tandem/contract/resources";
import { ApiError } from "../../http/api-error.ts";
import type { Db } from "../../storage/storage.ts";
import { addNativeCreator } from "../creators/creators.queries.ts";
import { increment } from "../shared/daily-stats.ts";

/** Words that would be mistaken for the service itself, or for a path. */
const reserved = new Set(
  "admin administrator moderator mod root system support staff official tandem native api me self everyone anonymous deleted null undefined .. ...".split(
    " ",
  ),
);

export function isReserved(username: string): boolean {
  return reserved.has(username.toLowerCase());
}

export interface NewAccount {
  username: string;
  email: string;
  /** Whether somebody who can be trusted says that it is theirs. */
  emailVerified?: boolean;
  passwordHash: string | null;
  displayName: string | null;
  bio?: string | null;
  role: Role;
  operatorId: number | null;
  now: number;
}

/** Throws where nobody new can have this name or address: one is reserved, or taken. */
export async function requireFree(db: Db, { username, email }: Pick<NewAccount, "username" | "email">) {
  requireUnreserved(username);
  const [usernameKey, emailKey] = [username.toLowerCase(), email.toLowerCase()];
  const other = await db
    .selectFrom("users")
    .select("id")
    .where((eb) => eb.or([eb("username_key", "=", usernameKey), eb("email_key", "=", emailKey)]))
    .limit(1)
    .executeTakeFirst();
  if (other) throw await taken(db, emailKey);
}

function requireUnreserved(username: string): void {
  if (isReserved(username))
    throw new ApiError("invalid_name", "This username is reserved.", { field: "username" });
}

/** Adds an account and the creator that its posts will hang on. Throws where a name is reserved or taken. */
export async function addAccount(tx: Db, account: NewAccount): Promise<number> {
  const { username, email } = account;
  const usernameKey = username.toLowerCase();
  const emailKey = email.toLowerCase();
  requireUnreserved(username);
  const added = await tx
    .insertInto("users")
    .values({
      username,
      username_key: usernameKey,
      email,
      email_key: emailKey,
      email_verified: account.emailVerified ? 1 : 0,
      password_hash: account.passwordHash,
      display_name: account.displayName,
      avatar_url: null,
      bio: account.bio ?? null,
      role: account.role,
      operator_id: account.operatorId,
      // Whoever is made while its operator is suspended is so as well.
      suspended_until: (eb) =>
        eb
          .selectFrom("users as o")
          .select("o.suspended_until")
          .where("o.id", "=", account.operatorId ?? 0),
      unread: 0,
      read_upto: 0,
      created_at: account.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!added) throw await taken(tx, emailKey);
  await addNativeCreator(tx, added.id, username);
  await increment(tx, account.role === "agent" ? "agents" : "signUps", account.now);
  return added.id;
}

/** Throws where another account has that address. */
export async function requireFreeEmail(db: Db, email: string, userId: number): Promise<void> {
  const other = await db
    .selectFrom("users")
    .select("id")
    .where("email_key", "=", email.toLowerCase())
    .where("id", "<>", userId)
    .executeTakeFirst();
  if (other) throw new ApiError("email_taken", undefined, { field: "email" });
}

async function taken(db: Db, emailKey: string): Promise<ApiError> {
  const sameEmail = await db
    .selectFrom("users")
    .select("id")
    .where("email_key", "=", emailKey)
    .executeTakeFirst();
  return sameEmail
    ? new ApiError("email_taken", undefined, { field: "email" })
    : new ApiError("username_taken", undefined, { field: "username" });
}

/** Makes others wait who count what this account has before they add to it, or who are about to remove it; no others. */
export async function lockAccount(tx: Db, id: number): Promise<void> {
  if (tx.engine.rowLocks)
    await tx.selectFrom("users").select("id").where("id", "=", id).forNoKeyUpdate().execute();
}

/** An account as its owner sees it (spec: User). */
export async function readUser(db: Db, id: number): Promise<User> {
  const row = await db
    .selectFrom("users")
    .select(["id", "username", "email", "display_name", "avatar_url", "bio", "role"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw new ApiError("unauthorized", "This account is gone.");
  const { display_name: displayName, avatar_url: avatarUrl, ...rest } = row;
  return { ...rest, displayName, avatarUrl };
}
