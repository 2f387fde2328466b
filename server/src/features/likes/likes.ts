import { sql } from "kysely";
import { changedNothing } from "../../http/activity.ts";
import type { ApiError } from "../../http/api-error.ts";
import type { Call } from "../../http/context.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { type Happening, notify, retract } from "../notifications/notifications.queries.ts";
import { blockedAmong, blockedError, mayBeBlocked } from "../people/block-check.ts";
import { increment as countLikes } from "../shared/daily-stats.ts";

/** What can be liked, and the table of who likes it. */
const tables = { post: "post_likes", comment: "comment_likes" } as const;

/** How something is liked: what posts and comments have of their own. */
export interface Likable<Target extends { like_count: number }> {
  what: keyof typeof tables;
  /** The target, nobody else's to change. Throws `not_found`. */
  lock(tx: Db, id: number): Promise<Target>;
  happening(target: Target): Happening;
  /** Adds so many likes, fewer than none perhaps, to the counts. */
  count(tx: Db, target: Target, by: Tally): Promise<void>;
}

/** Likes, and how many of them are by keys and agents. */
export interface Tally {
  likes: number;
  aiLikes: number;
}

/**
 * Lets callers like something, or no longer; gives each the count as it stood after its call. To like it is refused to
 * whom a block keeps apart from its author; taking a like back never is.
 */
export async function setLiked<Target extends { like_count: number }>(
  { what, lock, happening, count }: Likable<Target>,
  liked: boolean,
  tx: Db,
  id: number,
  calls: readonly Call[],
): Promise<(Liking | ApiError)[]> {
  const target = await lock(tx, id);
  const apart = liked ? await apartAmong(tx, happening(target).to, calls) : none;
  if (apart.size > 0)
    return calls.map((call) => (apart.has(call) ? blockedError() : { liked, likeCount: 0 }));
  const { changed, aiLikes } = await change(tx, (liked ? adding : taking)[what], id, calls);
  await (liked ? notify : retract)(tx, happening(target), changed);
  const step = liked ? 1 : -1;
  if (changed.length > 0) await count(tx, target, { likes: step * changed.length, aiLikes: step * aiLikes });
  const [first] = changed;
  if (liked && first) await countLikes(tx, "likes", first.now, changed.length);
  let likeCount = target.like_count;
  return calls.map((call) => {
    if (!changed.includes(call)) return changedNothing({ liked, likeCount });
    likeCount += step;
    return { liked, likeCount };
  });
}

interface Liking {
  liked: boolean;
  likeCount: number;
}

const none = new Set<Call>();

/** The calls of those whom a block keeps apart from this account; null is nobody's. */
async function apartAmong(tx: Db, account: number | null, calls: readonly Call[]): Promise<Set<Call>> {
  const doubtful = calls.filter(({ caller }) => mayBeBlocked(caller));
  if (account === null || doubtful.length === 0) return none;
  const ids = doubtful.map(({ caller }) => caller.userId);
  const apart = await blockedAmong(tx, account, ids);
  return new Set(doubtful.filter(({ caller }) => apart.has(caller.userId)));
}

interface Change {
  target: number;
  /** JSON: `[{ "id": …, "ai": 0 or 1 }]`. */
  callers: string;
}
interface ChangedRow {
  user_id: number;
  by_ai: number;
}
type ChangeQuery = ReturnType<typeof prepared<Change, ChangedRow>>;

/** Those of the calls that changed something, of a caller's several the first; and how many likes were by AI. */
async function change(tx: Db, query: ChangeQuery, target: number, calls: readonly Call[]) {
  const callers = JSON.stringify(calls.map(({ caller }) => ({ id: caller.userId, ai: caller.byAi ? 1 : 0 })));
  const rows = await query(tx, { target, callers });
  const users = new Set(rows.map((row) => row.user_id));
  return {
    changed: calls.filter(({ caller }) => users.delete(caller.userId)),
    aiLikes: rows.filter((row) => row.by_ai === 1).length,
  };
}

const forEach = (build: (what: keyof typeof tables) => ChangeQuery) => ({
  post: build("post"),
  comment: build("comment"),
});

const adding = forEach((what) =>
  prepared((db, { target, callers }) =>
    sql<ChangedRow>`
      insert into ${sql.table(tables[what])} (user_id, ${sql.ref(`${what}_id`)}, by_ai)
      select id, ${target}, ai from (${db.engine.jsonRows(callers, { id: "integer", ai: "integer" })}) as callers
      where true on conflict do nothing returning user_id, by_ai`.compile(db),
  ),
);

const taking = forEach((what) =>
  prepared((db, { target, callers }) =>
    sql<ChangedRow>`
      delete from ${sql.table(tables[what])}
      where ${sql.ref(`${what}_id`)} = ${target} and user_id in (${db.engine.jsonRows(callers, { id: "integer" })})
      returning user_id, by_ai`.compile(db),
  ),
);
