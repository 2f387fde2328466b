import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Quotas and strikes belong to accounts instead of keys; where keys of an account differ, the strictest remains. Browsers in
 * which someone acts as their agent no longer have a session of that person.
 */
export async function accountLimits(db: Db): Promise<void> {
  await strikes(db);
  await quotas(db, Date.now());
  await sessions(db);
}

/** Every removal that stands is a strike, so the decisions say who has one. */
async function strikes(db: Db): Promise<void> {
  await db.schema.alterTable("users").addColumn("last_strike_at", db.engine.types.integer).execute();
  await db.schema
    .createIndex("decisions_standing")
    .on("decisions")
    .columns(["user_id", "created_at"])
    .where(sql<boolean>`undone_at is null`)
    .execute();
  const removals = sql`from decisions where act in ('remove_post', 'remove_comment') and undone_at is null`;
  await sql`update users set last_strike_at = (select max(created_at) ${removals} and user_id = users.id)
    where id in (select user_id ${removals})`.execute(db);
  // No key has it yet, so all keys of these accounts are on probation until the strike expires.
  await db.schema.alterTable("keys").addColumn("tier_set_at", db.engine.types.integer).execute();
  await db.schema.alterTable("keys").dropColumn("strikes").execute();
  await db.schema.alterTable("decisions").dropColumn("key_id").execute();
}

/** Adds up the current windows of an account's keys, also of keys that were revoked since, which the activity log names. */
async function quotas(db: Db, now: number): Promise<void> {
  const id = sql`cast(substr(holder, 5) as ${sql.raw("bigint")})`;
  const windows = sql`select quota, started_at, ends_at, used, position, coalesce(
      (select user_id from keys where keys.id = ${id}),
      (select max(user_id) from activity where key_id = ${id})) as user_id
    from quota_windows where holder like 'key:%'`;
  await sql`insert into quota_windows (holder, quota, started_at, ends_at, used, position)
    select concat('keys:', user_id), quota, max(started_at), max(ends_at),
      sum(case when ends_at > ${now} then used else 0 end), max(position)
    from (${windows}) as windows where user_id is not null group by user_id, quota`.execute(db);
  await sql`delete from quota_windows where holder like 'key:%'`.execute(db);
}

/**
 * Browsers that were used as an agent kept a session of its operator, even after the agent's ended. Nothing says which, so
 * all sessions of people with agents end. They log in again.
 */
async function sessions(db: Db): Promise<void> {
  await sql`delete from sessions where user_id in
    (select operator_id from users where operator_id is not null)`.execute(db);
}
