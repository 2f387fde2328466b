import type { Follow } from "@tandem/seed/follows";
import type { Conversation, Relationships } from "@tandem/seed/relationships";
import {
  addMessage,
  beginConversation,
  markRead,
  type Side,
} from "../../features/messages/messages.queries.ts";
import { addBlock } from "../../features/people/blocks.ts";
import { addFollow } from "../../features/people/follows.ts";
import { addFriendship } from "../../features/people/requests.queries.ts";
import { notifyAccepted, sendRequest } from "../../features/people/requests.ts";
import type { Db } from "../../storage/storage.ts";
import { callBy } from "./calls.ts";

export async function writeFollows(tx: Db, follows: readonly Follow[]): Promise<void> {
  for (const { account, creatorId } of follows) await addFollow(tx, account.id, creatorId);
}

/** Friendships, friend requests, blocks and conversations. */
export async function writeRelationships(tx: Db, relationships: Relationships): Promise<void> {
  for (const { type, from, to, at, isNew } of relationships.friendEvents) {
    if (type === "request") await sendRequest(tx, callBy(from, at), to.id);
    else await addFriendship(tx, from.id, to.id, at);
    if (type === "friendship" && isNew) await notifyAccepted(tx, callBy(to, at), from.id);
  }
  for (const { by, other, at } of relationships.blocks) await addBlock(tx, by.id, other.id, at);
  await writeConversations(tx, relationships.conversations);
}

/** Adds all messages in chronological order, because conversations are listed by the id of their last message. */
async function writeConversations(tx: Db, conversations: readonly Conversation[]): Promise<void> {
  const messages = conversations.flatMap((conversation) =>
    conversation.messages.map((message, i) => ({ ...message, conversation, side: i % 2 })),
  );
  messages.sort((a, b) => a.at - b.at);
  const begun = new Map<Conversation, Side>();
  for (const { conversation, body, at, side } of messages) {
    const { from, to } = conversation;
    const known = begun.get(conversation) ?? (await beginConversation(tx, from.id, to.id, at));
    begun.set(conversation, known);
    const { conversation_id } = known;
    const is_ai = side === 1 && to.isAgent ? 1 : 0;
    await markRead(tx, { ...known, side });
    await addMessage(tx, { conversation_id, side, body, is_ai, created_at: at });
  }
  for (const [{ hasUnread, messages }, begin] of begun)
    if (!hasUnread) await markRead(tx, { ...begin, side: messages.length % 2 });
}
