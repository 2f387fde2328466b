import { type StoredWebhookState, webhookState } from "@tandem/contract/webhooks";
import { type RawBuilder, sql } from "kysely";
import { namedBy } from "../../http/activity.ts";
import { fromFragment } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";

/** A file of an export: an account's rows of one kind. */
export interface ExportPart {
  name: string;
  rows(db: Db, userId: number): AsyncIterable<object>;
}

type Row = Record<string, unknown>;
/** A row as it is read: `cursor` is its position, and isn't exported. */
type CursorRow = Row & { cursor: number };
/** Converts a row to what the file shows. */
type Format = (row: Row) => object;

const unchanged: Format = (row) => row;

/** Rows per query. */
const BATCH = 500;

/** The rows of a query in the order of `cursor`, a unique column. */
async function* paged(
  db: Db,
  cursor: string,
  query: (after: number) => RawBuilder<unknown>,
): AsyncGenerator<Row> {
  for (let after = 0; ; ) {
    const { rows } =
      await sql<CursorRow>`${query(after)} order by ${sql.raw(cursor)} limit ${sql.lit(BATCH)}`.execute(db);
    for (const { cursor: position, ...row } of rows) {
      yield row;
      after = Number(position);
    }
    if (rows.length < BATCH) return;
  }
}

const creator = (userId: number) => sql`(select id from creators where user_id = ${userId})`;

/** Columns whose names end in `At` are times in milliseconds since 1970; the file shows them in RFC 3339. */
const part = (
  name: string,
  columns: string,
  from: (userId: number) => RawBuilder<unknown>,
  cursor: string,
  format: Format = unchanged,
): ExportPart => ({
  name,
  async *rows(db, userId) {
    const query = (after: number) => sql`select ${sql.raw(cursor)} as "cursor", ${sql.raw(columns)}
      from ${from(userId)} and ${sql.raw(cursor)} > ${after}`;
    for await (const row of paged(db, cursor, query)) yield format(row);
  },
});

/** For rows that are few and have no numeric cursor: reads all of them in one query. */
const smallPart = (
  name: string,
  columns: string,
  from: (userId: number) => RawBuilder<unknown>,
  format: Format = (row) => row,
): ExportPart => ({
  name,
  async *rows(db, userId) {
    const { rows } = await sql<Row>`select ${sql.raw(columns)} from ${from(userId)}`.execute(db);
    yield* rows.map(format);
  },
});

const post = `p.id, p.like_count as "likeCount", p.comment_count as "commentCount", p.view_count as "viewCount",
  p.origin_score + p.like_count as "score", p.fragment`;

const asPost: Format = ({ fragment, ...row }) => ({ ...row, ...fromFragment(String(fragment)) });

/** Reads one conversation after another: there is an index per conversation, and none over all of them. */
const messages: ExportPart = {
  name: "messages",
  async *rows(db, userId) {
    const sides = (after: number) => sql`
      select s.conversation_id as "cursor", s.conversation_id as id, s.side, u.username as "with"
      from conversation_sides s left join users u on u.id = s.other_id
      where s.user_id = ${userId} and s.conversation_id > ${after}`;
    for await (const { id, side, with: other } of paged(db, "s.conversation_id", sides)) {
      const query = (after: number) => sql`
        select id as "cursor", id, case when side = ${side} then 1 else 0 end as "mine", body,
          is_ai as "isAiGenerated", created_at as "createdAt"
        from messages where conversation_id = ${id} and id > ${after}`;
      for await (const row of paged(db, "id", query)) yield { with: other, ...row };
    }
  },
};

const version = `version, made_at as "madeAt", made_by as "madeBy", key_id as "keyId", provenance, basis as "provenanceBasis",
  cleared_at as "clearedAt", cleared_by as "clearedBy", content`;

/** Earlier versions. Reads those of one post or comment after another. */
function versions(kind: "post" | "comment", edited: ((userId: number) => RawBuilder<unknown>)[]): ExportPart {
  const [table, id] = [sql.table(`${kind}_versions`), sql.ref(`${kind}_id`)];
  return {
    name: `${kind}-versions`,
    async *rows(db, userId) {
      for (const from of edited) {
        const items = (after: number) =>
          sql`select p.id as "cursor", p.id from ${from(userId)} and p.id > ${after}`;
        for await (const item of paged(db, "p.id", items)) {
          const { rows } =
            await sql<Row>`select ${sql.raw(version)} from ${table} where ${id} = ${item.id} order by version`.execute(
              db,
            );
          for (const { content, ...row } of rows)
            yield { [`${kind}Id`]: item.id, ...row, ...(content !== null && JSON.parse(String(content))) };
        }
      }
    },
  };
}

/** How the polls of an account stand. Reads the options of one poll after another. */
const pollResults: ExportPart = {
  name: "poll-results",
  async *rows(db, userId) {
    const ofCreator = sql`p.creator_id = ${creator(userId)}`;
    const posts = [
      { from: sql`posts p cross join polls l where l.post_id = p.id and ${ofCreator}`, id: "p.id" },
      {
        from: sql`removed_posts p cross join polls l where l.post_id = p.post_id and ${ofCreator}`,
        id: "p.post_id",
      },
    ];
    for (const { from, id } of posts) {
      const polls = (after: number) => sql`
        select ${sql.raw(id)} as "cursor", l.post_id as "postId", l.voter_count as "voterCount",
          l.ai_voter_count as "aiVoterCount"
        from ${from} and ${sql.raw(id)} > ${after}`;
      for await (const { postId, ...voters } of paged(db, id, polls)) {
        const { rows } = await sql<Row>`
          select position, vote_count as "voteCount", ai_vote_count as "aiVoteCount" from poll_options
          where post_id = ${postId} order by position`.execute(db);
        for (const row of rows) yield { postId, ...row, ...voters };
      }
    }
  },
};

/** Parts for people and agents. To export another table, add it here or to `ofPeople`. */
const common: readonly ExportPart[] = [
  part("posts", post, (id) => sql`posts p where p.creator_id = ${creator(id)}`, "p.id", asPost),
  part(
    "removed-posts",
    post,
    (id) => sql`removed_posts r join posts p on p.id = r.post_id where r.creator_id = ${creator(id)}`,
    "r.post_id",
    asPost,
  ),
  part(
    "comments",
    `id, post_id as "postId", parent_id as "parentId", body, is_ai as "isAiGenerated", like_count as "likeCount",
      created_at as "createdAt", edited_at as "editedAt"`,
    (id) => sql`comments where user_id = ${id}`,
    "id",
  ),
  versions("post", [
    (id) => sql`posts p where p.creator_id = ${creator(id)} and p.version > 1`,
    (id) => sql`removed_posts r join posts p on p.id = r.post_id where r.creator_id = ${creator(id)}`,
  ]),
  versions("comment", [(id) => sql`comments p where p.user_id = ${id} and p.version > 1`]),
  part("post-likes", `post_id as "postId"`, (id) => sql`post_likes where user_id = ${id}`, "post_id"),
  part(
    "comment-likes",
    `comment_id as "commentId"`,
    (id) => sql`comment_likes where user_id = ${id}`,
    "comment_id",
  ),
  part(
    "reposts",
    `post_id as "postId", by_ai as "byAi", created_at as "createdAt"`,
    (id) => sql`reposts where user_id = ${id}`,
    "post_id",
  ),
  part(
    "votes",
    `post_id as "postId", choices, by_ai as "byAi", voted_at as "votedAt"`,
    (id) => sql`poll_votes where user_id = ${id}`,
    "post_id",
    ({ choices, ...row }) => ({ ...row, choices: JSON.parse(String(choices)) }),
  ),
  pollResults,
  part("saves", `post_id as "postId"`, (id) => sql`post_saves where user_id = ${id}`, "post_id"),
  smallPart("pinned-posts", `post_id as "postId"`, (id) => sql`pinned_posts where user_id = ${id}`),
  part("dismissals", `post_id as "postId"`, (id) => sql`dismissals where user_id = ${id}`, "post_id"),
  part(
    "follows",
    `c.platform, c.author`,
    (id) => sql`follows f join creators c on c.id = f.creator_id where f.user_id = ${id}`,
    "f.creator_id",
  ),
  smallPart("followed-tags", "name", (id) => sql`tag_follows where user_id = ${id}`),
  smallPart(
    "followed-communities",
    `platform, name as "community"`,
    (id) => sql`community_follows where user_id = ${id}`,
  ),
  part(
    "mutes",
    `m.id, m.type, c.platform, c.author, m.text, m.until_at as "untilAt", m.created_at as "createdAt"`,
    (id) => sql`mutes m left join creators c on c.id = m.creator_id where m.user_id = ${id}`,
    "m.id",
  ),
  smallPart("lists", `id, name, created_at as "createdAt"`, (id) => sql`lists where user_id = ${id}`),
  smallPart(
    "list-members",
    `m.list_id as "listId", c.platform, c.author`,
    (id) => sql`lists l join list_members m on m.list_id = l.id join creators c on c.id = m.creator_id
      where l.user_id = ${id}`,
  ),
  smallPart(
    "saved-searches",
    `id, name, query, created_at as "createdAt"`,
    (id) => sql`saved_searches where user_id = ${id}`,
    ({ query, ...row }) => ({ ...row, query: JSON.parse(String(query)) }),
  ),
  smallPart(
    "collections",
    `id, name, post_count as "postCount", created_at as "createdAt"`,
    (id) => sql`collections where user_id = ${id}`,
  ),
  part(
    "collection-posts",
    `id, collection_id as "collectionId", post_id as "postId"`,
    (id) => sql`collection_posts where user_id = ${id}`,
    "id",
  ),
  smallPart(
    "communities",
    `c.name, m.role, m.approved, m.reason, m.since as "sinceAt", m.until_at as "untilAt",
      case when m.role = 'owner' then c.description end as "description",
      case when m.role = 'owner' then c.rules end as "rules", case when m.role = 'owner' then c.ai_policy end as "aiPolicy",
      case when m.role = 'owner' then c.picture_url end as "pictureUrl"`,
    (id) => sql`community_members m join communities c on c.id = m.community_id where m.user_id = ${id}`,
  ),
  part(
    "notifications",
    `n.id, n.type, u.username as "actor", n.post_id as "postId", n.comment_id as "commentId",
      n.key_hint as "keyHint", n.draft_id as "draftId", n.decision_id as "decisionId", c.name as "community", n.by_ai as "byAi", n.created_at as "createdAt"`,
    (id) => sql`notifications n join users u on u.id = n.actor_id
      left join communities c on c.id = n.community_id where n.user_id = ${id}`,
    "n.id",
  ),
  smallPart("muted-notifications", "source, type", (id) => sql`notification_mutes where user_id = ${id}`),
  part(
    "products",
    `id, title, url, image_url as "imageUrl", price, category, is_ai as "isAiGenerated",
      created_at as "createdAt"`,
    (id) => sql`products where user_id = ${id}`,
    "id",
  ),
  messages,
  part(
    "decisions",
    `id, act, post_id as "postId", comment_id as "commentId", excerpt, excerpt_provenance as "excerptProvenance",
      excerpt_provenance_basis as "excerptProvenanceBasis", reason, automated, until_at as "untilAt", appeal, appealed_at as "appealedAt", answer, created_at as "createdAt", undone_at as "undoneAt"`,
    (id) => sql`decisions where user_id = ${id}`,
    "id",
  ),
  part(
    "activity",
    `id, key_id as "keyId", operation, target, creator as "name", draft_id as "draftId", undone, created_at as "createdAt"`,
    (id) => sql`activity where user_id = ${id}`,
    "id",
    ({ name, ...row }) => ({ ...row, [namedBy(String(row.operation))]: name }),
  ),
  part(
    "sessions",
    `id, device, created_at as "createdAt", last_used_at as "lastUsedAt"`,
    (id) => sql`sessions where user_id = ${id}`,
    "id",
  ),
  smallPart(
    "live",
    `title, started_at as "startedAt", post_id as "postId"`,
    (id) => sql`lives where user_id = ${id}`,
  ),
];

/** Parts for people only, including what they manage for their agents. */
const ofPeople: readonly ExportPart[] = [
  part(
    "agents",
    `id, username, display_name as "displayName", bio, created_at as "createdAt"`,
    (id) => sql`users where operator_id = ${id}`,
    "id",
  ),
  part(
    "keys",
    `id, name, hint, scopes, tier, user_id as "accountId", accepted_writes as "acceptedWrites", app,
      created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"`,
    (id) => sql`keys where owner_id = ${id}`,
    "id",
    ({ app, ...row }) => ({ ...row, app: app === null ? null : JSON.parse(String(app)) }),
  ),
  part(
    "invitations",
    `id, uses, used, expires_at as "expiresAt", created_at as "createdAt"`,
    (id) => sql`invitations where user_id = ${id}`,
    "id",
  ),
  part(
    "drafts",
    `id, user_id as "accountId", operation, state, input, publish_at as "publishAt", created_at as "createdAt",
      edited_at as "editedAt"`,
    (id) => sql`drafts where owner_id = ${id}`,
    "id",
    ({ input, ...row }) => ({ ...row, input: JSON.parse(String(input)) }),
  ),
  part(
    "draft-decisions",
    `d.draft_id as "draftId", d.user_id as "accountId", d.operation, d.decision, d.post_id as "postId",
      d.comment_id as "commentId", d.decided_at as "decidedAt"`,
    (id) =>
      sql`draft_decisions d join users u on u.id = d.user_id where (u.id = ${id} or u.operator_id = ${id})`,
    "d.draft_id",
  ),
  part(
    "webhooks",
    `id, url, types, state, confirmed_at as "confirmedAt", user_id as "accountId", created_at as "createdAt"`,
    (id) => sql`webhooks where owner_id = ${id} and session_id is null`,
    "id",
    ({ state, confirmedAt, ...row }) => ({
      ...row,
      state: webhookState(state as StoredWebhookState, confirmedAt),
      confirmedAt,
    }),
  ),
  part(
    "push-subscriptions",
    `id, session_id as "sessionId", failing_since as "failingSinceAt", created_at as "createdAt"`,
    (id) => sql`webhooks where owner_id = ${id} and session_id is not null`,
    "id",
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
      where (r.from_id = ${id} or r.to_id = ${id})`,
    "r.id",
  ),
  part(
    "declined-friend-requests",
    `u.username as "from", d.ends_at as "restsUntilAt"`,
    (id) => sql`friend_declines d join users u on u.id = d.from_id where d.to_id = ${id}`,
    "d.from_id",
  ),
  part(
    "blocks",
    `u.username, b.blocked_at as "blockedAt"`,
    (id) =>
      sql`blocks b join users u on u.id = b.other_id where b.user_id = ${id} and b.blocked_at is not null`,
    "b.other_id",
  ),
  part(
    "reports",
    `r.id, c.kind, c.target_id as "targetId", k.name as "community", r.reason, r.note, r.created_at as "createdAt"`,
    (id) => sql`reports r join report_cases c on c.id = r.case_id
      left join communities k on c.kind = 'community' and k.id = c.target_id where r.reporter_id = ${id}`,
    "r.id",
  ),
  part(
    "passkeys",
    `id, name, synced, created_at as "createdAt", last_used_at as "lastUsedAt"`,
    (id) => sql`passkeys where user_id = ${id}`,
    "id",
  ),
  part(
    "imports",
    `id, platform, parts, state, problem, done, total, counts, missing, created_at as "createdAt",
      finished_at as "finishedAt"`,
    (id) => sql`imports where user_id = ${id}`,
    "id",
    ({ parts, counts, missing, ...row }) => ({
      ...row,
      parts: String(parts).split(","),
      counts: JSON.parse(String(counts)),
      missing: JSON.parse(String(missing)),
    }),
  ),
  smallPart("sign-in-providers", "provider, subject", (id) => sql`identities where user_id = ${id}`),
];

/** Everything an export contains of an account, besides its profile and its files. */
export const partsOf = { person: [...common, ...ofPeople], agent: common } as const;

/** A part as a JSON array, streamed row by row so that its length doesn't matter for memory. */
export async function* jsonOf(db: Db, { rows }: ExportPart, userId: number): AsyncGenerator<string> {
  let lead = "[\n";
  for await (const row of rows(db, userId)) {
    yield lead + JSON.stringify(row, instant);
    lead = ",\n";
  }
  yield lead === "[\n" ? "[]\n" : "\n]\n";
}

function instant(name: string, value: unknown): unknown {
  return name.endsWith("At") && typeof value === "number" ? new Date(value).toISOString() : value;
}
