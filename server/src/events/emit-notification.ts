import type { NotificationType } from "@tandem/contract/notifications";
import { sql } from "kysely";
import { idRows, idsJson } from "../storage/id-rows.ts";
import { prepared } from "../storage/prepared.ts";
import { preparedRows } from "../storage/prepared-rows.ts";
import type { Db } from "../storage/storage.ts";
import { userChannel } from "./channels.ts";
import { enqueueForWebhooks } from "./outbox.ts";

/** What one or more actors did that concerns an account. */
export interface NotificationEvent {
  type: NotificationType;
  to: number;
  postId: number | null;
  commentId: number | null;
  /** The hint of a revoked key. */
  keyHint?: string | null;
  /** A moderation decision about the account. */
  decisionId?: number | null;
  /** A draft of the account or of an agent it operates. */
  draftId?: number | null;
  /** A community of this service. */
  communityId?: number | null;
  /** Whether the reader gets it even if they hide what AI does: it asks for their decision. */
  despiteAi?: boolean;
  actors: readonly Actor[];
}

export interface Actor {
  id: number;
  isAgent: boolean;
  /** Whether an agent or a key acted. False if the actor didn't act itself. */
  byAi: boolean;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * Emits notifications to an account, its event streams and its webhooks, unless its preferences mute them. Part of this
 * transaction. Locks the account's row.
 */
export async function emitNotification(tx: Db, event: NotificationEvent): Promise<void> {
  const [settings] = await settingsOf(tx, { to: event.to, type: event.type });
  if (!settings) return;
  const heard = await withoutMuted(tx, event, settings);
  const actors = heard.filter(
    ({ isAgent, byAi }) =>
      !(isAgent ? settings.no_agents : settings.no_people) && !(byAi && settings.no_ai && !event.despiteAi),
  );
  if (actors.length === 0) return;
  // Lock the reader's row first, so that notification ids follow commit order.
  await addUnread(tx.later, { to: event.to, count: actors.length });
  const rows = actors.map(({ id, byAi, at }) => ({ actor_id: id, by_ai: byAi ? 1 : 0, created_at: at }));
  const { to, type, postId, commentId, keyHint = null } = event;
  const { decisionId = null, draftId = null, communityId = null } = event;
  const added = await insert(settings.hooked ? tx : tx.later, rows, {
    to,
    type,
    postId,
    commentId,
    keyHint,
    decisionId,
    draftId,
    communityId,
  });
  if (settings.hooked)
    await enqueueForWebhooks(
      tx,
      to,
      added.map(({ id }) => id),
    );
  tx.channels.add(userChannel(to));
  tx.counters.set(type, (tx.counters.get(type) ?? 0) + actors.length);
}

interface NotificationSettings {
  no_people: unknown;
  no_agents: unknown;
  no_ai: unknown;
  hooked: unknown;
  mutes_change_at: number | null;
}

/** Types by which someone addresses the account. Others are about the account itself, or ask for its decision. */
const social: ReadonlySet<NotificationType> = new Set<NotificationType>([
  "friend_request",
  "friend_accept",
  "comment",
  "reply",
  "post_like",
  "comment_like",
  "repost",
  "quote",
  "mention",
  "poll_closed",
]);

/** The actors that the account doesn't mute. */
async function withoutMuted(
  tx: Db,
  { type, to, actors }: NotificationEvent,
  { mutes_change_at }: NotificationSettings,
): Promise<readonly Actor[]> {
  if (mutes_change_at === null || !social.has(type)) return actors;
  const listed = idsJson(actors.map(({ id }) => id));
  const now = Math.min(...actors.map(({ at }) => at));
  const muted = new Set((await mutedAmong(tx, { to, listed, now })).map(({ id }) => id));
  return actors.filter(({ id }) => !muted.has(id));
}

/** The accounts that are muted themselves, or whose operator is. */
const mutedAmong = prepared<{ to: number; listed: string; now: number }, { id: number }>(
  (db, { to, listed, now }) =>
    sql<{ id: number }>`
    select u.id from users u
    where u.id in (select id from (${idRows(db, listed)}) as listed) and exists (
      select 1 from creators c join mutes m on m.creator_id = c.id and m.user_id = ${to}
      where c.user_id in (u.id, u.operator_id) and (m.until_at is null or m.until_at > ${now}))`.compile(db),
);

/** Whether the account mutes this notification, and whether it has webhooks. */
const settingsOf = prepared<{ to: number; type: NotificationType }, NotificationSettings>(
  (db, { to, type }) => {
    const muted = (source: string) =>
      sql`exists (select 1 from notification_mutes where user_id = ${to} and source = ${source} and type = ${type})`;
    return sql<NotificationSettings>`
    select ${muted("people")} as no_people, ${muted("agents")} as no_agents,
      case when ai_notifications = 'hide' then 1 end as no_ai,
      exists (select 1 from webhooks where user_id = ${to} and state = 'working') as hooked, mutes_change_at
    from users where id = ${to}`.compile(db);
  },
);

interface NewNotifications {
  type: NotificationType;
  to: number;
  postId: number | null;
  commentId: number | null;
  keyHint: string | null;
  decisionId: number | null;
  draftId: number | null;
  communityId: number | null;
}

interface ActorRow {
  actor_id: number;
  by_ai: number;
  created_at: number;
}

const actorColumns = { actor_id: "integer", by_ai: "integer", created_at: "integer" } as const;

const insert = preparedRows<ActorRow, NewNotifications, { id: number }>(
  actorColumns,
  (db, actors, { type, to, postId, commentId, keyHint, decisionId, draftId, communityId }) =>
    sql<{ id: number }>`
    insert into notifications (user_id, type, actor_id, post_id, comment_id, key_hint, decision_id, draft_id, community_id, by_ai, created_at)
    select ${to}, ${type}, actor_id, ${postId}, ${commentId}, ${keyHint}, ${decisionId}, ${draftId}, ${communityId}, by_ai, created_at
    from (${actors}) as actors
    returning id
  `.compile(db),
);

const addUnread = prepared<{ to: number; count: number }, never>((db, { to, count }) =>
  db
    .updateTable("users")
    .set((eb) => ({ unread: eb("unread", "+", count) }))
    .where("id", "=", to)
    .compile(),
);
