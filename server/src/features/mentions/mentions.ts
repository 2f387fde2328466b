import { limits } from "@tandem/contract/limits";
import { sql } from "kysely";
import type { Call } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { notify } from "../notifications/notifications.queries.ts";
import { blockedAmong, mayBeBlocked } from "../people/block-check.ts";

/** A name behind an `@` that no word, address or other `@` runs into. */
const spoken = /(?<![\p{L}\p{N}_.@/-])@([A-Za-z0-9_.-]{2,})/gu;

/**
 * The accounts that a text speaks to, as uniqueness of names goes, in the text's order. A name may end in a dot or a
 * dash, and so may a sentence: then either is meant.
 */
export function namesIn(text: string): string[] {
  const names = [...text.matchAll(spoken)].flatMap(([, name = ""]) => [name, name.replace(/[.-]+$/, "")]);
  const fitting = names.filter(
    ({ length }) => length >= limits.username.min && length <= limits.username.max,
  );
  return [...new Set(fitting.map((name) => name.toLowerCase()))];
}

interface Place {
  postId: number;
  commentId: number | null;
}

interface Text {
  text: string;
  /** What stood there before: who was named in it has been told. */
  before?: string;
  /** Who is told of it anyway, and why. */
  answers?: { type: "comment" | "reply"; to: number | null };
}

/**
 * Tells whom a text answers, and those whom it names that it does, but for whom a block keeps apart from its author: the
 * first few, and each once; all in one order, so that none wait in a ring.
 */
export async function notifyMentioned(tx: Db, call: Call, where: Place, text: Text): Promise<void> {
  const { answers } = text;
  const mentions = (await namedIn(tx, call, where, text)).map((to) => ({ type: "mention" as const, to }));
  const events = [...(answers ? [answers] : []), ...mentions];
  for (const event of events.sort((a, b) => (a.to ?? 0) - (b.to ?? 0)))
    await notify(tx, { ...event, ...where }, [call]);
}

/** Whom to tell that they are named; whom it answers hears of it as that. */
async function namedIn(tx: Db, call: Call, where: Place, { text, before, answers }: Text): Promise<number[]> {
  const standing = new Set(namesIn(before ?? ""));
  const names = namesIn(text).filter((name) => !standing.has(name));
  if (names.length === 0) return [];
  const rows = JSON.stringify(names.slice(0, limits.mentions).map((name) => ({ name })));
  const accounts = await tx
    .selectFrom("users")
    .select("id")
    .where(sql<boolean>`username_key in (${tx.engine.jsonRows(rows, { name: "text" })})`)
    .orderBy("id")
    .execute();
  const ids = accounts.map(({ id }) => id);
  const spared = mayBeBlocked(call.caller) ? await blockedAmong(tx, call.caller.userId, ids) : new Set();
  // However often it is edited: it tells nobody twice, nor more than a text does.
  const heard = before === undefined ? new Set() : await toldBefore(tx, call.caller.userId, where);
  const fresh = ids.filter((id) => id !== answers?.to && !spared.has(id) && !heard.has(id));
  return fresh.slice(0, Math.max(0, limits.mentions - heard.size));
}

/** Those whom the same author's words at the same place named before. */
async function toldBefore(tx: Db, author: number, { postId, commentId }: Place): Promise<Set<number>> {
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
