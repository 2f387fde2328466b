import { sql } from "kysely";
import type { Call } from "../http/context.ts";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/storage.ts";
import { type Happening, notify, retract } from "./notifications/notifications.queries.ts";
import { count as countLikes } from "./numbers.ts";

/** What can be liked, and the table of who likes it. */
const tables = { post: "post_likes", comment: "comment_likes" } as const;

/** How something is liked: what posts and comments have of their own. */
export interface Likable<Target extends { like_count: number }> {
  what: keyof typeof tables;
  /** The target, nobody else's to change. Throws `not_found`. */
  lock(tx: Db, id: number): Promise<Target>;
  happening(target: Target): Happening;
  /** Adds so many likes, fewer than none perhaps, to the counts. */
  count(tx: Db, target: Target, by: number): Promise<void>;
}

/** Lets callers like something, or no longer; gives each the count as it stood after its call. */
export async function setLiked<Target extends { like_count: number }>(
  { what, lock, happening, count }: Likable<Target>,
  liked: boolean,
  tx: Db,
  id: number,
  calls: readonly Call[],
) {
  const target = await lock(tx, id);
  const changed = await change(tx, (liked ? adding : taking)[what], id, calls);
  await (liked ? notify : retract)(tx, happening(target), changed);
  const step = liked ? 1 : -1;
  if (changed.length > 0) await count(tx, target, step * changed.length);
  const [first] = changed;
  if (liked && first) await countLikes(tx, "likes", first.now, changed.length);
  let likeCount = target.like_count;
  return calls.map((call) => {
    if (changed.includes(call)) likeCount += step;
    return { liked, likeCount };
  });
}

interface Change {
  target: number;
  /** JSON: `[{ "id": … }]`. */
  callers: string;
}
type ChangeQuery = ReturnType<typeof prepared<Change, { user_id: number }>>;

/** Those of the calls that changed something: of a caller's several the first. */
async function change(tx: Db, query: ChangeQuery, target: number, calls: readonly Call[]): Promise<Call[]> {
  const callers = JSON.stringify(calls.map(({ caller }) => ({ id: caller.userId })));
  const changed = new Set((await query(tx, { target, callers })).map((row) => row.user_id));
  return calls.filter(({ caller }) => changed.delete(caller.userId));
}

const forEach = (build: (what: keyof typeof tables) => ChangeQuery) => ({
  post: build("post"),
  comment: build("comment"),
});

const adding = forEach((what) =>
  prepared((db, { target, callers }) =>
    sql<{ user_id: number }>`
      insert into ${sql.table(tables[what])} (user_id, ${sql.ref(`${what}_id`)})
      select id, ${target} from (${db.engine.rows(callers, { id: "integer" })}) as callers where true
      on conflict do nothing returning user_id`.compile(db),
  ),
);

const taking = forEach((what) =>
  prepared((db, { target, callers }) =>
    sql<{ user_id: number }>`
      delete from ${sql.table(tables[what])}
      where ${sql.ref(`${what}_id`)} = ${target} and user_id in (${db.engine.rows(callers, { id: "integer" })})
      returning user_id`.compile(db),
  ),
);
