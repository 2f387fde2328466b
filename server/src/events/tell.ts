import type { NotificationType } from "@tandem/contract/notifications";
import { sql } from "kysely";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/storage.ts";
import { putOut } from "./outbox.ts";
import { inboxOf } from "./places.ts";

/** What several did to one account, or to what is its own. */
export interface Event {
  type: NotificationType;
  to: number;
  postId: number | null;
  commentId: number | null;
  /** Of a key that was revoked. */
  keyHint?: string | null;
  /** Of something that was decided about it. */
  decisionId?: number | null;
  /** Of a draft of its own, or of whoever it answers for. */
  draftId?: number | null;
  doers: readonly Doer[];
}

export interface Doer {
  id: number;
  isAgent: boolean;
  /** Whether what it did counts as AI's: it is an agent, or came with a key. False where it isn't its own deed. */
  byAi: boolean;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * The one place from which what happened is told: as notifications, unless their reader chose to be spared them, to whoever
 * listens, and to webhooks. All of it is part of this transaction. The account's row is locked from here on.
 */
export async function tell(tx: Db, event: Event): Promise<void> {
  const [wants] = await wantsOf(tx, { to: event.to, type: event.type });
  if (!wants) return;
  const doers = event.doers.filter(
    ({ isAgent, byAi }) => !(isAgent ? wants.no_agents : wants.no_people) && !(byAi && wants.no_ai),
  );
  if (doers.length === 0) return;
  // The reader's row first: notices then get their ids in the order in which they come to be seen.
  await addUnread(tx, { to: event.to, notices: doers.length });
  const actors = JSON.stringify(doers.map(({ id, at }) => ({ actor_id: id, created_at: at })));
  const { to, type, postId, commentId, keyHint = null, decisionId = null, draftId = null } = event;
  const added = await insert(tx, { to, type, postId, commentId, keyHint, decisionId, draftId, actors });
  if (wants.hooked)
    await putOut(
      tx,
      to,
      added.map(({ id }) => id),
    );
  tx.places.add(inboxOf(to));
  tx.told.set(type, (tx.told.get(type) ?? 0) + doers.length);
}

interface Wants {
  no_people: unknown;
  no_agents: unknown;
  no_ai: unknown;
  hooked: unknown;
}

/** Whether the account wants to hear of this, and whether there is somewhere to send it. */
const wantsOf = prepared<{ to: number; type: NotificationType }, Wants>((db, { to, type }) => {
  const muted = (source: string) =>
    sql`exists (select 1 from notification_mutes where user_id = ${to} and source = ${source} and type = ${type})`;
  return sql<Wants>`
    select ${muted("people")} as no_people, ${muted("agents")} as no_agents,
      case when ai_notifications = 'hide' then 1 end as no_ai,
      exists (select 1 from webhooks where user_id = ${to} and state = 'working') as hooked
    from users where id = ${to}`.compile(db);
});

interface Notices {
  type: NotificationType;
  to: number;
  postId: number | null;
  commentId: number | null;
  keyHint: string | null;
  decisionId: number | null;
  draftId: number | null;
  /** JSON: `[{ "actor_id": …, "created_at": … }]`. */
  actors: string;
}

const insert = prepared<Notices, { id: number }>(
  (db, { type, to, postId, commentId, keyHint, decisionId, draftId, actors }) =>
    sql<{ id: number }>`
    insert into notifications (user_id, type, actor_id, post_id, comment_id, key_hint, decision_id, draft_id, created_at)
    select ${to}, ${type}, actor_id, ${postId}, ${commentId}, ${keyHint}, ${decisionId}, ${draftId}, created_at
    from (${db.engine.rows(actors, { actor_id: "integer", created_at: "integer" })}) as actors
    returning id
  `.compile(db),
);

const addUnread = prepared<{ to: number; notices: number }, never>((db, { to, notices }) =>
  db
    .updateTable("users")
    .set((eb) => ({ unread: eb("unread", "+", notices) }))
    .where("id", "=", to)
    .compile(),
);
