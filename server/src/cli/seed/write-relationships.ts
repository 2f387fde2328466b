import type { Follow } from "@tandem/seed/follows";
import type { Conversation, FriendEvent, Relationships } from "@tandem/seed/relationships";
import { addMessage, beginConversation, markRead } from "../../features/messages/messages.queries.ts";
import { addBlock } from "../../features/people/blocks.ts";
import { addFollow } from "../../features/people/follows.ts";
import { insertList, insertMember } from "../../features/people/lists.ts";
import { muteCreator, muteText, noteChange } from "../../features/people/mutes.ts";
import { addFriendship } from "../../features/people/requests.queries.ts";
import { notifyAccepted, sendRequest } from "../../features/people/requests.ts";
import { insertSearch } from "../../features/posts/saved-searches.ts";
import { tagKey, wordsOf } from "../../features/shared/muted-text.ts";
import { countFollowed, insertTagFollow } from "../../features/tags/followed-tags.ts";
import type { Db, Storage } from "../../storage/storage.ts";
import { callBy } from "./calls.ts";

/** SQLite becomes slow if one transaction has many more single-row statements. */
const ITEMS_PER_TRANSACTION = 500;

export function writeFollows(storage: Storage, follows: readonly Follow[]): Promise<void> {
  return writeAll(storage, follows, async (tx, { account, creatorId }) => {
    await addFollow(tx, account.id, creatorId);
  });
}

/** Friendships, friend requests, blocks, mutes, followed hashtags, saved searches, lists and conversations. */
export async function writeRelationships(storage: Storage, relationships: Relationships): Promise<void> {
  const { friendEvents, blocks, mutes, interests, lists, conversations } = relationships;
  await writeAll(storage, friendEvents, writeFriendEvent);
  await writeAll(storage, blocks, async (tx, { by, other, at }) => {
    await addBlock(tx, by.id, other.id, at);
  });
  await writeAll(storage, mutes, async (tx, { by, other, word, tag, at }) => {
    const times = { until_at: null, created_at: at };
    await muteCreator(tx, by.id, other.creatorId, times);
    await muteText(tx, by.id, { type: "word", text: word, folded: wordsOf(word) }, times);
    await muteText(tx, by.id, { type: "tag", text: tag, folded: tagKey(tag) }, times);
    await noteChange(tx, by.id);
  });
  await writeAll(storage, interests, async (tx, { by, tag, at }) => {
    await insertTagFollow(tx, by.id, tag);
    await countFollowed(tx, by.id);
    const query = JSON.stringify({ q: tag, provenance: "human" });
    await insertSearch(tx, { user_id: by.id, name: tag, query, seen_upto: 0, created_at: at });
  });
  await writeAll(storage, lists, async (tx, { by, name, members, at }) => {
    const list_id = await insertList(tx, by.id, name, at);
    for (const { creatorId } of members)
      await insertMember(tx, { list_id, creator_id: creatorId, user_id: by.id });
  });
  await writeConversations(storage, conversations);
}

async function writeFriendEvent(tx: Db, { type, from, to, at, isNew }: FriendEvent): Promise<void> {
  if (type === "request") {
    await sendRequest(tx, callBy(from, at), to.id);
    return;
  }
  await addFriendship(tx, from.id, to.id, at);
  if (isNew) await notifyAccepted(tx, callBy(to, at), from.id);
}

/** Adds all messages in chronological order, because conversations are listed by the id of their last message. */
async function writeConversations(storage: Storage, conversations: readonly Conversation[]): Promise<void> {
  const messages = conversations.flatMap((conversation) =>
    conversation.messages.map((message, i) => ({
      ...message,
      conversation,
      side: i % 2,
      isLast: i === conversation.messages.length - 1,
    })),
  );
  messages.sort((a, b) => a.at - b.at);
  const ids = new Map<Conversation, number>();
  await writeAll(storage, conversations, async (tx, conversation) => {
    const { from, to, messages } = conversation;
    const { conversation_id } = await beginConversation(tx, from.id, to.id, messages[0]?.at ?? 0);
    ids.set(conversation, conversation_id);
  });
  await writeAll(storage, messages, async (tx, { conversation, body, at, side, isLast }) => {
    const conversation_id = ids.get(conversation) ?? 0;
    const is_ai = side === 1 && conversation.to.isAgent ? 1 : 0;
    await markRead(tx, { conversation_id, side });
    await addMessage(tx, { conversation_id, side, body, is_ai, created_at: at });
    if (isLast && !conversation.hasUnread) await markRead(tx, { conversation_id, side: 1 - side });
  });
}

async function writeAll<T>(
  storage: Storage,
  items: readonly T[],
  write: (tx: Db, item: T) => Promise<void>,
): Promise<void> {
  for (let first = 0; first < items.length; first += ITEMS_PER_TRANSACTION)
    await storage.write(async (tx) => {
      for (const item of items.slice(first, first + ITEMS_PER_TRANSACTION)) await write(tx, item);
    });
}
