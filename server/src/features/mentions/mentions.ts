import { limits } from "@tandem/contract/limits";
import { sql } from "kysely";
import type { Call } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { notify } from "../notifications/notifications.queries.ts";
import { blockedAmong, mayBeBlocked } from "../people/block-check.ts";

/** A name after an `@` that isn't part of a word, an address or another mention. */
const mention = /(?<![\p{L}\p{N}_.@/-])@([A-Za-z0-9_.-]{2,})/gu;

/**
 * The names that a text mentions, in lower case and in the text's order. A name may end in a dot or dash, but so may a
 * sentence; such a name is returned both with and without it.
 */
export function mentionedNames(text: string): string[] {
  const names = [...text.matchAll(mention)].flatMap(([, name = ""]) => [name, name.replace(/[.-]+$/, "")]);
  const valid = names.filter(({ length }) => length >= limits.username.min && length <= limits.username.max);
  return [...new Set(valid.map((name) => name.toLowerCase()))];
}

/** Where the text is. */
interface TextLocation {
  postId: number;
  commentId: number | null;
}

interface Text {
  text: string;
  /** The text before an edit: names in it have already been notified. */
  before?: string;
  /** The account notified of the comment, reply or quote itself. */
  responses?: { type: "comment" | "reply" | "quote"; to: number | null };
}

/**
 * Notifies the account that a text replies to, and the accounts it mentions: at most `limits.mentions`, each once, and none
 * separated from the author by a block. Notifies in ascending id order, to avoid deadlocks.
 */
export async function notifyMentioned(tx: Db, call: Call, location: TextLocation, text: Text): Promise<void> {
  const { responses } = text;
  const mentions = (await mentionedAccounts(tx, call, location, text)).map((to) => ({
    type: "mention" as const,
    to,
  }));
  const events = [...(responses ? [responses] : []), ...mentions];
  for (const event of events.sort((a, b) => (a.to ?? 0) - (b.to ?? 0)))
    await notify(tx, { ...event, ...location }, [call]);
}

/** The accounts to notify of a mention. Excludes the account that the text replies to: it gets another notification. */
async function mentionedAccounts(
  tx: Db,
  call: Call,
  location: TextLocation,
  { text, before, responses }: Text,
): Promise<number[]> {
  const previous = new Set(mentionedNames(before ?? ""));
  const names = mentionedNames(text).filter((name) => !previous.has(name));
  if (names.length === 0) return [];
  const rows = JSON.stringify(names.slice(0, limits.mentions).map((name) => ({ name })));
  const accounts = await tx
    .selectFrom("users")
    .select("id")
    .where(sql<boolean>`username_key in (${tx.engine.jsonRows(rows, { name: "text" })})`)
    .orderBy("id")
    .execute();
  const ids = accounts.map(({ id }) => id);
  const blocked = mayBeBlocked(call.caller) ? await blockedAmong(tx, call.caller.userId, ids) : new Set();
  // Repeated edits must not notify anyone twice, nor more accounts in total than a single text can.
  const notified = before === undefined ? new Set() : await notifiedBefore(tx, call.caller.userId, location);
  const toNotify = ids.filter((id) => id !== responses?.to && !blocked.has(id) && !notified.has(id));
  return toNotify.slice(0, Math.max(0, limits.mentions - notified.size));
}

/** The accounts that were already notified of a mention by this author in this post or comment. */
async function notifiedBefore(
  tx: Db,
  author: number,
  { postId, commentId }: TextLocation,
): Promise<Set<number>> {
  const rows = await tx
    .selectFrom("notifications")
    .select("user_id")
    .where("actor_id", "=", author)
    .where("type", "=", "mention")
    .where("post_id", "=", postId)
    .where("comment_id", commentId === null ? "is" : "=", commentId)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}
