import { hidesMedia } from "@tandem/contract/content-warning";
import { limits } from "@tandem/contract/limits";
import type { QuotedPost } from "@tandem/contract/post-resources";
import { bodyWords } from "@tandem/contract/post-words";
import { type RawBuilder, sql } from "kysely";
import type { Caller } from "../../http/caller.ts";
import { fromFragment, type PostFacts } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { shorten } from "../notifications/excerpts.ts";
import { blockBetween } from "../shared/blocked.ts";
import { isMutedPost, type Mutes, mutesOf } from "../shared/mutes.ts";

/*
 * A post that quotes another has only its id. What that says is looked up whenever the post is shown, so that a deletion, an edit, a
 * mark, a warning or a block holds in every quote. That is one query for a page with quotes, and none for any other page.
 */

/** Who reads posts, and when. */
export interface Reading {
  caller: QuoteReader | null;
  now: number;
  /** Called with times after now at which what is read changes without a commit. */
  changesAt?(time: number): void;
}
type QuoteReader = Pick<
  Caller,
  "userId" | "username" | "blocksOf" | "ai" | "hidesSensitive" | "mutesChangeAt"
>;

/** Within a text, the quotation mark would be escaped. JSON is full of quotation marks, so starting with one would make the search ten times slower. */
const QUOTES = 'quoteId":';

/** Whether any of these posts, as JSON, quotes another. */
export const haveQuotes = (posts: Buffer | string): boolean => posts.includes(QUOTES);

/** The posts that these posts, as JSON, quote, as this reader sees them, by the id of the post that quotes them. */
export async function readQuotes(
  db: Db,
  posts: readonly string[],
  reading: Reading,
): Promise<Map<number, QuotedPost>> {
  const { caller, now } = reading;
  const ids = posts.filter(haveQuotes).map(idIn);
  if (ids.length === 0) return new Map();
  const quoting = sql`
    select p.id, p.quoted_id, c.user_id from posts p join creators c on c.id = p.creator_id
    where p.id in (${db.engine.oneOf(ids)})`;
  const [rows, mutes] = await Promise.all([
    readQuoted(db, quoting, caller?.blocksOf ?? []),
    mutesOf(db, caller, now),
  ]);
  return new Map(
    rows.flatMap(({ quoting_id, id, fragment, user_id, suspended_until }) => {
      if (isSuspended(suspended_until, now)) {
        reading.changesAt?.(suspended_until);
        return [];
      }
      const facts = fromFragment(fragment);
      const isOwn = caller !== null && user_id === caller.userId;
      return isOwn || isWanted(facts, caller, mutes) ? [[quoting_id, asQuoted(id, facts)] as const] : [];
    }),
  );
}

const isSuspended = (until: number | null, now: number): until is number => until !== null && until > now;

/** A draft of a post that quotes another, and the account that it is published as. */
export interface QuotingDraft {
  id: number;
  quoted_id: number;
  user_id: number;
}

/**
 * The posts that these drafts quote, by the draft's id. Leaves out what readers of the published quote couldn't see, and posts whose author
 * allows no quotes. Publishing checks more, such as the rules of the quoted post's community. The reader's preferences and mutes hide
 * none, because they decide on the draft.
 */
export async function readDraftQuotes(
  db: Db,
  drafts: readonly QuotingDraft[],
  now: number,
): Promise<Map<number, QuotedPost>> {
  if (drafts.length === 0) return new Map();
  const columns = { id: "integer", quoted_id: "integer", user_id: "integer" } as const;
  const rows = await readQuoted(db, db.engine.jsonRows(JSON.stringify(drafts), columns), []);
  const authors = new Map(drafts.map((draft) => [draft.id, draft.user_id]));
  return new Map(
    rows.flatMap(({ quoting_id, id, fragment, user_id, suspended_until }) => {
      if (isSuspended(suspended_until, now)) return [];
      const facts = fromFragment(fragment);
      const isRefused = facts.quotePolicy === "nobody" && user_id !== authors.get(quoting_id);
      return isRefused ? [] : [[quoting_id, asQuoted(id, facts)] as const];
    }),
  );
}

/** The id of a post as JSON, with which it begins. */
export const idIn = (json: string): number => Number(/^\{"id":(\d+)/.exec(json)?.[1]);

interface QuotedRow {
  quoting_id: number;
  id: number;
  fragment: string;
  /** The quoted author's account; null for imported posts. */
  user_id: number | null;
  /** The end of the quoted author's suspension. Until then no one may see the post there. */
  suspended_until: number | null;
}

/**
 * Leaves out what no one may see there (deleted, removed, detached), and what a block hides: one between the two authors, or between the
 * quoted author and any of the `readers`.
 *
 * @param quoting a query of what quotes: `id`, `quoted_id`, and `user_id`, the author's account
 */
async function readQuoted(
  db: Db,
  quoting: RawBuilder<unknown>,
  readers: readonly number[],
): Promise<QuotedRow[]> {
  const sides = [sql`quoter.id`, sql`quoter.operator_id`, ...readers.map((id) => sql`${id}`)];
  const blocks = sides.flatMap((side) => [
    blockBetween(side, sql`author.id`),
    blockBetween(side, sql`author.operator_id`),
  ]);
  const { rows } = await sql<QuotedRow>`
    select p.id as quoting_id, q.id, q.fragment, author.id as user_id, author.suspended_until
    from (${quoting}) p
      join posts q on q.id = p.quoted_id
      join creators qc on qc.id = q.creator_id
      left join users quoter on quoter.id = p.user_id
      left join users author on author.id = qc.user_id
    where q.removed = 0 and coalesce(${sql.join(blocks)}, 0) = 0`.execute(db);
  return rows;
}

/** Whether the reader's preferences and mutes let them see it. */
function isWanted(facts: PostFacts, caller: QuoteReader | null, mutes: Mutes | null): boolean {
  if (caller?.ai.posts === "hide" && facts.provenance === "ai_generated") return false;
  if (caller?.hidesSensitive && hidesMedia(facts)) return false;
  return !(mutes && isMutedPost(mutes, facts));
}

/** Code points to read, so that an excerpt is full even if some are blanks or markup that are left out. */
const READ = 4 * limits.quoteExcerpt;

function asQuoted(id: number, facts: PostFacts): QuotedPost {
  const { platform, author, authorName, authorIsAgent, authorAvatarUrl, title } = facts;
  const { mediaType, thumbnailUrl, alt, contentWarning, sensitive, provenance, provenanceBasis, poll } =
    facts;
  const text = shorten(bodyWords(facts, READ), limits.quoteExcerpt);
  return {
    ...{ id, platform, author, authorName, authorIsAgent, authorAvatarUrl, title },
    body: text === "" ? null : text,
    ...{ mediaType, thumbnailUrl, alt, contentWarning, sensitive, provenance, provenanceBasis },
    postedAt: facts.postedAt,
    ...(poll && { poll }),
  };
}

/**
 * Adds those of these posts that moderators haven't removed to the counts of those that they quote, or subtracts them. `ids` is an id or a
 * query of ids.
 */
export async function countQuotes(tx: Db, ids: RawBuilder<number>, by: 1 | -1): Promise<void> {
  await sql`
    update posts set quote_count = quote_count + ${sql.lit(by)} * quoting.total
    from (
      select quoted_id, count(*) as total from posts
      where id in (${ids}) and quoted_id is not null and removed = 0 group by quoted_id
    ) as quoting
    where posts.id = quoting.quoted_id`.execute(tx);
}

/**
 * Takes a post out of posts that quote it: of one, or of all but its author's own. It must be locked.
 */
export async function detachQuotes(
  tx: Db,
  { id, creator_id }: { id: number; creator_id: number },
  quotingId: number | null = null,
): Promise<void> {
  // Moderators took the author's name off removed posts, which may be restored.
  const isOwn = sql`${creator_id} in (creator_id, (select r.creator_id from removed_posts r where r.post_id = posts.id))`;
  const which = quotingId === null ? sql`(${isOwn}) is not true` : sql`id = ${quotingId}`;
  const { rows } = await sql`
    update posts set quoted_id = null where quoted_id = ${id} and ${which} returning id`.execute(tx);
  if (rows.length === 0) return;
  await sql`
    update posts set quote_count = (select count(*) from posts q where q.quoted_id = ${id} and q.removed = 0)
    where id = ${id}`.execute(tx);
}
