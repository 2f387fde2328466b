import { limits } from "@tandem/contract/limits";
import type { Notification } from "@tandem/contract/notifications";
import { sql } from "kysely";
import { asNotification, selectNotices } from "../../events/notices.ts";
import { blind } from "../../storage/planner-hints.ts";
import { prepared } from "../../storage/prepared.ts";
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

/** Rows of one account that are read at a time. */
export const PAGE = 100;

const newestOf = prepared<{ readers: string }, { user_id: number; newest: number | null }>(
  (db, { readers }) => {
    const listed = db.engine.rows(readers, { user_id: "integer", after: "integer" });
    return sql<{ user_id: number; newest: number | null }>`
    select user_id, (select max(id) from notifications n where n.user_id = reader.user_id) as newest
    from (${listed}) as reader`.compile(db);
  },
);

const untoldOf = prepared((db, { user_id, after }: Reader) =>
  selectNotices(db)
    .where("n.user_id", "=", user_id)
    .where("n.id", ">", after)
    .orderBy("n.id")
    .limit(PAGE)
    .compile(),
);

export type Untold = Awaited<ReturnType<typeof untoldOf>>[number];

/**
 * What these accounts weren't told yet, oldest first, by account. Most have nothing new, which one statement tells; of
 * the others each is asked for by itself, for no planner knows how little is behind an id.
 */
export async function untold(db: Db, readers: readonly Reader[]): Promise<Map<number, Untold[]>> {
  const rows = await newestOf(db, { readers: JSON.stringify(readers) });
  const newest = new Map(rows.map((row) => [row.user_id, row.newest ?? 0]));
  const behind = readers.filter(({ user_id, after }) => (newest.get(user_id) ?? 0) > after);
  return new Map(
    await Promise.all(
      behind.map(async (reader): Promise<[number, Untold[]]> => [reader.user_id, await untoldOf(db, reader)]),
    ),
  );
}

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
    .where("user_id", "=", blind(userId))
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
