import { limits } from "@tandem/contract/limits";
import type { FriendRequest } from "@tandem/contract/people";
import { type RawBuilder, sql } from "kysely";
import { notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Db } from "../../storage/storage.ts";

/** A pending request, with both accounts' names and avatars. */
export interface FoundRequest {
  id: number;
  from_id: number;
  to_id: number;
  created_at: number;
  from_name: string;
  from_display_name: string | null;
  from_avatar_url: string | null;
  to_name: string;
  to_display_name: string | null;
  to_avatar_url: string | null;
}

export function asRequest(row: FoundRequest): FriendRequest {
  return {
    id: row.id,
    from: row.from_name,
    fromDisplayName: row.from_display_name,
    fromAvatarUrl: row.from_avatar_url,
    to: row.to_name,
    toDisplayName: row.to_display_name,
    toAvatarUrl: row.to_avatar_url,
    createdAt: new Date(row.created_at).toISOString(),
  };
}

async function withProfiles(db: Db, requests: RawBuilder<unknown>): Promise<FoundRequest[]> {
  const { rows } = await sql<FoundRequest>`
    select r.id, r.from_id, r.to_id, r.created_at,
      a.username as from_name, a.display_name as from_display_name, a.avatar_url as from_avatar_url,
      b.username as to_name, b.display_name as to_display_name, b.avatar_url as to_avatar_url
    from (${requests}) as r join users a on a.id = r.from_id join users b on b.id = r.to_id
    order by r.id desc`.execute(db);
  return rows;
}

/** A request from or to the caller. Throws `not_found`, also for other accounts' requests. */
export async function findRequest(db: Db, id: number, { userId }: Caller): Promise<FoundRequest> {
  const [request] = await withProfiles(
    db,
    sql`select * from friend_requests where id = ${id} and (from_id = ${userId} or to_id = ${userId})`,
  );
  if (!request) throw notFound("friend request");
  return request;
}

export function requestsBetween(db: Db, userId: number, other: number): Promise<FoundRequest[]> {
  return withProfiles(
    db,
    sql`select * from friend_requests where from_id = ${userId} and to_id = ${other}
      union all select * from friend_requests where from_id = ${other} and to_id = ${userId}`,
  );
}

/** An account's incoming and outgoing requests, the latest of each, newest first. */
export function listRequests(db: Db, userId: number): Promise<FoundRequest[]> {
  const latest = (column: string) => sql`select * from (
    select * from friend_requests where ${sql.ref(column)} = ${userId} order by id desc limit ${limits.longList}
  ) as ${sql.ref(`by_${column}`)}`;
  return withProfiles(db, sql`${latest("from_id")} union all ${latest("to_id")}`);
}

export async function addRequest(tx: Db, from: number, to: number, now: number): Promise<number> {
  const { id } = await tx
    .insertInto("friend_requests")
    .values({ from_id: from, to_id: to, created_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Turns a request into a friendship. */
export async function makeFriends(tx: Db, { id, from_id, to_id }: FoundRequest, now: number): Promise<void> {
  await tx.deleteFrom("friend_requests").where("id", "=", id).execute();
  await addFriendship(tx, from_id, to_id, now);
}

export async function addFriendship(tx: Db, userId: number, otherId: number, since: number): Promise<void> {
  await tx
    .insertInto("friendships")
    .values([
      { user_id: userId, friend_id: otherId, since },
      { user_id: otherId, friend_id: userId, since },
    ])
    .execute();
}

/** Whether an account has more rows of a kind than `most`. */
export async function hasMore(
  tx: Db,
  table: "friend_requests" | "friendships",
  column: string,
  userId: number,
  most: number,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${userId} limit 1 offset ${most}`.execute(
    tx,
  );
  return rows.length > 0;
}

export async function storeDecline(tx: Db, { from_id, to_id }: FoundRequest, ends_at: number): Promise<void> {
  await tx
    .insertInto("friend_declines")
    .values({ from_id, to_id, ends_at })
    .onConflict((conflict) => conflict.columns(["from_id", "to_id"]).doUpdateSet({ ends_at }))
    .execute();
}

/** Until when `from` may not ask `to` again, in milliseconds since 1970; 0 if nothing was declined. */
export async function declinedUntil(db: Db, from: number, to: number): Promise<number> {
  const row = await db
    .selectFrom("friend_declines")
    .select("ends_at")
    .where("from_id", "=", from)
    .where("to_id", "=", to)
    .executeTakeFirst();
  return row?.ends_at ?? 0;
}

export async function deleteDecline(tx: Db, from: number, to: number): Promise<void> {
  await tx.deleteFrom("friend_declines").where("from_id", "=", from).where("to_id", "=", to).execute();
}
