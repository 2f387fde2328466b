import { limits } from "@tandem/contract/limits";
import type { Notification } from "@tandem/contract/notifications";
import { sql } from "kysely";
import { asNotification, type Excerpt, selectNotifications } from "../../events/notifications.ts";
import { hideFromPlanner } from "../../storage/planner-hints.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { excerptsOf } from "../notifications/excerpts.ts";

/** An account, and the id up to which it was sent everything. */
export interface Reader {
  user_id: number;
  after: number;
}

/** An account's notifications at one moment. */
export interface Inbox {
  user_id: number;
  unread: number;
  read_upto: number;
  /** Oldest first: those with ids above `after`, at most `PAGE`. */
  unsent: Unsent[];
  /** What they quote, by their ids. */
  excerpts: ReadonlyMap<number, Excerpt>;
}

/** Rows of one account per query. */
export const PAGE = 100;

interface Counts {
  user_id: number;
  unread: number;
  read_upto: number;
  newest: number | null;
}

const countsOf = prepared<{ readers: string }, Counts>((db, { readers }) => {
  const listed = db.engine.jsonRows(readers, { user_id: "integer", after: "integer" });
  return sql<Counts>`
    select user_id, unread, read_upto,
      (select max(id) from notifications n where n.user_id = reader.user_id) as newest
    from (${listed}) as reader join users on users.id = reader.user_id`.compile(db);
});

const unsentOf = prepared((db, { user_id, after, upTo }: Reader & { upTo: number }) =>
  selectNotifications(db)
    .where("n.user_id", "=", user_id)
    .where("n.id", ">", after)
    .where("n.id", "<=", upTo)
    .orderBy("n.id")
    .limit(PAGE)
    .compile(),
);

export type Unsent = Awaited<ReturnType<typeof unsentOf>>[number];

/**
 * The notifications that these accounts weren't sent yet, and their unread counts; deleted accounts are left out. One
 * statement reads the counts and the newest ids, so that a count never includes a notification that `unsent` lacks. Most
 * accounts have nothing new. The others get a query each, because a planner can't know how few rows are above an id.
 */
export async function inboxes(db: Db, readers: readonly Reader[], now: number): Promise<Inbox[]> {
  const sentUpTo = new Map(readers.map(({ user_id, after }) => [user_id, after]));
  const counts = await countsOf(db, { readers: JSON.stringify(readers) });
  return Promise.all(
    counts.map(async ({ newest, ...inbox }) => {
      const after = sentUpTo.get(inbox.user_id) ?? 0;
      const upTo = newest ?? 0;
      const { user_id } = inbox;
      const unsent = upTo > after ? await unsentOf(db, { user_id, after, upTo }) : [];
      return { ...inbox, unsent, excerpts: await excerptsOf(db, user_id, unsent, now) };
    }),
  );
}

export function notificationJson(row: Unsent, inbox: Inbox): string {
  const excerpt = inbox.excerpts.get(row.id);
  return JSON.stringify(asNotification(row, inbox.read_upto, excerpt) satisfies Notification);
}

/**
 * The id after which a stream begins: the newest notification, or the last event that the client received. An id beyond the
 * newest was never sent, so it counts as the newest. If the client missed more than `limits.streamCatchUp` notifications, it
 * gets the latest of them.
 */
export async function startingPoint(db: Db, userId: number, lastEventId: number | null): Promise<number> {
  const newest = await nthNewest(db, userId, 0);
  if (lastEventId === null || lastEventId >= newest) return newest;
  return Math.max(lastEventId, await nthNewest(db, userId, limits.streamCatchUp));
}

/** The id of the nth newest notification, counting from 0; 0 if there are fewer. */
async function nthNewest(db: Db, userId: number, n: number): Promise<number> {
  const row = await db
    .selectFrom("notifications")
    .select("id")
    .where("user_id", "=", hideFromPlanner(userId))
    .orderBy("id", "desc")
    .limit(1)
    .offset(n)
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** The notifications of any account after this id, in ascending order. */
export function notificationsSince(db: Db, id: number, most: number) {
  return db
    .selectFrom("notifications")
    .select(["id", "user_id"])
    .where("id", ">", id)
    .orderBy("id")
    .limit(most)
    .execute();
}

export async function newestNotification(db: Db): Promise<number> {
  const row = await db
    .selectFrom("notifications")
    .select((eb) => eb.fn.max("id").as("id"))
    .executeTakeFirst();
  return row?.id ?? 0;
}
