import type { Account, Clicks, Notification } from "@tandem/seed/model";
import type { Insertable } from "kysely";
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
