import type { Security } from "@tandem/contract/account-resources";
import { ApiError } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";
import type { Services } from "../../http/services.ts";
import type { Db } from "../../storage/storage.ts";
import { readAccess } from "./access.queries.ts";
import { readUser } from "./accounts.queries.ts";
import { queueNotice } from "./mails.ts";

export const security = {
  readSecurity: async ({ read, caller }) => ({
    security: await readSecurity(read, caller.userId, caller.sessionId),
  }),
} satisfies Handlers<"readSecurity">;

export async function readSecurity(db: Db, userId: number, session: number | null): Promise<Security> {
  const row = await db
    .selectFrom("users as u")
    .leftJoin("second_factors as f", "f.user_id", "u.id")
    .select(["u.email_verified", "u.password_hash", "f.confirmed_at"])
    .where("u.id", "=", userId)
    .executeTakeFirst();
  if (!row) throw new ApiError("unauthorized", "This account no longer exists.");
  const codes = await db.selectFrom("recovery_codes").select("hash").where("user_id", "=", userId).execute();
  return {
    emailVerified: row.email_verified === 1,
    hasPassword: row.password_hash !== null,
    twoFactor: row.confirmed_at !== null,
    recoveryCodesLeft: codes.length,
    access: await readAccess(db, userId, session),
  };
}

/** Queues a mail that tells the account's owner about a change of passkeys or two-factor authentication. */
export async function queueSignInChangeMail(
  services: Services,
  tx: Db,
  userId: number,
  now: number,
): Promise<void> {
  const { email: address } = await readUser(tx, userId);
  await queueNotice(services, tx, { userId, kind: "two_factor_changed", address, now });
}
