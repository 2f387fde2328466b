import type { Insertable } from "kysely";
import { prepared } from "../../storage/prepared.ts";
import type { PostRow } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";
import type { Account, Click, Notice, Post } from "./plan.ts";

interface Totals {
  creatorId: number;
  posts: number;
  views: number;
  likes: number;
  comments: number;
  clicks: number;
}

type Counts = Required<
  Pick<Insertable<PostRow>, "creator_id" | "view_count" | "like_count" | "comment_count">
>;

/** Adds new posts, and the clicks on what they show, to their creators' totals. */
export async function addTotals(tx: Db, rows: readonly Counts[], posts: Post[]): Promise<void> {
  const found = new Map<number, Totals>();
  for (const row of rows) {
    const totals = totalsOf(found, row.creator_id);
    totals.posts += 1;
    totals.views += row.view_count;
    totals.likes += row.like_count;
    totals.comments += row.comment_count;
  }
  addClicks(
    found,
    posts.flatMap((post) => post.clicks),
  );
  for (const totals of found.values()) await raise(tx, totals);
}

/** Clicks that came from no post count for their products' owners alone. */
export async function addStrayClicks(tx: Db, clicks: Click[]): Promise<void> {
  const found = new Map<number, Totals>();
  addClicks(found, clicks);
  for (const totals of found.values()) await raise(tx, totals);
}

function addClicks(found: Map<number, Totals>, clicks: Click[]): void {
  for (const { product, clicks: count } of clicks) totalsOf(found, product.owner.creatorId).clicks += count;
}

function totalsOf(found: Map<number, Totals>, creatorId: number): Totals {
  const known = found.get(creatorId);
  if (known) return known;
  const fresh = { creatorId, posts: 0, views: 0, likes: 0, comments: 0, clicks: 0 };
  found.set(creatorId, fresh);
  return fresh;
}

const raise = prepared<Totals, never>((db, { creatorId, posts, views, likes, comments, clicks }) =>
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

interface Inbox {
  userId: number;
  unread: number;
  /** The latest that was read; null where none of these was. */
  readUpto: number | null;
}

/** Brings the unread counts up to date. The notices are in the order of their ids. */
export async function tellReaders(tx: Db, notices: Notice[]): Promise<void> {
  const inboxes = new Map<Account, Inbox>();
  for (const { to, id, at } of notices) {
    const inbox = inboxes.get(to) ?? { userId: to.id, unread: 0, readUpto: null };
    if (at <= to.lastSeen) inbox.readUpto = id;
    else inbox.unread += 1;
    inboxes.set(to, inbox);
  }
  for (const { readUpto, ...inbox } of inboxes.values()) {
    if (readUpto === null) await addUnread(tx, inbox);
    // The mark moves past all that came before, whoever wrote it; what is left are these.
    else await moveMark(tx, { ...inbox, readUpto });
  }
}

const addUnread = prepared<{ userId: number; unread: number }, never>((db, { userId, unread }) =>
  db
    .updateTable("users")
    .set((eb) => ({ unread: eb("unread", "+", unread) }))
    .where("id", "=", userId)
    .compile(),
);

const moveMark = prepared<{ userId: number; unread: number; readUpto: number }, never>(
  (db, { userId, unread, readUpto }) =>
    db.updateTable("users").set({ unread, read_upto: readUpto }).where("id", "=", userId).compile(),
);
