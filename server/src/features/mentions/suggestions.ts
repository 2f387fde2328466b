import { limits } from "@tandem/contract/limits";
import { nativePlatform } from "@tandem/contract/origins";
import type { MentionHit } from "@tandem/contract/resources";
import { sql } from "kysely";
import type { Caller } from "../../http/caller.ts";
import type { Handlers } from "../../http/context.ts";
import { fold } from "../../storage/fold.ts";
import type { Db } from "../../storage/storage.ts";
import { blockedAmong, mayBeBlocked } from "../people/block-check.ts";
import { isPrefixOf } from "../shared/prefix.ts";

/** How many of each kind are looked through among the accounts that someone knows: more would cost too much while they type. */
const KNOWN = { follows: 500, friends: 200, conversations: 100 };
/** Accounts whose name begins with the text, in the order of their names, of which those with most followers are suggested. */
const RANKED = 500;
/** Accounts beyond those suggested, in place of blocked ones. */
const SPARE = 24;

export const mentionSuggestions = {
  suggestMentions: async (ctx, { q }) => ({
    accounts: await suggest(await ctx.recent(), ctx.caller, q.trim().replace(/^@/, ""), ctx.now),
  }),
} satisfies Handlers<"suggestMentions">;

interface Row {
  id: number;
  username: string;
  display_name: string | null;
  avatar_url: string | null;
  operator_id: number | null;
}

async function suggest(db: Db, caller: Caller, text: string, now: number): Promise<MentionHit[]> {
  const [known, named] = await Promise.all([knownTo(caller).execute(db), namedLike(db, text).execute(db)]);
  const ids = [...known.rows, ...named.rows].map((row) => row.id);
  const accounts = new Map((await readAccounts(db, ids, now).execute(db)).rows.map((row) => [row.id, row]));
  accounts.delete(caller.userId);
  const read = ({ id }: { id: number }) => accounts.get(id) ?? [];
  const matching = known.rows.flatMap(read).filter((row) => matches(row, text));
  const sorted = [...matching.toSorted(byName), ...named.rows.flatMap(read)];
  const candidates = [...new Set(sorted)].slice(0, limits.completions + SPARE);
  const blocked = mayBeBlocked(caller)
    ? await blockedAmong(
        db,
        caller.userId,
        candidates.map(({ id }) => id),
      )
    : new Set();
  return candidates
    .filter(({ id }) => !blocked.has(id))
    .slice(0, limits.completions)
    .map(({ username, display_name, avatar_url, operator_id }) => ({
      username,
      displayName: display_name,
      avatarUrl: avatar_url,
      isAgent: operator_id !== null,
    }));
}

/** Whether the username, or a word of the display name, begins with this text. */
function matches({ username, display_name }: Row, text: string): boolean {
  const start = fold(text);
  return fold(username).startsWith(start) || ` ${fold(display_name ?? "")}`.includes(` ${start}`);
}

const byName = (a: Row, b: Row) => (a.username.toLowerCase() < b.username.toLowerCase() ? -1 : 1);

/**
 * Accounts that the caller follows, is a friend of, or exchanged messages with, the latest of each kind. For a key only those
 * followed: it can't list friends and conversations either.
 */
export const knownTo = ({ userId, key }: Pick<Caller, "userId" | "key">) => sql<{ id: number }>`
  select c.user_id as id from (
    select creator_id from follows where user_id = ${userId} order by creator_id desc limit ${KNOWN.follows}
  ) as f cross join creators c where c.id = f.creator_id and c.user_id is not null
  ${key ? sql`` : privatelyKnown(userId)}`;

const privatelyKnown = (userId: number) => sql`
  union select friend_id from (
    select friend_id from friendships where user_id = ${userId} order by friend_id desc limit ${KNOWN.friends}
  ) as friends
  union select other_id from (
    select other_id from conversation_sides where user_id = ${userId} order by last_id desc limit ${KNOWN.conversations}
  ) as sides where other_id is not null`;

export function namedLike(db: Db, text: string) {
  const name = sql<string>`author_key ${db.engine.binaryCollation}`;
  return sql<{ id: number }>`
    select user_id as id from (
      select user_id, author_key, follower_count from creators
      where platform = ${sql.lit(nativePlatform)} and ${isPrefixOf(text, name)} order by ${name} limit ${RANKED}
    ) as named order by follower_count desc, author_key limit ${limits.completions + SPARE}`;
}

/** Those of these accounts that can answer. */
export const readAccounts = (db: Db, ids: readonly number[], now: number) => sql<Row>`
  select u.id, u.username, u.display_name, u.avatar_url, u.operator_id
  from (${db.engine.oneOf(ids)}) as listed cross join users u
  where u.id = listed.id and u.removing_at is null and coalesce(u.suspended_until, 0) <= ${now}`;
