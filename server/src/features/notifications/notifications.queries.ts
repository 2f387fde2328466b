import type { NotificationType } from "@tandem/contract/notifications";
import { type RawBuilder, sql } from "kysely";
import { userChannel } from "../../events/channels.ts";
import { emitNotification } from "../../events/emit-notification.ts";
import type { Call } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";

export interface NotifiableEvent {
  type: NotificationType;
  /** The recipient; null if the author has no account here. */
  to: number | null;
  postId: number | null;
  commentId: number | null;
  draftId?: number;
  communityId?: number;
  /** Whether the actor is notified too, if they are the recipient. */
  includeSelf?: boolean;
}

/** Notifies the recipient of what these callers did. Callers aren't notified of their own actions, unless `includeSelf`. */
export async function notify(
  tx: Db,
  { to, includeSelf, ...what }: NotifiableEvent,
  calls: readonly Call[],
): Promise<void> {
  const others = calls.filter(({ caller }) => includeSelf || caller.userId !== to);
  if (to === null || others.length === 0) return;
  const actors = others.map(({ caller: { userId: id, isAgent, byAi }, now: at }) => ({
    id,
    isAgent,
    byAi,
    at,
  }));
  await emitNotification(tx, { to, ...what, despiteAi: includeSelf === true, actors });
}

interface RevokedKey {
  owner_id: number;
  /** The account that it acted as. */
  user_id: number;
  hint: string;
}

/**
 * Notifies a key's owner that the key was found in content and revoked. The notification doesn't say who sent that content:
 * its actor is the account that the key acted as, even if that is the owner.
 */
export async function notifyKeyRevoked(tx: Db, key: RevokedKey, now: number): Promise<void> {
  await emitNotification(tx, {
    type: "key_revoked",
    to: key.owner_id,
    postId: null,
    commentId: null,
    keyHint: key.hint,
    actors: [{ id: key.user_id, isAgent: key.user_id !== key.owner_id, byAi: false, at: now }],
  });
}

/** Notifies accounts of a moderation decision about one of them. That one is the actor, so that the moderator isn't named. */
export async function notifyDecision(
  tx: Db,
  { id, concerned, to }: { id: number; concerned: number; to: readonly number[] },
  now: number,
): Promise<void> {
  // In ascending id order, to avoid deadlocks.
  for (const recipient of to.toSorted((a, b) => a - b))
    await emitNotification(tx, {
      type: "moderation",
      to: recipient,
      postId: null,
      commentId: null,
      decisionId: id,
      actors: [{ id: concerned, isAgent: recipient !== concerned, byAi: false, at: now }],
    });
}

interface CommunityNotification {
  type: "community_owner" | "community_reports";
  communityId: number;
  to: readonly number[];
}

/** Notifies people of a community that they run. Each is the actor of their own notification, so that no one else is named. */
export async function notifyOfCommunity(
  tx: Db,
  { type, communityId, to }: CommunityNotification,
  now: number,
): Promise<void> {
  // In ascending id order, to avoid deadlocks.
  for (const recipient of to.toSorted((a, b) => a - b))
    await emitNotification(tx, {
      ...{ type, to: recipient, postId: null, commentId: null, communityId },
      actors: [{ id: recipient, isAgent: false, byAi: false, at: now }],
    });
}

/** Deletes the notifications of what these callers have undone. */
export async function retract(
  tx: Db,
  { type, to, postId, commentId }: NotifiableEvent,
  calls: readonly Call[],
): Promise<void> {
  const actors = calls.map(({ caller }) => caller.userId).filter((id) => id !== to);
  if (to === null || actors.length === 0) return;
  const conditions = [
    sql`actor_id in (${tx.engine.oneOf(actors)})`,
    sql`user_id = ${to}`,
    sql`type = ${type}`,
    columnIs("post_id", postId),
    columnIs("comment_id", commentId),
  ];
  await dropNotifications(tx, sql.join(conditions, sql` and `));
}

/** Deletes an account's notifications of its role or approval in a community, and of reports there, which it no longer sees. */
export async function retractOfCommunity(
  tx: Db,
  { to, communityId }: { to: number; communityId: number },
): Promise<void> {
  const types = sql.join(standingTypes.map((type) => sql.lit(type)));
  await dropNotifications(tx, sql`user_id = ${to} and type in (${types}) and community_id = ${communityId}`);
}

const standingTypes: readonly NotificationType[] = [
  "community_owner",
  "community_moderator",
  "community_approval",
  "community_reports",
];

function columnIs(column: string, id: number | null): RawBuilder<unknown> {
  return id === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${id}`;
}

/** Marks the notifications that asked someone to approve drafts as read, once those no longer wait for them. */
export async function markDecided(
  tx: Db,
  { to, draftIds }: { to: number; draftIds: readonly number[] },
): Promise<void> {
  const which = sql`user_id = ${to} and type = 'approval_wanted' and opened = 0 and draft_id in (${tx.engine.oneOf(draftIds)})`;
  await subtractUnread(tx, which);
  await sql`update notifications set opened = 1 where ${which}`.execute(tx);
}

/** Deletes notifications, and subtracts those that were unread from their readers' counts. */
export async function dropNotifications(tx: Db, which: RawBuilder<unknown>): Promise<void> {
  await subtractUnread(tx, which);
  await sql`delete from notifications where ${which}`.execute(tx);
}

/** Subtracts those of these notifications that are unread from their readers' counts. */
async function subtractUnread(tx: Db, which: RawBuilder<unknown>): Promise<void> {
  await lockReaders(tx, which);
  const readers = await sql<{ id: number }>`
    update users set unread = unread - seen.total
    from (
      select n.user_id, count(*) as total from notifications n join users u on u.id = n.user_id
      where n.id > u.read_upto and n.opened = 0 and n.id in (select id from notifications where ${which})
      group by n.user_id
    ) as seen
    where users.id = seen.user_id
    returning users.id
  `.execute(tx);
  for (const { id } of readers.rows) tx.channels.add(userChannel(id));
}

/** Prevents readers from marking notifications as read meanwhile: the counts would be wrong. */
async function lockReaders(tx: Db, which: RawBuilder<unknown>): Promise<void> {
  if (!tx.engine.rowLocks) return;
  const readers = sql`select user_id from notifications where ${which}`;
  await sql`select id from users where id in (${readers}) order by id for no key update`.execute(tx);
}
