import { sql } from "kysely";
import { changedNothing } from "../../http/activity.ts";
import type { ApiError } from "../../http/api-error.ts";
import type { Call } from "../../http/context.ts";
import { preparedRows } from "../../storage/prepared-rows.ts";
import type { Db } from "../../storage/storage.ts";
import { type NotifiableEvent, notify, retract } from "../notifications/notifications.queries.ts";
import { blockedAmong, blockedError, mayBeBlocked } from "../people/block-check.ts";
import { increment as countLikes } from "../shared/daily-stats.ts";

/** Likable things and the tables of their likes. */
const tables = { post: "post_likes", comment: "comment_likes" } as const;

/** What liking needs to know about a kind of thing: posts and comments implement it. */
export interface Likable<Target extends { like_count: number }> {
  what: keyof typeof tables;
  /** Locks the target. Throws `not_found`. */
  lock(tx: Db, id: number): Promise<Target>;
  /** The notification that a like causes. */
  event(target: Target): NotifiableEvent;
  /** Adds to the like counts; negative to subtract. */
  count(tx: Db, target: Target, delta: LikeDelta): Promise<void>;
}

/** A change in likes, and in those by keys and agents among them. */
export interface LikeDelta {
  likes: number;
  aiLikes: number;
}

/**
 * Likes or unlikes something for each caller, and returns the count after each call. A block between caller and author
 * forbids liking, but not unliking.
 */
export async function setLiked<Target extends { like_count: number }>(
  { what, lock, event, count }: Likable<Target>,
  liked: boolean,
  tx: Db,
  id: number,
  calls: readonly Call[],
): Promise<(Liking | ApiError)[]> {
  const target = await lock(tx, id);
  const blocked = liked ? await blockedCalls(tx, event(target).to, calls) : noCalls;
  if (blocked.size > 0)
    return calls.map((call) => (blocked.has(call) ? blockedError() : { liked, likeCount: 0 }));
  const { changed, aiLikes } = await change(tx, (liked ? insertLikes : deleteLikes)[what], id, calls);
  await (liked ? notify : retract)(tx, event(target), changed);
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

const noCalls = new Set<Call>();

/** The calls whose caller is separated by a block from this account (null: an imported post, which no block affects). */
async function blockedCalls(tx: Db, account: number | null, calls: readonly Call[]): Promise<Set<Call>> {
  const possiblyBlocked = calls.filter(({ caller }) => mayBeBlocked(caller));
  if (account === null || possiblyBlocked.length === 0) return noCalls;
  const ids = possiblyBlocked.map(({ caller }) => caller.userId);
  const blocked = await blockedAmong(tx, account, ids);
  return new Set(possiblyBlocked.filter(({ caller }) => blocked.has(caller.userId)));
}

interface Liker {
  id: number;
  /** 1 if the like is by a key or agent, else 0. */
  ai: number;
}
interface ChangedRow {
  user_id: number;
  by_ai: number;
}
type ChangeQuery = ReturnType<typeof preparedRows<Liker, { target: number }, ChangedRow>>;

const likerColumns = { id: "integer", ai: "integer" } as const;

/** The calls that changed something (of several by one caller, the first), and how many of the likes are by AI. */
async function change(tx: Db, query: ChangeQuery, target: number, calls: readonly Call[]) {
  const likers = calls.map(({ caller }) => ({ id: caller.userId, ai: caller.byAi ? 1 : 0 }));
  const rows = await query(tx, likers, { target });
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

const insertLikes = forEach((what) =>
  preparedRows(likerColumns, (db, likers, { target }) =>
    sql<ChangedRow>`
      insert into ${sql.table(tables[what])} (user_id, ${sql.ref(`${what}_id`)}, by_ai)
      select id, ${target}, ai from (${likers}) as likers
      where true on conflict do nothing returning user_id, by_ai`.compile(db),
  ),
);

const deleteLikes = forEach((what) =>
  preparedRows(likerColumns, (db, likers, { target }) =>
    sql<ChangedRow>`
      delete from ${sql.table(tables[what])}
      where ${sql.ref(`${what}_id`)} = ${target} and user_id in (select id from (${likers}) as likers)
      returning user_id, by_ai`.compile(db),
  ),
);
