import type { AccountAccess, EndedAccess } from "@tandem/contract/account-resources";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { PARKED } from "../../http/credential.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "./accounts.queries.ts";
import { endSessions } from "./sessions.ts";

/*
 * What opens an account besides its password. Someone may have set it up before the owner came: they may have known the
 * password, or signed up with the owner's address.
 */

/** What opens the account, not counting its password and the given session. */
export async function readAccess(
  db: Db,
  userId: number,
  exceptSession: number | null = null,
): Promise<AccountAccess> {
  const countOf = (from: RawBuilder<unknown>) => sql<number>`(select count(*) from ${from})`;
  const { rows } = await sql<Record<keyof Omit<AccountAccess, "providers">, number>>`select
    ${countOf(sql`sessions where user_id in (${ownAccounts(userId)}) and id <> ${exceptSession ?? 0}
      and token_hash not like ${`${PARKED}%`}`)} as sessions,
    ${countOf(sql`passkeys where user_id = ${userId}`)} as passkeys,
    ${countOf(sql`keys where owner_id = ${userId}
      and (expires_at is null or expires_at > ${db.engine.now})`)} as keys,
    ${countOf(sql`webhooks where owner_id = ${userId} and session_id is null and state <> 'gone'`)} as webhooks,
    ${countOf(sql`stream_keys where user_id in (${ownAccounts(userId)})`)} as "streamKeys"`.execute(db);
  const identities = await db
    .selectFrom("identities")
    .select("provider")
    .where("user_id", "=", userId)
    .orderBy("provider")
    .execute();
  const counts = Object.entries(rows[0] ?? {}).map(([name, count]) => [name, Number(count)]);
  return { ...Object.fromEntries(counts), providers: identities.map(({ provider }) => provider) };
}

/** What {@link endAccess}, or {@link endAccessAndSecondFactor}, is about to end. */
export async function readEnding(db: Db, userId: number, withSecondFactor: boolean): Promise<EndedAccess> {
  const factor = await db
    .selectFrom("second_factors")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  return { ...(await readAccess(db, userId)), twoFactor: withSecondFactor && factor !== undefined };
}

/** Ends all of it. The posts that it scheduled become drafts. */
export async function endAccess(tx: Db, userId: number, exceptSession: number | null): Promise<void> {
  await lockAccount(tx, userId);
  await endSessions(tx, userId, exceptSession);
  await tx.deleteFrom("passkeys").where("user_id", "=", userId).execute();
  await tx.deleteFrom("tokens").where("user_id", "=", userId).where("purpose", "=", "add_passkey").execute();
  await tx.deleteFrom("identities").where("user_id", "=", userId).execute();
  await tx
    .updateTable("drafts")
    .set({ state: "kept", due_at: null, publish_at: null })
    .where("owner_id", "=", userId)
    .where("state", "=", "scheduled")
    .execute();
  await tx.deleteFrom("keys").where("owner_id", "=", userId).execute();
  // Known devices may guess more often.
  await tx.deleteFrom("known_places").where("user_id", "=", userId).execute();
  // A browser's push subscription ends with its session.
  await tx.deleteFrom("webhooks").where("owner_id", "=", userId).where("session_id", "is", null).execute();
  await tx
    .deleteFrom("stream_keys")
    .where(sql<SqlBool>`user_id in (${ownAccounts(userId)})`)
    .execute();
}

/** Also ends what only the one who set it up can pass: the second factor. */
export async function endAccessAndSecondFactor(tx: Db, userId: number): Promise<void> {
  await endAccess(tx, userId, null);
  await tx.deleteFrom("second_factors").where("user_id", "=", userId).execute();
  await tx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
}

/** The account and its agents. */
function ownAccounts(userId: number): RawBuilder<number> {
  return sql<number>`select id from users where id = ${userId} or operator_id = ${userId}`;
}
