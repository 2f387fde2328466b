import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { fromFragment } from "../posts/fragment.ts";

/** A file of an export: rows of one kind, in the order of `cursor`, a column that no two rows share. */
export interface Part {
  name: string;
  /** Rows behind `after`, no more than `limit`; each has its `cursor`, which isn't shown. */
  rows(userId: number, after: number, limit: number): RawBuilder<Row>;
  /** What is shown of a row, where that isn't simply its columns. */
  shown?(row: Row): object;
}

type Row = Record<string, unknown> & { cursor: number };

const creator = (userId: number) => sql`(select id from creators where user_id = ${userId})`;

/** Columns that tell an instant end in `At`, and say it in milliseconds. */
const part = (
  name: string,
  columns: string,
  from: (userId: number) => RawBuilder<unknown>,
  cursor: string,
  shown?: Part["shown"],
): Part => ({
  name,
  rows: (userId, after, limit) => sql<Row>`select ${sql.raw(cursor)} as "cursor", ${sql.raw(columns)}
    from ${from(userId)} and ${sql.raw(cursor)} > ${after} order by ${sql.raw(cursor)} limit ${limit}`,
  ...(shown && { shown }),
});

const post = `p.id, p.like_count as "likeCount", p.comment_count as "commentCount", p.view_count as "viewCount",
  p.origin_score + p.like_count as "score", p.fragment`;

/** All that an export holds beside the profile and the files. A table that is to be in it is a line here. */
export const parts: readonly Part[] = [
  part("posts", post, (id) => sql`posts p where p.creator_id = ${creator(id)}`, "p.id", withText),
  part(
    "removed-posts",
    post,
    (id) => sql`posts p join removed_posts r on r.post_id = p.id where r.creator_id = ${creator(id)}`,
    "p.id",
    withText,
  ),
  part(
    "comments",
    `id, post_id as "postId", parent_id as "parentId", body, is_ai as "isAiGenerated", like_count as "likeCount",
      created_at as "createdAt", edited_at as "editedAt"`,
    (id) => sql`comments where user_id = ${id}`,
    "id",
  ),
  part("post-likes", `post_id as "postId"`, (id) => sql`post_likes where user_id = ${id}`, "post_id"),
  part(
    "comment-likes",
    `comment_id as "commentId"`,
    (id) => sql`comment_likes where user_id = ${id}`,
    "comment_id",
  ),
  part("saves", `post_id as "postId"`, (id) => sql`post_saves where user_id = ${id}`, "post_id"),
  part("dismissals", `post_id as "postId"`, (id) => sql`dismissals where user_id = ${id}`, "post_id"),
  part(
    "follows",
    `c.platform, c.author`,
    (id) => sql`follows f join creators c on c.id = f.creator_id where f.user_id = ${id}`,
    "f.creator_id",
  ),
  part(
    "notifications",
    `n.id, n.type, u.username as "actor", n.post_id as "postId", n.comment_id as "commentId",
      n.key_hint as "keyHint", n.created_at as "createdAt"`,
    (id) => sql`notifications n join users u on u.id = n.actor_id where n.user_id = ${id}`,
    "n.id",
  ),
  part(
    "products",
    `id, title, url, image_url as "imageUrl", price, category, created_at as "createdAt"`,
    (id) => sql`products where user_id = ${id}`,
    "id",
  ),
  part(
    "agents",
    `id, username, display_name as "displayName", bio, created_at as "createdAt"`,
    (id) => sql`users where operator_id = ${id}`,
    "id",
  ),
  part(
    "keys",
    `id, name, hint, scopes, tier, user_id as "accountId", accepted_writes as "acceptedWrites",
      created_at as "createdAt", last_used_at as "lastUsedAt"`,
    (id) => sql`keys where owner_id = ${id}`,
    "id",
  ),
  part(
    "messages",
    `m.id, u.username as "with", case when m.side = s.side then 1 else 0 end as "mine", m.body,
      m.is_ai as "isAiGenerated", m.created_at as "createdAt"`,
    (id) => sql`conversation_sides s join messages m on m.conversation_id = s.conversation_id
      left join users u on u.id = s.other_id where s.user_id = ${id}`,
    "m.id",
  ),
  part(
    "friends",
    `u.username, f.since as "sinceAt"`,
    (id) => sql`friendships f join users u on u.id = f.friend_id where f.user_id = ${id}`,
    "f.friend_id",
  ),
  part(
    "friend-requests",
    `r.id, a.username as "from", b.username as "to", r.created_at as "createdAt"`,
    (id) => sql`friend_requests r join users a on a.id = r.from_id join users b on b.id = r.to_id
      where ${id} in (r.from_id, r.to_id)`,
    "r.id",
  ),
  part(
    "blocks",
    `u.username, b.blocked_at as "blockedAt"`,
    (id) =>
      sql`blocks b join users u on u.id = b.other_id where b.user_id = ${id} and b.blocked_at is not null`,
    "b.other_id",
  ),
  part(
    "drafts",
    `id, operation, state, input, created_at as "createdAt"`,
    (id) => sql`drafts where user_id = ${id}`,
    "id",
    ({ input, cursor: _, ...row }) => ({ ...row, input: JSON.parse(String(input)) }),
  ),
  part(
    "webhooks",
    `id, url, types, state, user_id as "accountId", created_at as "createdAt"`,
    (id) => sql`webhooks where owner_id = ${id}`,
    "id",
  ),
  part(
    "reports",
    `id, reason, note, created_at as "createdAt"`,
    (id) => sql`reports where reporter_id = ${id}`,
    "id",
  ),
  part(
    "decisions",
    `id, act, excerpt, reason, automated, appeal, answer, created_at as "createdAt", undone_at as "undoneAt"`,
    (id) => sql`decisions where user_id = ${id}`,
    "id",
  ),
  part(
    "sessions",
    `id, device, created_at as "createdAt", last_used_at as "lastUsedAt"`,
    (id) => sql`sessions where user_id = ${id}`,
    "id",
  ),
];

function withText({ fragment, cursor: _, ...row }: Row): object {
  return { ...row, ...fromFragment(String(fragment)) };
}

/** Rows that are read at a time. */
const BATCH = 500;

/** A part as JSON: a list, written as its rows come, so that however long it is little of it is in memory. */
export async function* jsonOf(db: Db, { rows, shown = withoutCursor }: Part, userId: number) {
  let lead = "[\n";
  for (let after = 0; ; ) {
    const page = (await rows(userId, after, BATCH).execute(db)).rows;
    for (const row of page) {
      yield lead + JSON.stringify(shown(row), instant);
      lead = ",\n";
    }
    const last = page.at(-1);
    if (!last || page.length < BATCH) break;
    after = Number(last.cursor);
  }
  yield lead === "[\n" ? "[]\n" : "\n]\n";
}

function withoutCursor({ cursor: _, ...row }: Row): object {
  return row;
}

function instant(name: string, value: unknown): unknown {
  return name.endsWith("At") && typeof value === "number" ? new Date(value).toISOString() : value;
}
