import type { Relationship } from "@tandem/contract/resources";
import { sql } from "kysely";
import type { Caller } from "../../http/caller.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

/**
 * The caller's relationship to the account behind a creator. Friends and blocks are visible only to people's own sessions,
 * so it is null for everyone else.
 */
export async function readRelationship(
  db: Db,
  caller: Caller | null,
  other: number | null,
): Promise<Relationship | null> {
  if (!caller || caller.key || caller.isAgent || other === null || other === caller.userId) return null;
  const [row] = await between(db, { userId: caller.userId, other });
  return {
    friends: row?.friends === 1,
    friendRequest: row ? friendRequestOf(row) : null,
    blocked: row?.blocked === 1,
  };
}

function friendRequestOf({ incoming, outgoing }: Row): Relationship["friendRequest"] {
  if (incoming !== null) return { id: incoming, direction: "incoming" };
  return outgoing === null ? null : { id: outgoing, direction: "outgoing" };
}

interface Row {
  friends: 1 | null;
  incoming: number | null;
  outgoing: number | null;
  blocked: 1 | null;
}

/** Four lookups in unique indexes. A row in `blocks` without a time is the view of the account that is blocked. */
const between = prepared<{ userId: number; other: number }, Row>((db, { userId, other }) =>
  sql<Row>`select
    (select 1 from friendships where user_id = ${userId} and friend_id = ${other}) as friends,
    (select id from friend_requests where from_id = ${other} and to_id = ${userId}) as incoming,
    (select id from friend_requests where from_id = ${userId} and to_id = ${other}) as outgoing,
    (select 1 from blocks
      where user_id = ${userId} and other_id = ${other} and blocked_at is not null) as blocked`.compile(db),
);
