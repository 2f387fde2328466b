import { SECONDS_PER_HOUR } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { ApiError } from "../../http/api-error.ts";
import type { Context } from "../../http/context.ts";
import type { SignUpRequestRow } from "../../storage/schema/accounts.ts";
import type { Db } from "../../storage/storage.ts";
import { dropUnverifiedRequest, lockNames, type NewAccount, requireFree } from "./accounts.queries.ts";
import { countAttempt, signUpRequestAttempt } from "./throttle.ts";

export interface NewRequest
  extends Pick<NewAccount, "username" | "email" | "emailVerified" | "passwordHash" | "displayName">,
    Partial<Pick<SignUpRequestRow, "reason" | "provider" | "subject">> {}

/** Counts a sign-up that will wait. Throws `rate_limited` if too many wait, from this client's network or in all. */
export async function countSignUpRequest(ctx: Context, tx: Db): Promise<void> {
  await countAttempt(ctx, tx, signUpRequestAttempt(ctx));
  await requireRoom(tx);
}

/**
 * Stores a sign-up until an admin decides. It isn't an account, so no query of accounts has to leave it out. Throws
 * `invalid_name`, `username_taken` or `email_taken`.
 */
export async function addSignUpRequest(
  { services, now }: Context,
  tx: Db,
  request: NewRequest,
): Promise<void> {
  const { username, email, reason = null, provider = null, subject = null } = request;
  await lockNames(tx, request);
  if (request.emailVerified) await dropUnverifiedRequest(tx, email);
  await requireFree(tx, services.config, request);
  await tx
    .insertInto("sign_up_requests")
    .values({
      username,
      username_key: username.toLowerCase(),
      email,
      email_key: email.toLowerCase(),
      email_verified: request.emailVerified ? 1 : 0,
      password_hash: request.passwordHash,
      display_name: request.displayName,
      ...{ provider, subject, reason },
      created_at: now,
    })
    .execute();
}

/** Bounds the list, however many addresses someone has. Counts no further than the bound. */
async function requireRoom(tx: Db): Promise<void> {
  const last = await tx
    .selectFrom("sign_up_requests")
    .select("id")
    .orderBy("id")
    .offset(limits.signUpRequests - 1)
    .limit(1)
    .executeTakeFirst();
  if (last)
    throw new ApiError("rate_limited", "Too many sign-ups wait for approval. Try again later.", {
      retryAfter: SECONDS_PER_HOUR,
    });
}

/** The waiting sign-up with this username or email address. */
export function findWaiting(db: Db, login: string) {
  const key = login.toLowerCase();
  return db
    .selectFrom("sign_up_requests")
    .select("password_hash")
    .where((eb) => eb.or([eb("username_key", "=", key), eb("email_key", "=", key)]))
    .executeTakeFirst();
}

/** The waiting sign-ups with this username or address, at most one of each. */
export function findClaims(db: Db, username: string, email: string) {
  return db
    .selectFrom("sign_up_requests")
    .select(["id", "username_key", "password_hash"])
    .where((eb) =>
      eb.or([eb("username_key", "=", username.toLowerCase()), eb("email_key", "=", email.toLowerCase())]),
    )
    .execute();
}

/** The waiting sign-up of someone who signs in through a provider. */
export function findWaitingIdentity(
  db: Db,
  provider: NonNullable<SignUpRequestRow["provider"]>,
  subject: string,
) {
  return db
    .selectFrom("sign_up_requests")
    .select("id")
    .where("provider", "=", provider)
    .where("subject", "=", subject)
    .executeTakeFirst();
}

/** Removes a waiting sign-up and returns it; null if it was decided already. */
export async function takeSignUpRequest(tx: Db, id: number) {
  const names = await tx
    .selectFrom("sign_up_requests")
    .select(["username", "email"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!names) return null;
  await lockNames(tx, names);
  const row = await tx.deleteFrom("sign_up_requests").where("id", "=", id).returningAll().executeTakeFirst();
  return row ?? null;
}

/** Removes all waiting sign-ups, and returns how many there were. */
export async function dropSignUpRequests(tx: Db): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom("sign_up_requests").executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
