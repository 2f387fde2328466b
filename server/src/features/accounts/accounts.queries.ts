import type { Role, User } from "@tandem/contract/resources";
import type { Config } from "../../config.ts";
import { ApiError, checkFields } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import { recheckCredentials } from "../../http/recheck-credentials.ts";
import type { Db } from "../../storage/storage.ts";
import { addNativeCreator } from "../creators/creators.queries.ts";
import { readProfileLinks } from "../creators/profile-links.ts";
import { aiFieldsOf, profileMarks, profileName } from "../shared/ai-fields.ts";
import { increment } from "../shared/daily-stats.ts";
import { logCurrent } from "../transparency-log/current.ts";
import { isPlaceholder } from "./placeholder.ts";

/** Usernames that could be mistaken for the service itself, or for a path. */
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
  /** Whether a trusted party, such as an identity provider, has verified the address. */
  emailVerified?: boolean;
  passwordHash: string | null;
  displayName: string | null;
  bio?: string | null;
  /** Whether the display name and bio are AI content: an agent asked for the account with them. */
  textsByAi?: boolean;
  role: Role;
  operatorId: number | null;
  /** Who invited the person. */
  invitedBy?: number | null;
  now: number;
}

/**
 * Locks a username and an address until the transaction ends. Whatever takes one of them, or frees it and goes on, calls this
 * first: accounts and sign-ups that wait for approval are in two tables, so no unique index covers both.
 */
export function lockNames(
  tx: Db,
  { username, email }: Pick<NewAccount, "username" | "email">,
): Promise<void> {
  return tx.engine.lock(tx, [`username ${username.toLowerCase()}`, addressLock(email)]);
}

/** The same for an address alone. */
export function lockAddress(tx: Db, email: string): Promise<void> {
  return tx.engine.lock(tx, [addressLock(email)]);
}

const addressLock = (email: string) => `address ${email.toLowerCase()}`;

/**
 * Deletes the sign-up that waits for approval with this address, unless its address is verified: anyone can enter the address of
 * someone else. Call it for someone who has proved that the address is theirs.
 */
export async function dropUnverifiedRequest(tx: Db, email: string): Promise<void> {
  await tx
    .deleteFrom("sign_up_requests")
    .where("email_key", "=", email.toLowerCase())
    .where("email_verified", "=", 0)
    .execute();
}

/** Sign-ups that wait for approval keep their names and addresses only as long as sign-ups need approval. */
type Registration = Pick<Config, "registration">;

/**
 * Throws `invalid_name`, `username_taken` or `email_taken` if a new account can't have this username and address. The sign-ups
 * with the ids `own` may have them: they are of the same person.
 */
export async function requireFree(
  db: Db,
  config: Registration,
  { username, email }: Pick<NewAccount, "username" | "email">,
  own: readonly number[] = [],
) {
  const keys = [username.toLowerCase(), email.toLowerCase()] as const;
  const holders = [...(await holdersOf(db, ...keys)), ...(await claimsOf(db, config, ...keys, own))];
  await checkFields(
    () => requireUnreserved(username),
    () => {
      if (holders.some(({ username_key }) => username_key === keys[0])) throw taken("username");
    },
    () => {
      // An agent's is made from its username, which is taken then, too.
      if (!isPlaceholder(email) && holders.some(({ email_key }) => email_key === keys[1]))
        throw taken("email");
    },
  );
}

/** The accounts with this username or address; at most two. */
function holdersOf(db: Db, usernameKey: string, emailKey: string) {
  return db
    .selectFrom("users")
    .select(["username_key", "email_key"])
    .where((eb) => eb.or([eb("username_key", "=", usernameKey), eb("email_key", "=", emailKey)]))
    .execute();
}

function requireUnreserved(username: string): void {
  if (isReserved(username))
    throw new ApiError("invalid_name", "This username is reserved. Choose another one.", {
      field: "username",
    });
}

/** Adds an account and its creator. Throws `invalid_name`, `username_taken` or `email_taken`. */
export async function addAccount(tx: Db, config: Registration, account: NewAccount): Promise<number> {
  const { username, email } = account;
  const usernameKey = username.toLowerCase();
  const emailKey = email.toLowerCase();
  requireUnreserved(username);
  await lockNames(tx, account);
  if (account.emailVerified) await dropUnverifiedRequest(tx, email);
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
      display_name_is_ai: account.textsByAi && account.displayName !== null ? 1 : 0,
      bio_is_ai: account.textsByAi && account.bio != null ? 1 : 0,
      role: account.role,
      operator_id: account.operatorId,
      invited_by: account.invitedBy ?? null,
      // An agent that is created while its operator is suspended is suspended too.
      suspended_until: (eb) =>
        eb
          .selectFrom("users as o")
          .select("o.suspended_until")
          .where("o.id", "=", account.operatorId ?? 0),
      checklist_closed: account.role === "agent" ? 1 : 0,
      unread: 0,
      read_upto: 0,
      created_at: account.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  // An agent's address is made from its name.
  if (!added) throw account.role === "agent" ? taken("username") : await takenError(tx, emailKey);
  const [claim] = await claimsOf(tx, config, usernameKey, emailKey);
  if (claim) throw taken(claim.email_key === emailKey ? "email" : "username");
  await addNativeCreator(tx, added.id, username);
  // Otherwise nothing but a name is published.
  if (account.role === "agent" || account.displayName !== null || account.bio != null)
    await logCurrent(tx, "profile", added.id, account.now);
  await increment(tx, account.role === "agent" ? "agents" : "signUps", account.now);
  return added.id;
}

/**
 * Throws `email_taken` if another account, or a waiting sign-up with a verified address, has this address. Others lose it to
 * anyone who confirms it; see {@link dropUnverifiedRequest}.
 */
export async function requireFreeEmail(db: Db, email: string, userId: number): Promise<void> {
  const other = await db
    .selectFrom("users")
    .select("id")
    .where("email_key", "=", email.toLowerCase())
    .where("id", "<>", userId)
    .executeTakeFirst();
  if (other) throw taken("email");
  const request = await db
    .selectFrom("sign_up_requests")
    .select("id")
    .where("email_key", "=", email.toLowerCase())
    .where("email_verified", "=", 1)
    .executeTakeFirst();
  if (request) throw taken("email");
}

/** Whether an account, or a sign-up that waits for approval, has this username. */
export async function isTaken(db: Db, username: string): Promise<boolean> {
  const key = username.toLowerCase();
  const account = await db
    .selectFrom("users")
    .select("id")
    .where("username_key", "=", key)
    .executeTakeFirst();
  if (account) return true;
  const request = await db
    .selectFrom("sign_up_requests")
    .select("id")
    .where("username_key", "=", key)
    .executeTakeFirst();
  return request !== undefined;
}

/** The sign-ups that wait for approval with this username or address. */
async function claimsOf(
  db: Db,
  { registration }: Registration,
  usernameKey: string,
  emailKey: string,
  own: readonly number[] = [],
) {
  if (registration !== "approval") return [];
  const requests = await db
    .selectFrom("sign_up_requests")
    .select(["id", "username_key", "email_key"])
    .where((eb) => eb.or([eb("username_key", "=", usernameKey), eb("email_key", "=", emailKey)]))
    .execute();
  return requests.filter(({ id }) => !own.includes(id));
}

function taken(field: "email" | "username"): ApiError {
  return new ApiError(`${field}_taken`, undefined, { field });
}

async function takenError(db: Db, emailKey: string): Promise<ApiError> {
  const sameEmail = await db
    .selectFrom("users")
    .select("id")
    .where("email_key", "=", emailKey)
    .executeTakeFirst();
  return taken(sameEmail ? "email" : "username");
}

/**
 * Locks the account's row until the transaction ends. Serializes whatever checks a limit per account before it adds a
 * row, and the account's deletion; inserts that only reference the account don't wait.
 */
export async function lockAccount(tx: Db, id: number): Promise<void> {
  if (tx.engine.rowLocks)
    await tx.later.selectFrom("users").select("id").where("id", "=", id).forNoKeyUpdate().execute();
}

/**
 * The same for the caller's own account or its operator's, before something is added that opens it. Ending all that opens an account ends its
 * sessions, so nothing may be added by a session that ends meanwhile. Throws `unauthorized`.
 */
export async function lockCaller(tx: Db, caller: Caller, account: number = caller.userId): Promise<void> {
  await lockAccount(tx, account);
  if (!(await recheckCredentials(tx, [caller])).has(caller)) throw new ApiError("unauthorized");
}

/** An account as its owner sees it. */
export async function readUser(db: Db, id: number): Promise<User> {
  const row = await db
    .selectFrom("users")
    .select(["id", "username", "email", "avatar_url", "banner_url", "bio", "role"])
    .select(profileName("users").as("display_name"))
    .select(profileMarks)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw new ApiError("unauthorized", "This account no longer exists.");
  const { username, email, display_name: displayName, avatar_url: avatarUrl, bio, role } = row;
  const links = await readProfileLinks(db, id);
  return {
    id,
    username,
    email,
    displayName,
    avatarUrl,
    bannerUrl: row.banner_url,
    bio,
    links,
    aiGeneratedFields: aiFieldsOf({ ...row, links }),
    role,
  };
}
