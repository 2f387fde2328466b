import { sql } from "kysely";
import type { Call } from "../http/context.ts";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/storage.ts";

/** What can be liked, and the table of who likes it. */
const targets = { post: "post_likes", comment: "comment_likes" } as const;

interface Change {
  target: number;
  /** JSON: `[{ "id": … }]`. */
  callers: string;
}
type ChangeQuery = ReturnType<typeof prepared<Change, { user_id: number }>>;

/** Those of the calls whose caller likes it now and didn't before: of a caller's several calls the first. */
export function addLikes(tx: Db, what: keyof typeof targets, id: number, calls: readonly Call[]) {
  return change(tx, adding[what], id, calls);
}

/** Those of the calls whose caller liked it, and doesn't any more. */
export function takeLikes(tx: Db, what: keyof typeof targets, id: number, calls: readonly Call[]) {
  return change(tx, taking[what], id, calls);
}

async function change(tx: Db, query: ChangeQuery, target: number, calls: readonly Call[]): Promise<Call[]> {
  const callers = JSON.stringify(calls.map(({ caller }) => ({ id: caller.userId })));
  const changed = new Set((await query(tx, { target, callers })).map((row) => row.user_id));
  return calls.filter(({ caller }) => changed.delete(caller.userId));
}

/** The answer to each call, with the count as it stood after it. */
export function counted(before: number, calls: readonly Call[], changed: readonly Call[], liked: boolean) {
  let likeCount = before;
  return calls.map((call) => {
    if (changed.includes(call)) likeCount += liked ? 1 : -1;
    return { liked, likeCount };
  });
}

const forEach = (build: (what: keyof typeof targets) => ChangeQuery) => ({
  post: build("post"),
  comment: build("comment"),
});

const adding = forEach((what) =>
  prepared((db, { target, callers }) =>
    sql<{ user_id: number }>`
      insert into ${sql.table(targets[what])} (user_id, ${sql.ref(`${what}_id`)})
      select id, ${target} from (${db.engine.rows(callers, { id: "integer" })}) as callers where true
      on conflict do nothing returning user_id`.compile(db),
  ),
);

const taking = forEach((what) =>
  prepared((db, { target, callers }) =>
    sql<{ user_id: number }>`
      delete from ${sql.table(targets[what])}
      where ${sql.ref(`${what}_id`)} = ${target} and user_id in (${db.engine.rows(callers, { id: "integer" })})
      returning user_id`.compile(db),
  ),
);
