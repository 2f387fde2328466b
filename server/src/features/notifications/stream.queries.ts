import { limits } from "@tandem/contract/limits";
import type { Notification } from "@tandem/contract/resources";
import { sql } from "kysely";
import { asNotification, selectNotices } from "../../events/notices.ts";
import type { Db } from "../../storage/storage.ts";

export interface Inbox {
  unread: number;
  read_upto: number;
}

/** How these accounts' notifications stand, by account; those that are gone are left out. */
export async function inboxes(db: Db, accounts: readonly number[]): Promise<Map<number, Inbox>> {
  const rows = await db
    .selectFrom("users")
    .select(["id", "unread", "read_upto"])
    .where(sql<boolean>`id in (${db.engine.oneOf(accounts)})`)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** An account, and the id up to which it was told all. */
export interface Reader {
  user_id: number;
  after: number;
}

/** What these accounts weren't told yet, oldest first, so many at most. */
export function untold(db: Db, readers: readonly Reader[], most: number) {
  const listed = db.engine.rows(JSON.stringify(readers), { user_id: "integer", after: "integer" });
  return selectNotices(db)
    .innerJoin(sql<Reader>`(${listed})`.as("reader"), (join) =>
      join.onRef("n.user_id", "=", "reader.user_id").onRef("n.id", ">", "reader.after"),
    )
    .select("n.user_id")
    .orderBy("n.id")
    .limit(most);
}

export type Untold = Awaited<ReturnType<ReturnType<typeof untold>["execute"]>>[number];

export function noticeJson(row: Untold, inbox: Inbox): string {
  return JSON.stringify(asNotification(row, inbox.read_upto) satisfies Notification);
}

/**
 * Where a stream begins: with what comes, or behind the event that its reader had last. Ids beyond the newest were never
 * told, and of more than can be caught up with the latest are.
 */
export async function beginningOf(db: Db, userId: number, lastEventId: number | null): Promise<number> {
  const newest = await nthNewest(db, userId, 0);
  if (lastEventId === null || lastEventId >= newest) return newest;
  return Math.max(lastEventId, await nthNewest(db, userId, limits.streamCatchUp));
}

/** Zero where there are no more than that. */
async function nthNewest(db: Db, userId: number, n: number): Promise<number> {
  const row = await db
    .selectFrom("notifications")
    .select("id")
    .where("user_id", "=", userId)
    .orderBy("id", "desc")
    .limit(1)
    .offset(n)
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** Whom something was added for since, in the order of ids. */
export function addedSince(db: Db, id: number, most: number) {
  return db
    .selectFrom("notifications")
    .select(["id", "user_id"])
    .where("id", ">", id)
    .orderBy("id")
    .limit(most)
    .execute();
}

export async function newestOfAll(db: Db): Promise<number> {
  const row = await db
    .selectFrom("notifications")
    .select((eb) => eb.fn.max("id").as("id"))
    .executeTakeFirst();
  return row?.id ?? 0;
}
