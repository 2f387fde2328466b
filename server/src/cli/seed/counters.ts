import type { Account, Clicks, Notification } from "@tandem/seed/model";
import { type Insertable, sql } from "kysely";
import { prepared } from "../../storage/prepared.ts";
import type { PostRow } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";

interface Totals {
  creatorId: number;
  posts: number;
  views: number;
  likes: number;
  comments: number;
  clicks: number;
}

type PostTotals = Required<
  Pick<Insertable<PostRow>, "creator_id" | "view_count" | "like_count" | "comment_count">
>;

/** Adds new posts, and clicks on products, to their creators' totals. */
export async function addToCreators(
  tx: Db,
  posts: readonly PostTotals[],
  clicks: readonly Clicks[],
): Promise<void> {
  const changed = new Map<number, Totals>();
  const totalsOf = (creatorId: number) => {
    const totals = changed.get(creatorId) ?? {
      creatorId,
      posts: 0,
      views: 0,
      likes: 0,
      comments: 0,
      clicks: 0,
    };
    changed.set(creatorId, totals);
    return totals;
  };
  for (const post of posts) {
    const totals = totalsOf(post.creator_id);
    totals.posts += 1;
    totals.views += post.view_count;
    totals.likes += post.like_count;
    totals.comments += post.comment_count;
  }
  for (const { product, count } of clicks) totalsOf(product.owner.creatorId).clicks += count;
  for (const totals of changed.values()) await addTotals(tx, totals);
}

const addTotals = prepared<Totals, never>((db, { creatorId, posts, views, likes, comments, clicks }) =>
  db
    .updateTable("creators")
    .set((eb) => ({
      post_count: eb("post_count", "+", posts),
      view_count: eb("view_count", "+", views),
      like_count: eb("like_count", "+", likes),
      comment_count: eb("comment_count", "+", comments),
      click_count: eb("click_count", "+", clicks),
    }))
    .where("id", "=", creatorId)
    .compile(),
);

interface ReadState {
  userId: number;
  unread: number;
  /** The last of the new notifications that was read; null if none was. */
  readUpTo: number | null;
}

/** Updates unread counts and read positions for new notifications, which must be in ascending id order. */
export async function updateReadStates(tx: Db, notifications: readonly Notification[]): Promise<void> {
  const states = new Map<Account, ReadState>();
  for (const { recipient, id, createdAt } of notifications) {
    const state = states.get(recipient) ?? { userId: recipient.id, unread: 0, readUpTo: null };
    if (createdAt <= recipient.lastSeen) state.readUpTo = id;
    else state.unread += 1;
    states.set(recipient, state);
  }
  for (const { readUpTo, ...state } of states.values()) {
    if (readUpTo === null) await addUnread(tx, state);
    // Everything before `readUpTo` is read too, so earlier unread notifications no longer count.
    else await setReadState(tx, { ...state, readUpTo });
  }
}

/**
 * Numbers the notifications again, in the order of their times: those of posts were written before those of
 * friends, drafts and decisions. What was read stays so: everything up to each account's last visit.
 */
export async function sortNotifications(tx: Db, accounts: readonly Account[]): Promise<void> {
  // Negative first: an id must be free before another row takes it.
  await sql`update notifications set id = -id`.execute(tx);
  await sql`update notifications set id = placed.new_id from (
    select by_time.id as old_id, -by_id.id as new_id
    from (select id, row_number() over (order by created_at, id desc) as place from notifications) as by_time
      join (select id, row_number() over (order by id desc) as place from notifications) as by_id
        on by_id.place = by_time.place
  ) as placed where notifications.id = placed.old_id`.execute(tx);
  for (const { id, lastSeen } of accounts) {
    const own = sql`from notifications where user_id = ${id} and created_at`;
    await sql`update users set read_upto = coalesce((select max(id) ${own} <= ${lastSeen}), read_upto),
      unread = (select count(*) ${own} > ${lastSeen}) where id = ${id}`.execute(tx);
  }
}

const addUnread = prepared<{ userId: number; unread: number }, never>((db, { userId, unread }) =>
  db
    .updateTable("users")
    .set((eb) => ({ unread: eb("unread", "+", unread) }))
    .where("id", "=", userId)
    .compile(),
);

const setReadState = prepared<{ userId: number; unread: number; readUpTo: number }, never>(
  (db, { userId, unread, readUpTo }) =>
    db.updateTable("users").set({ unread, read_upto: readUpTo }).where("id", "=", userId).compile(),
);
