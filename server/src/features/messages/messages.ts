import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { Conversation } from "@tandem/contract/people";
import { userChannel } from "../../events/channels.ts";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { type FoundAccount, findOther } from "../accounts/find-account.ts";
import { countAttempt } from "../accounts/throttle.ts";
import { assertNotBlocked, lockPair } from "../people/block-check.ts";
import { areFriends } from "../people/friends.queries.ts";
import {
  addMessage,
  asMessage,
  begin,
  conversationNamed,
  type ListedSide,
  listMessages,
  listSides,
  mailboxes,
  markRead,
  nameOfGone,
  type Side,
  sideWith,
  sideWithGone,
} from "./messages.queries.ts";

export const messages = {
  listConversations: async (ctx, { limit, cursor }) => {
    const { userId } = ctx.caller;
    const { page, more } = await listSides(ctx.read, userId, { limit, cursor });
    const mailbox = (await mailboxes(ctx.read, [userId])).get(userId);
    const next = more ? (page.at(-1)?.id ?? null) : null;
    return {
      unread: mailbox?.unread ?? 0,
      conversations: page.map((row) => asConversation(row, ctx.caller)),
      nextCursor: ctx.nextPage(next),
    };
  },
  listMessages: async (ctx, { username, limit, cursor }) => {
    const { side, name } = await findConversation(ctx.read, ctx.caller, username);
    if (!side) return { messages: [], nextCursor: null };
    const { page, more } = await listMessages(ctx.read, side.conversation_id, { limit, cursor });
    const names = { mine: ctx.caller.username, theirs: name };
    const next = more ? (page.at(-1)?.id ?? null) : null;
    return {
      messages: page.map((row) => asMessage(row, side.side, names)),
      nextCursor: ctx.nextPage(next),
    };
  },
  sendMessage: (ctx, input) => ctx.write((tx) => send(ctx, tx, input)),
  readMessages: (ctx, { username }) =>
    ctx.write(async (tx) => {
      const { side } = await findConversation(tx, ctx.caller, username);
      if (side) {
        await markRead(tx, side);
        tx.channels.add(userChannel(ctx.caller.userId));
      }
      return { unread: 0 } as const;
    }),
} satisfies Handlers<"listConversations" | "listMessages" | "sendMessage" | "readMessages">;

function asConversation(row: ListedSide, caller: Caller): Conversation {
  const theirs = row.username ?? nameOfGone(row.conversation_id);
  return {
    with: theirs,
    withDisplayName: row.display_name,
    withAvatarUrl: row.avatar_url,
    withIsAgent: row.role === "agent",
    gone: row.username === null,
    lastMessage: asMessage(row, row.own, { mine: caller.username, theirs }),
    unread: row.unread,
  };
}

/** The caller's side of a conversation, if there is one; and what the other is called. Throws `not_found`. */
async function findConversation(db: Db, caller: Caller, username: string) {
  const gone = conversationNamed(username);
  if (gone === null) {
    const other = await findOther(db, caller, username);
    return { side: await sideWith(db, caller.userId, other.id), name: other.username };
  }
  const side = await sideWithGone(db, caller.userId, gone);
  if (!side) throw notFound("conversation");
  return { side, name: username };
}

async function send(ctx: SignedIn, tx: Db, { username, body }: Input<Operations["sendMessage"]>) {
  const { caller, now } = ctx;
  if (conversationNamed(username) !== null) throw notFound("account any more");
  const other = await findOther(tx, caller, username);
  await lockPair(tx, caller.userId, other.id);
  await assertNotBlocked(tx, caller, other.id);
  const known = await sideWith(tx, caller.userId, other.id);
  // Only what a person began is there to be answered (spec: Session-only actions).
  if (!known && caller.isAgent)
    throw new ApiError("agent_forbidden", "An agent answers who wrote to it, and writes to nobody first.");
  await heedStrangers(ctx, tx, known, other);
  const { conversation_id, side } = known ?? (await begin(tx, caller.userId, other.id, now));
  const is_ai = caller.byAi ? 1 : 0;
  const message = await addMessage(tx, { conversation_id, side, body, is_ai, created_at: now });
  for (const id of [caller.userId, other.id]) tx.channels.add(userChannel(id));
  return { message: asMessage(message, side, { mine: caller.username, theirs: other.username }) };
}

/** Who has not answered yet and is no friend may not want to be written to: one account does so only so often. */
async function heedStrangers(
  ctx: SignedIn,
  tx: Db,
  known: Side | undefined,
  other: FoundAccount,
): Promise<void> {
  const { userId } = ctx.caller;
  const heard = known !== undefined && (known.side === 1 || known.answered === 1);
  if (heard || (await areFriends(tx, userId, other.id))) return;
  await countAttempt(ctx, tx, {
    what: "messages to people who have not answered",
    counters: [{ name: "strangerMessagesPerAccount", of: String(userId) }],
  });
}
