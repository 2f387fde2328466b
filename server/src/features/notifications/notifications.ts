import { limits } from "@tandem/contract/limits";
import { type NotificationType, notificationTypes } from "@tandem/contract/notifications";
import { MAX_ID } from "@tandem/contract/schema";
import { type RawBuilder, sql } from "kysely";
import { userChannel } from "../../events/channels.ts";
import { asNotification, selectNotifications } from "../../events/notifications.ts";
import { changedNothing } from "../../http/activity.ts";
import { notFound } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import { hideFromPlanner } from "../../storage/planner-hints.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { excerptsOf } from "./excerpts.ts";

export const notifications = {
  listNotifications: async (ctx, { unread: onlyUnread, type, limit = limits.notifications, cursor }) => {
    const { read } = ctx;
    const { userId } = ctx.caller;
    const { unread, read_upto } = await inbox(read, userId);
    const range = { after: onlyUnread ? read_upto : 0, before: cursor ?? MAX_ID, limit: limit + 1 };
    const types = notificationTypes.filter((name) => type?.split(",").includes(name));
    const rows = await latestOf(read, userId, range, {
      types,
      onlyUnread: onlyUnread !== undefined,
    }).execute();
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    const excerpts = await excerptsOf(read, userId, page, ctx.now);
    const notifications = page.map((row) => asNotification(row, read_upto, excerpts.get(row.id)));
    return { notifications, unread, nextCursor };
  },
  countNotifications: async (ctx) => ({ unread: (await inbox(ctx.read, ctx.caller.userId)).unread }),
  markNotificationsRead: (ctx, which) => ctx.write((tx) => markRead(tx, ctx.caller.userId, which)),
} satisfies Handlers<"listNotifications" | "countNotifications" | "markNotificationsRead">;

async function inbox(db: Db, userId: number): Promise<Inbox> {
  const [row] = await inboxOf(db, { userId });
  if (!row) throw notFound("account");
  return row;
}

interface Inbox {
  unread: number;
  read_upto: number;
}

const inboxOf = prepared<{ userId: number }, Inbox>((db, { userId }) =>
  db.selectFrom("users").select(["unread", "read_upto"]).where("id", "=", userId).compile(),
);

interface Range {
  after: number;
  before: number;
  limit: number;
}

interface Filter {
  /** Of all types if empty. */
  types?: readonly NotificationType[];
  /** Without those that were opened; `after` excludes the others that were read. */
  onlyUnread?: boolean;
}

/** An account's notifications between two ids, newest first. */
export function latestOf(db: Db, userId: number, range: Range, { types = [], onlyUnread }: Filter = {}) {
  const isFiltered = types.length > 0 || onlyUnread;
  const ids = isFiltered
    ? mergedIds(userId, range, types.length > 0 ? types : notificationTypes, onlyUnread ? [0] : [0, 1])
    : latestIds(userId, range, sql``);
  // Selects the ids first, so that actors are joined for these alone.
  return selectNotifications(db).where("n.id", "in", ids).orderBy("n.id", "desc");
}

function latestIds(userId: number, { after, before, limit }: Range, condition: RawBuilder<unknown>) {
  return sql<number>`(select id from notifications
    where user_id = ${hideFromPlanner(userId)} ${condition} and id > ${after} and id < ${before}
    order by id desc limit ${limit})`;
}

/** Merges the latest of each type and state, so that each is a range of the index. */
function mergedIds(
  userId: number,
  range: Range,
  types: readonly NotificationType[],
  states: readonly (0 | 1)[],
) {
  const branches = types.flatMap((type) =>
    states.map((opened) => {
      const condition = sql`and type = ${type} and opened = ${sql.lit(opened)}`;
      return sql`select id from ${latestIds(userId, range, condition)} as branch`;
    }),
  );
  return sql<number>`(select id from (${sql.join(branches, sql` union all `)}) as merged
    order by id desc limit ${range.limit})`;
}

interface Marking {
  ids?: readonly number[] | undefined;
  upTo?: number | undefined;
}

/** Marks notifications as read: these, those up to an id, or all if neither is given. Returns how many are unread then. */
async function markRead(tx: Db, userId: number, { ids, upTo }: Marking): Promise<{ unread: number }> {
  // Waits for concurrent inserts. Otherwise a new notification would not be counted as unread, but be above the marker.
  await lockAccount(tx, userId);
  const before = await inbox(tx, userId);
  if (ids) await open(tx, userId, ids, before);
  if (!ids || upTo !== undefined) await moveMarker(tx, userId, upTo ?? MAX_ID, before);
  tx.channels.add(userChannel(userId));
  const { unread, read_upto } = await inbox(tx, userId);
  const response = { unread };
  return unread === before.unread && read_upto === before.read_upto ? changedNothing(response) : response;
}

/** Marks single notifications. Ids of others, and of those that were undone meanwhile, do nothing. */
async function open(
  tx: Db,
  userId: number,
  ids: readonly number[],
  { unread, read_upto }: Inbox,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("notifications")
    .set({ opened: 1 })
    .where(sql<boolean>`id in (${tx.engine.oneOf(ids)})`)
    .where("id", ">", read_upto)
    .where("user_id", "=", userId)
    .where("opened", "=", 0)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const left = unread - Number(numUpdatedRows);
  await tx.updateTable("users").set({ unread: left }).where("id", "=", userId).execute();
}

/**
 * Marks the notifications up to this id as read by moving one marker, however many there are. The marker never moves back,
 * nor beyond the newest notification.
 */
async function moveMarker(tx: Db, userId: number, upTo: number, { read_upto }: Inbox): Promise<void> {
  const own = tx.selectFrom("notifications").where("user_id", "=", hideFromPlanner(userId));
  const { latest } = await own
    .where("id", "<=", upTo)
    .select((eb) => eb.fn.max("id").as("latest"))
    .executeTakeFirstOrThrow();
  const marker = Math.max(read_upto, latest ?? 0);
  const { unread } = await own
    .where("id", ">", marker)
    .where("opened", "=", 0)
    .select((eb) => eb.fn.countAll<number>().as("unread"))
    .executeTakeFirstOrThrow();
  await tx.updateTable("users").set({ unread, read_upto: marker }).where("id", "=", userId).execute();
}
