import { limits } from "@tandem/contract/limits";
import { tagsIn } from "@tandem/contract/markdown/mentions-and-tags";
import { textParts } from "@tandem/contract/text-parts";
import { sql } from "kysely";
import type { Actor } from "../../http/context.ts";
import { prepared } from "../../storage/prepared.ts";
import type { TagUseRow } from "../../storage/schema/tags.ts";
import type { Db } from "../../storage/storage.ts";

/*
 * Records which hashtags people use, so that trending ones can be counted. What a key or agent writes is never recorded, so
 * that no agent can push a hashtag.
 */

/** Where the text is. */
interface TextLocation {
  postId: number;
  commentId: number | null;
}

interface Text {
  tags: readonly string[];
  /** Those of the text before an edit. */
  before?: readonly string[];
  /** Whether the text bears an AI mark, no matter who set it. */
  isAi: boolean;
}

/** The hashtags of a post, without `#`. */
export function tagsOfPost({ title, body }: { title: string | null; body: string | null }): string[] {
  return [...(title?.includes("#") ? tagsInLine(title) : []), ...tagsIn(body ?? "")];
}

function tagsInLine(text: string): string[] {
  return textParts(text).flatMap(({ kind, text }) => (kind === "tag" ? [text.slice(1)] : []));
}

/** The form in which hashtags are compared. */
export const tagKey = (name: string): string => name.normalize("NFKC").toLowerCase();

/** Records the hashtags that the caller put into a text, and forgets those that they took out of it. */
export async function recordTags(
  tx: Db,
  { caller, now }: Actor,
  { postId, commentId }: TextLocation,
  { tags, before = [], isAi }: Text,
): Promise<void> {
  const [current, previous] = [byKey(tags), byKey(before)];
  const place = { user_id: caller.userId, post_id: postId, comment_id: commentId ?? 0 };
  const removed = [...previous].filter(([tag, name]) => current.get(tag) !== name);
  if (removed.length > 0)
    await forget(tx.later, { ...place, listed: JSON.stringify(removed.map(([tag]) => ({ tag }))) });
  if (caller.byAi || isAi) return;
  const added = [...current].filter(([tag, name]) => previous.get(tag) !== name);
  if (added.length === 0) return;
  const rows = added.map(([tag, name]) => ({ tag, name, ...place, used_at: now }));
  await record(tx.later, { user_id: caller.userId, listed: JSON.stringify(rows) });
}

/** Forgets uses that are in no text. */
export async function forgetUses(tx: Db, uses: readonly TagUseRow[]): Promise<void> {
  for (const { user_id, post_id, comment_id, tag } of uses)
    await forget(tx.later, { user_id, post_id, comment_id, listed: JSON.stringify([{ tag }]) });
}

/** The hashtags of a text that count, by their key. */
export function byKey(names: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of names) {
    if (found.size === limits.tagsPerText) break;
    const key = tagKey(name);
    if ([...key].length <= limits.tag && !found.has(key)) found.set(key, name);
  }
  return found;
}

const columns = {
  tag: "text",
  name: "text",
  user_id: "integer",
  post_id: "integer",
  comment_id: "integer",
  used_at: "integer",
} as const;

/** Someone who uses very many hashtags is ignored from a point on, so that the table stays small. */
const record = prepared<{ user_id: number; listed: string }, never>((db, { user_id, listed }) => {
  const own = sql`select 1 from tag_uses where user_id = ${user_id} limit ${sql.lit(limits.tagUsesPerPerson)}`;
  return sql<never>`
    insert into tag_uses (tag, name, user_id, post_id, comment_id, used_at)
    select tag, name, user_id, post_id, comment_id, used_at from (${db.engine.jsonRows(listed, columns)}) as listed
    where (select count(*) from (${own}) as own) < ${sql.lit(limits.tagUsesPerPerson)}
    on conflict do nothing`.compile(db);
});

interface Forgotten {
  user_id: number;
  post_id: number;
  comment_id: number;
  listed: string;
}

const forget = prepared<Forgotten, never>((db, { user_id, post_id, comment_id, listed }) =>
  sql<never>`
    delete from tag_uses where user_id = ${user_id} and post_id = ${post_id} and comment_id = ${comment_id}
      and tag in (select tag from (${db.engine.jsonRows(listed, { tag: "text" })}) as listed)`.compile(db),
);
