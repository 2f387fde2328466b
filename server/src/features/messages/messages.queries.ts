import type { Message } from "@tandem/contract/people";
import { type Selectable, sql } from "kysely";
import { prepared } from "../../storage/prepared.ts";
import type { ConversationSideRow, MessageRow } from "../../storage/schema/people.ts";
import type { Db } from "../../storage/storage.ts";
import { type OperatorColumns, operatorColumns } from "../creators/operator.ts";

/** One participant's side of a conversation. Side 0 began it. */
export type Side = Pick<ConversationSideRow, "conversation_id" | "side"> & {
  /** 1 if the other side has replied. */
  answered: number;
};

/** Stands for a deleted account. No username can contain brackets, so it can't be taken. */
export function deletedName(conversation: number): string {
  return `[deleted-${conversation}]`;
}

/** The conversation that a {@link deletedName} stands for; null for a username. */
export function conversationOfDeletedName(name: string): number | null {
  const [, id] = /^\[deleted-(\d+)\]$/.exec(name) ?? [];
  return id === undefined ? null : Number(id);
}

/** The account's side of its conversation with another account, if they have one. */
export async function sideWith(db: Db, userId: number, otherId: number): Promise<Side | undefined> {
  return (await withOther(db, { userId, otherId }))[0];
}

const sides = sql`select s.conversation_id, s.side, c.answered
  from conversation_sides s join conversations c on c.id = s.conversation_id`;

const withOther = prepared<{ userId: number; otherId: number }, Side>((db, { userId, otherId }) =>
  sql<Side>`${sides} where s.user_id = ${userId} and s.other_id = ${otherId}`.compile(db),
);

/** The account's side of a conversation with a deleted account. */
export async function sideWithDeleted(
  db: Db,
  userId: number,
  conversation: number,
): Promise<Side | undefined> {
  const { rows } = await sql<Side>`${sides}
    where s.conversation_id = ${conversation} and s.user_id = ${userId} and s.other_id is null`.execute(db);
  return rows[0];
}

export type FoundMessage = Selectable<MessageRow>;

export interface ListedSide extends FoundMessage, OperatorColumns {
  /** The reader's side, 0 or 1. */
  own: number;
  unread: number;
  username: string | null;
  display_name: string | null;
  avatar_url: string | null;
  role: string | null;
}

/** An account's conversations with the other participant and the last message, most recent first. */
export const listSides = prepared<{ userId: number; below: number; take: number }, ListedSide>(
  (db, { userId, below, take }) =>
    sql<ListedSide>`
      select m.id, m.conversation_id, m.side, m.body, m.is_ai, m.created_at, s.side as own, s.unread,
        u.username, u.display_name, u.avatar_url, u.role, ${sql.join(operatorColumns)}
      from conversation_sides s join messages m on m.id = s.last_id left join users u on u.id = s.other_id
        left join users o on o.id = u.operator_id
      where s.user_id = ${userId} and s.last_id < ${below} order by s.last_id desc limit ${take}`.compile(db),
);

/** An account's unread messages, and the id of its last message over all conversations, or 0. */
export interface Mailbox {
  unread: number;
  last_id: number;
}

/** The mailboxes of these accounts, by account id. */
export async function mailboxes(db: Db, accounts: readonly number[]): Promise<Map<number, Mailbox>> {
  if (accounts.length === 0) return new Map();
  const rows = await mailboxesOf(db, { accounts: JSON.stringify(accounts.map((user_id) => ({ user_id }))) });
  return new Map(rows.map(({ user_id, ...mailbox }) => [user_id, mailbox]));
}

const mailboxesOf = prepared<{ accounts: string }, Mailbox & { user_id: number }>((db, { accounts }) => {
  const own = sql`from conversation_sides s where s.user_id = account.user_id`;
  return sql<Mailbox & { user_id: number }>`
    select user_id,
      coalesce((select max(s.last_id) ${own}), 0) as last_id,
      coalesce((select sum(s.unread) ${own} and s.unread > 0), 0) as unread
    from (${db.engine.jsonRows(accounts, { user_id: "integer" })}) as account`.compile(db);
});

/** The messages after this id in ascending order, each once for its sender and once for its recipient. */
export async function messagesSince(db: Db, id: number, most: number) {
  // A lookup by key for each. With a join, a planner that expects many rows would read all conversations.
  const participant = (side: number) =>
    sql`(select user_id from conversation_sides s where s.conversation_id = m.conversation_id and s.side = ${side})`;
  const { rows } = await sql<{ id: number; first: number | null; second: number | null }>`
    select m.id, ${participant(0)} as first, ${participant(1)} as second
    from messages m where m.id > ${id} order by m.id limit ${most}`.execute(db);
  return rows.flatMap(({ id, first, second }) =>
    [first, second].flatMap((user_id) => (user_id === null ? [] : { id, user_id })),
  );
}

export async function newestMessage(db: Db): Promise<number> {
  const row = await db
    .selectFrom("messages")
    .select((eb) => eb.fn.max("id").as("id"))
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** Messages of a conversation, newest first. */
export const listMessages = prepared<{ id: number; below: number; take: number }, FoundMessage>(
  (db, { id, below, take }) =>
    sql<FoundMessage>`
      select id, conversation_id, side, body, is_ai, created_at from messages
      where conversation_id = ${id} and id < ${below} order by id desc limit ${take}`.compile(db),
);

/** A message as seen by the given side. */
export function asMessage(row: FoundMessage, own: number, names: { own: string; other: string }): Message {
  return {
    id: row.id,
    from: row.side === own ? names.own : names.other,
    body: row.body,
    isAiGenerated: row.is_ai === 1,
    createdAt: new Date(row.created_at).toISOString(),
  };
}

/** Begins a conversation, and returns the sender's side. */
export async function beginConversation(tx: Db, from: number, to: number, now: number): Promise<Side> {
  const { id: conversation_id } = await tx
    .insertInto("conversations")
    .values({ created_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("conversation_sides")
    .values([
      { conversation_id, side: 0, user_id: from, other_id: to, last_id: 0 },
      { conversation_id, side: 1, user_id: to, other_id: from, last_id: 0 },
    ])
    .execute();
  return { conversation_id, side: 0, answered: 0 };
}

type NewMessage = Omit<FoundMessage, "id">;

/** Adds a message to its conversation, and to the other side's unread count. */
export async function addMessage(tx: Db, message: NewMessage): Promise<FoundMessage> {
  const [added] = await insertMessage(tx, message);
  if (!added) throw new Error("a message was not added");
  const { conversation_id, side } = message;
  await countMessage(tx, { id: added.id, conversation_id, side });
  if (side === 1) await markAnswered(tx, { conversation_id });
  return { ...message, id: added.id };
}

const insertMessage = prepared<NewMessage, { id: number }>(
  (db, { conversation_id, side, body, is_ai, created_at }) =>
    db
      .insertInto("messages")
      .values({ conversation_id, side, body, is_ai, created_at })
      .returning("id")
      .compile(),
);

const countMessage = prepared<{ id: number; conversation_id: number; side: number }, never>(
  (db, { id, conversation_id, side }) =>
    sql<never>`update conversation_sides
      set last_id = ${id}, unread = unread + case side when ${side} then 0 else 1 end
      where conversation_id = ${conversation_id}`.compile(db),
);

const markAnswered = prepared<{ conversation_id: number }, never>((db, { conversation_id }) =>
  db.updateTable("conversations").set({ answered: 1 }).where("id", "=", conversation_id).compile(),
);

/** The account has read everything in its side of the conversation. */
export async function markRead(
  tx: Db,
  { conversation_id, side }: Pick<Side, "conversation_id" | "side">,
): Promise<void> {
  await clearUnread(tx, { conversation_id, side });
}

const clearUnread = prepared<{ conversation_id: number; side: number }, never>(
  (db, { conversation_id, side }) =>
    db
      .updateTable("conversation_sides")
      .set({ unread: 0 })
      .where("conversation_id", "=", conversation_id)
      .where("side", "=", side)
      .compile(),
);

/**
 * Removes the conversations that will have no participant once this account is deleted. Its sides of other conversations are
 * deleted with its row.
 */
export async function dropConversationsOf(tx: Db, userId: number): Promise<void> {
  // If both participants are deleted concurrently, the second one waits here and then sees that it is the last.
  if (tx.engine.rowLocks)
    await sql`select side from conversation_sides where user_id = ${userId} or other_id = ${userId}
      order by conversation_id, side for update`.execute(tx);
  await sql`delete from conversations where id in (
    select conversation_id from conversation_sides where user_id = ${userId} and other_id is null)`.execute(
    tx,
  );
}
