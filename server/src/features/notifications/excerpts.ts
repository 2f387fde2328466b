import { limits } from "@tandem/contract/limits";
import { plainText } from "@tandem/contract/markdown/plain";
import { postWords } from "@tandem/contract/post-words";
import { sql } from "kysely";
import type { Excerpt } from "../../events/notifications.ts";
import { fromFragment } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { markedAuthorship } from "../shared/authorship.ts";
import { blockBetween } from "../shared/blocked.ts";
import { isMutedPost, isMutedWriting, type Mutes, mutesOf } from "../shared/mutes.ts";

/** What a notification is about. */
interface Subject {
  id: number;
  post_id: number | null;
  comment_id: number | null;
}

const { notificationExcerpt } = limits;
/** Code points to read, so that an excerpt is full even if some are blanks or markup that are left out. */
const READ = 4 * notificationExcerpt;

/**
 * What each notification of a reader quotes, by its id: the beginning of the comment or else of the post. Without those that
 * the reader mustn't or doesn't want to see: deleted, removed, by someone behind a block, muted, or AI content that is hidden.
 * Looked up when they are shown, so that nothing is kept of a text that was deleted.
 */
export async function excerptsOf(
  db: Db,
  reader: number,
  notifications: readonly Subject[],
  now: number,
): Promise<Map<number, Excerpt>> {
  const commentIds = notifications.flatMap(({ comment_id }) => comment_id ?? []);
  const postIds = notifications.flatMap(({ post_id, comment_id }) => (comment_id === null && post_id) || []);
  const [comments, posts] = await Promise.all([
    commentTexts(db, reader, commentIds, now),
    postTexts(db, reader, postIds, now),
  ]);
  return new Map(
    notifications.flatMap(({ id, comment_id, post_id }) => {
      const found = comment_id === null ? posts.get(post_id ?? 0) : comments.get(comment_id);
      const text = shorten(found?.text ?? "");
      return found === undefined || text === "" ? [] : [[id, { ...found, text }] as const];
    }),
  );
}

interface Reader {
  is_own: number;
  is_blocked: number | null;
  reader_name: string;
  mutes_change_at: number | null;
}

/** What the reader of these rows mutes. */
function mutesOfReader(db: Db, userId: number, rows: readonly Reader[], now: number): Promise<Mutes | null> {
  const [row] = rows;
  const reader = row && { userId, username: row.reader_name, mutesChangeAt: row.mutes_change_at };
  return mutesOf(db, reader ?? null, now);
}

/** The relationship of the account `reader` to the text's author, the account `author`. */
const relation = sql`case when author.id = reader.id then 1 else 0 end as is_own,
  coalesce(${sql.join(
    [
      blockBetween(sql`reader.id`, sql`author.id`),
      blockBetween(sql`reader.id`, sql`author.operator_id`),
      blockBetween(sql`reader.operator_id`, sql`author.id`),
      blockBetween(sql`reader.operator_id`, sql`author.operator_id`),
    ],
    sql`, `,
  )}) as is_blocked, reader.username as reader_name, reader.mutes_change_at`;

const isVisible = ({ is_own, is_blocked }: Reader, hidesAi: boolean): boolean =>
  is_own === 1 || (is_blocked === null && !hidesAi);

async function commentTexts(
  db: Db,
  reader: number,
  ids: readonly number[],
  now: number,
): Promise<Map<number, Excerpt>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<
    Reader & { id: number; user_id: number | null; text: string; is_ai: number; ai_comments: string }
  >`
    select c.id, c.user_id, substr(c.body, 1, ${sql.lit(READ)}) as text, c.is_ai, reader.ai_comments, ${relation}
    from comments c join posts p on p.id = c.post_id join users reader on reader.id = ${reader}
      left join users author on author.id = c.user_id
    where c.id in (${db.engine.oneOf([...new Set(ids)])}) and c.deleted = 0 and p.removed = 0`.execute(db);
  const mutes = await mutesOfReader(db, reader, rows, now);
  const visible = rows.filter((row) => isVisible(row, row.is_ai === 1 && row.ai_comments === "hide"));
  return new Map(
    visible.flatMap(({ id, user_id, text, is_ai }) =>
      mutes && isMutedWriting(mutes, user_id, [text])
        ? []
        : [[id, { text: plainText(text), ...markedAuthorship(is_ai) }] as const],
    ),
  );
}

async function postTexts(
  db: Db,
  reader: number,
  ids: readonly number[],
  now: number,
): Promise<Map<number, Excerpt>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Reader & { id: number; fragment: string; ai_posts: string }>`
    select p.id, p.fragment, reader.ai_posts, ${relation}
    from posts p join creators c on c.id = p.creator_id join users reader on reader.id = ${reader}
      left join users author on author.id = c.user_id
    where p.id in (${db.engine.oneOf([...new Set(ids)])}) and p.removed = 0`.execute(db);
  const mutes = await mutesOfReader(db, reader, rows, now);
  return new Map(
    rows.flatMap((row) => {
      const post = fromFragment(row.fragment);
      const { title, provenance, provenanceBasis } = post;
      const isVisibleTo =
        isVisible(row, provenance === "ai_generated" && row.ai_posts === "hide") &&
        !(mutes && isMutedPost(mutes, post));
      const text = [title, postWords(post, READ)].filter(Boolean).join(" · ");
      return isVisibleTo ? [[row.id, { text, provenance, provenanceBasis }] as const] : [];
    }),
  );
}

const graphemes = new Intl.Segmenter();

/** The beginning of a text on one line, cut between characters as readers see them. */
export function shorten(text: string, max: number = notificationExcerpt): string {
  const line = text.replace(/\s+/gu, " ").trim();
  const points = [...line];
  if (points.length <= max) return line;
  const end = points.slice(0, max - 1).join("").length;
  // 0 if a single character is too long.
  const start = graphemes.segment(line).containing(end)?.index || end;
  return `${line.slice(0, start).trimEnd()}…`;
}
