import type { NotificationType } from "@tandem/contract/notifications";
import { type RawBuilder, sql } from "kysely";
import { userChannel } from "../../events/channels.ts";
import { emitNotification } from "../../events/emit-notification.ts";
import type { Call } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";

export interface Happening {
  type: NotificationType;
  /** The one concerned; null where it is no account of ours. */
  to: number | null;
  postId: number | null;
  commentId: number | null;
  draftId?: number;
  /** Whether it is told to whoever did it as well. */
  evenOneself?: boolean;
}

/** Tells the one concerned what these callers did, and never of oneself (decisions: small print). */
export async function notify(
  tx: Db,
  { to, evenOneself, ...what }: Happening,
  calls: readonly Call[],
): Promise<void> {
  const others = calls.filter(({ caller }) => evenOneself || caller.userId !== to);
  if (to === null || others.length === 0) return;
  const doers = others.map(({ caller: { userId: id, isAgent, byAi }, now: at }) => ({
    id,
    isAgent,
    byAi: byAi && !evenOneself,
    at,
  }));
  await emitNotification(tx, { to, ...what, doers });
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
  await emitNotification(tx, {
    type: "key_revoked",
    to: key.owner_id,
    postId: null,
    commentId: null,
    keyHint: key.hint,
    doers: [{ id: key.user_id, isAgent: key.user_id !== key.owner_id, byAi: false, at: now }],
  });
}

/** Tells these accounts of what was decided about the first of them; who decided it, the notice doesn't tell. */
export async function tellOfDecision(
  tx: Db,
  { id, concerned, to }: { id: number; concerned: number; to: readonly number[] },
  now: number,
): Promise<void> {
  for (const reader of to.toSorted((a, b) => a - b))
    await emitNotification(tx, {
      type: "moderation",
      to: reader,
      postId: null,
      commentId: null,
      decisionId: id,
      doers: [{ id: concerned, isAgent: reader !== concerned, byAi: false, at: now }],
    });
}

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
  const readers = await sql<{ id: number }>`
    update users set unread = unread - lost.notices
    from (
      select n.user_id, count(*) as notices from notifications n join users u on u.id = n.user_id
      where n.id > u.read_upto and n.id in (select id from notifications where ${which})
      group by n.user_id
    ) as lost
    where users.id = lost.user_id
    returning users.id
  `.execute(tx);
  for (const { id } of readers.rows) tx.channels.add(userChannel(id));
  await sql`delete from notifications where ${which}`.execute(tx);
}

/** Whoever marks notifications as read meanwhile waits, or is waited for: each would miscount the other's. */
async function lockReaders(tx: Db, which: RawBuilder<unknown>): Promise<void> {
  if (!tx.engine.rowLocks) return;
  const readers = sql`select user_id from notifications where ${which}`;
  await sql`select id from users where id in (${readers}) order by id for no key update`.execute(tx);
}
