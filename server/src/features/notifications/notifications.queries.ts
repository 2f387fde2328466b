import type { NotificationType } from "@tandem/contract/resources";
import { type RawBuilder, sql } from "kysely";
import type { Call } from "../../http/context.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

export interface Happening {
  type: NotificationType;
  /** The one concerned; null where it is no account of ours. */
  to: number | null;
  postId: number | null;
  commentId: number | null;
}

/** Tells the one concerned what these callers did, and never of oneself (decisions: small print). */
export async function notify(tx: Db, { to, ...what }: Happening, calls: readonly Call[]): Promise<void> {
  const others = calls.filter(({ caller }) => caller.userId !== to);
  if (to === null || others.length === 0) return;
  // The reader's row first: notices then get their ids in the order in which they come to be seen.
  await addUnread(tx, { to, notices: others.length });
  const actors = others.map(({ caller, now }) => ({ actor_id: caller.userId, created_at: now }));
  await insert(tx, { to, ...what, actors: JSON.stringify(actors) });
}

interface RevokedKey {
  owner_id: number;
  /** The account that it spoke for. */
  user_id: number;
  hint: string;
}

/**
 * Tells the owner of a key that it was found where others would have read it. Who sent it there isn't told: the notice
 * is of the account that the key spoke for, also where that is the owner's own.
 */
export async function tellOfRevoked(tx: Db, key: RevokedKey, now: number): Promise<void> {
  const about = { post_id: null, comment_id: null, key_hint: key.hint };
  await addUnread(tx, { to: key.owner_id, notices: 1 });
  await tx
    .insertInto("notifications")
    .values({ user_id: key.owner_id, type: "key_revoked", actor_id: key.user_id, ...about, created_at: now })
    .execute();
}

/** Tells these accounts of what was decided about the first of them; who decided it, the notice doesn't tell. */
export async function tellOfDecision(
  tx: Db,
  { id, concerned, to }: { id: number; concerned: number; to: readonly number[] },
  now: number,
): Promise<void> {
  for (const reader of to.toSorted((a, b) => a - b)) {
    await addUnread(tx, { to: reader, notices: 1 });
    await tx
      .insertInto("notifications")
      .values({
        user_id: reader,
        type: "moderation",
        actor_id: concerned,
        decision_id: id,
        ...nothing,
        created_at: now,
      })
      .execute();
  }
}

const nothing = { post_id: null, comment_id: null, key_hint: null };

/** Takes back the notices of what these callers have undone. */
export async function retract(
  tx: Db,
  { type, to, postId, commentId }: Happening,
  calls: readonly Call[],
): Promise<void> {
  const actors = calls.map(({ caller }) => caller.userId).filter((id) => id !== to);
  if (to === null || actors.length === 0) return;
  const about = [
    sql`user_id = ${to}`,
    sql`type = ${type}`,
    ...[is("post_id", postId), is("comment_id", commentId)],
  ];
  await dropNotifications(
    tx,
    sql`actor_id in (${tx.engine.oneOf(actors)}) and ${sql.join(about, sql` and `)}`,
  );
}

function is(column: string, id: number | null): RawBuilder<unknown> {
  return id === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${id}`;
}

/** Deletes notifications, and takes the unread among them off their readers' counts. */
export async function dropNotifications(tx: Db, which: RawBuilder<unknown>): Promise<void> {
  await lockReaders(tx, which);
  await sql`
    update users set unread = unread - lost.notices
    from (
      select n.user_id, count(*) as notices from notifications n join users u on u.id = n.user_id
      where n.id > u.read_upto and n.id in (select id from notifications where ${which})
      group by n.user_id
    ) as lost
    where users.id = lost.user_id
  `.execute(tx);
  await sql`delete from notifications where ${which}`.execute(tx);
}

/** Whoever marks notifications as read meanwhile waits, or is waited for: each would miscount the other's. */
async function lockReaders(tx: Db, which: RawBuilder<unknown>): Promise<void> {
  if (!tx.engine.rowLocks) return;
  const readers = sql`select user_id from notifications where ${which}`;
  await sql`select id from users where id in (${readers}) order by id for no key update`.execute(tx);
}

interface Notices {
  type: NotificationType;
  to: number;
  postId: number | null;
  commentId: number | null;
  /** JSON: `[{ "actor_id": …, "created_at": … }]`. */
  actors: string;
}

const insert = prepared<Notices, never>((db, { type, to, postId, commentId, actors }) =>
  sql<never>`
    insert into notifications (user_id, type, actor_id, post_id, comment_id, created_at)
    select ${to}, ${type}, actor_id, ${postId}, ${commentId}, created_at
    from (${db.engine.rows(actors, { actor_id: "integer", created_at: "integer" })}) as actors
  `.compile(db),
);

const addUnread = prepared<{ to: number; notices: number }, never>((db, { to, notices }) =>
  db
    .updateTable("users")
    .set((eb) => ({ unread: eb("unread", "+", notices) }))
    .where("id", "=", to)
    .compile(),
);
