import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { Conversation } from "@tandem/contract/people";
import { MAX_ID } from "@tandem/contract/schema";
import { userChannel } from "../../events/channels.ts";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import type { Db } from "../../storage/storage.ts";
import { type FoundAccount, findOther } from "../accounts/find-account.ts";
import { countAttempt } from "../accounts/throttle.ts";
import { operatorOf } from "../creators/operator.ts";
import { assertNotBlocked, lockPair } from "../people/block-check.ts";
import { areFriends } from "../people/friends.queries.ts";
import { aiMark } from "../shared/authorship.ts";
import {
  addMessage,
  asMessage,
  beginConversation,
  conversationOfDeletedName,
  deletedName,
  type ListedSide,
  listMessages,
  listSides,
  mailboxes,
  markRead,
  type Side,
  sideWith,
  sideWithDeleted,
} from "./messages.queries.ts";

export const messages = {
  listConversations: async (ctx, { limit = limits.page.default, cursor = MAX_ID }) => {
    const { userId } = ctx.caller;
    const rows = await listSides(ctx.read, { userId, below: cursor, take: limit + 1 });
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    const mailbox = (await mailboxes(ctx.read, [userId])).get(userId);
    return {
      unread: mailbox?.unread ?? 0,
      conversations: page.map((row) => asConversation(row, ctx.caller)),
      nextCursor,
    };
  },
  listMessages: async (ctx, { username, limit = limits.page.default, cursor = MAX_ID }) => {
    const { side, name, operator: withOperator } = await findConversation(ctx.read, ctx.caller, username);
    if (!side) return { withOperator, messages: [], nextCursor: null };
    const range = { id: side.conversation_id, below: cursor, take: limit + 1 };
    const { page, nextCursor } = pageOf(ctx, await listMessages(ctx.read, range), limit);
    const names = { own: ctx.caller.username, other: name };
    return {
      withOperator,
      messages: page.map((row) => asMessage(row, side.side, names)),
      nextCursor,
    };
  },
  sendMessage: (ctx, input) => ctx.write((tx) => send(ctx, tx, input)),
  markConversationRead: (ctx, { username }) =>
    ctx.write(async (tx) => {
      const { side } = await findConversation(tx, ctx.caller, username);
      if (side) {
        await markRead(tx, side);
        tx.channels.add(userChannel(ctx.caller.userId));
      }
      return { unread: 0 } as const;
    }),
} satisfies Handlers<"listConversations" | "listMessages" | "sendMessage" | "markConversationRead">;

function asConversation(row: ListedSide, caller: Caller): Conversation {
  const otherName = row.username ?? deletedName(row.conversation_id);
  return {
    with: otherName,
    withDisplayName: row.display_name,
    withAvatarUrl: row.avatar_url,
    withIsAgent: row.role === "agent",
    withOperator: operatorOf(row),
    gone: row.username === null,
    lastMessage: asMessage(row, row.own, { own: caller.username, other: otherName }),
    unread: row.unread,
  };
}

/** The caller's side of a conversation, if there is one, and the other participant's name and operator. Throws `not_found`. */
async function findConversation(db: Db, caller: Caller, username: string) {
  const conversationId = conversationOfDeletedName(username);
  if (conversationId === null) {
    const other = await findOther(db, caller, username);
    const side = await sideWith(db, caller.userId, other.id);
    return { side, name: other.username, operator: operatorOf(other) };
  }
  const side = await sideWithDeleted(db, caller.userId, conversationId);
  if (!side) throw notFound("conversation");
  return { side, name: username, operator: null };
}

async function send(ctx: SignedIn, tx: Db, { username, body }: Input<Operations["sendMessage"]>) {
  const { caller, now } = ctx;
  if (conversationOfDeletedName(username) !== null)
    throw new ApiError("not_found", "This account no longer exists, so you can't message it.");
  const other = await findOther(tx, caller, username);
  await lockPair(tx, caller.userId, other.id);
  await assertNotBlocked(tx, caller, other.id);
  const existing = await sideWith(tx, caller.userId, other.id);
  // Agents can reply, but not begin a conversation. So only people begin any.
  if (!existing && caller.isAgent)
    throw new ApiError("agent_forbidden", "An agent can reply to messages, but can't start a conversation.");
  await limitUnanswered(ctx, tx, existing, other);
  const { conversation_id, side } = existing ?? (await beginConversation(tx, caller.userId, other.id, now));
  const is_ai = aiMark(caller);
  const message = await addMessage(tx, { conversation_id, side, body, is_ai, created_at: now });
  for (const id of [caller.userId, other.id]) tx.channels.add(userChannel(id));
  return { message: asMessage(message, side, { own: caller.username, other: other.username }) };
}

/** Limits messages to accounts that aren't friends and haven't replied, as they may not want them. Throws `rate_limited`. */
async function limitUnanswered(
  ctx: SignedIn,
  tx: Db,
  existing: Side | undefined,
  other: FoundAccount,
): Promise<void> {
  const { userId } = ctx.caller;
  const hasReplied = existing !== undefined && (existing.side === 1 || existing.answered === 1);
  if (hasReplied || (await areFriends(tx, userId, other.id))) return;
  await countAttempt(ctx, tx, {
    what: "messages to people who haven't replied",
    counters: [{ name: "strangerMessagesPerAccount", of: String(userId) }],
  });
}
