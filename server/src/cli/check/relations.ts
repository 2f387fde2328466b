import { type RawBuilder, sql } from "kysely";
import { addOtherSides, lacksOtherSide } from "../../features/messages/other-sides.ts";
import type { Schema } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";
import { derived, type Finding, isDecided, isIn, type Keys, type Rule } from "./rule.ts";

/** The first post of the story that `t` belongs to. */
const head = sql`(select min(s.id) from posts s where s.story = t.story)`;

/** Conversations with a side whose latest message or unread count is wrong. */
const messagesOf = sql`messages m where m.conversation_id = t.conversation_id`;

/** Rows that match a condition, which is one statement. */
function finding(table: keyof Schema, key: string, where: RawBuilder<unknown>, detail: string) {
  return async (db: Db, keys: Keys): Promise<Finding[]> => {
    const column = sql.ref(`t.${key}`);
    const { rows } = await sql<{ key: number }>`
      select distinct ${column} as key from ${sql.table(table)} as t
      where ${isIn(db, column, keys)} and ${where}`.execute(db);
    return rows.map((row) => ({ key: Number(row.key), detail }));
  };
}

/** Each relationship is two rows, one from either side. */
function mirrored(what: string, table: "friendships" | "blocks", other: string, kept: string): Rule {
  const [name, otherName] = [sql.table(table), sql.ref(`t.${other}`)];
  const missing = sql`not exists (
    select 1 from ${name} as o where o.user_id = ${otherName} and o.${sql.ref(other)} = t.user_id)`;
  return {
    what,
    table,
    key: "user_id",
    find: finding(table, "user_id", missing, "the other side's row is missing"),
    async repair(tx, keys) {
      const value = table === "blocks" ? sql`null` : sql`t.${sql.ref(kept)}`;
      await sql`insert into ${name} (user_id, ${sql.ref(other)}, ${sql.ref(kept)})
        select ${otherName}, t.user_id, ${value} from ${name} as t
        where ${isIn(tx, sql`t.user_id`, keys)} and ${missing}`.execute(tx);
    },
  };
}

export const relationRules: readonly Rule[] = [
  derived({
    what: "duplicates of a story are marked",
    table: "posts",
    column: "story_rest",
    expected: sql`case when t.id = ${head} or t.source_id = (select s.source_id from posts s where s.id = ${head})
      then 0 else 1 end`,
    where: sql`t.story is not null`,
  }),
  derived({
    what: "a story's posts are counted",
    table: "posts",
    column: "story_count",
    expected: sql`case when t.id = ${head} then (select count(*) from posts s where s.story = t.story) else 1 end`,
    where: sql`t.story is not null`,
  }),
  {
    what: "what a removed post needs to be restored is there",
    table: "posts",
    key: "id",
    find: finding(
      "posts",
      "id",
      sql`t.removed <> (select count(*) from removed_posts r where r.post_id = t.id)`,
      "removed_posts doesn't agree with the column removed",
    ),
  },
  derived({
    what: "the files of removed posts aren't served, and those of others are",
    table: "media_files",
    column: "withheld",
    key: "media_id",
    expected: sql`(select p.removed from media m join posts p on p.id = m.post_id where m.id = t.media_id)`,
    where: sql`exists (
      select 1 from media m join posts p on p.id = m.post_id where m.id = t.media_id and ${isDecided("p")})`,
  }),
  derived({
    what: "a conversation's latest message is known",
    table: "conversation_sides",
    column: "last_id",
    key: "conversation_id",
    expected: sql`coalesce((select max(m.id) from ${messagesOf}), t.last_id)`,
  }),
  derived({
    what: "there are no more unread messages than messages",
    table: "conversation_sides",
    column: "unread",
    key: "conversation_id",
    expected: sql`(select count(*) from ${messagesOf} and m.side <> t.side)`,
    // A reader may have read some: so the count can be lower.
    where: sql`t.unread > (select count(*) from ${messagesOf} and m.side <> t.side)`,
  }),
  derived({
    what: "answered conversations are marked",
    table: "conversations",
    column: "answered",
    expected: sql`1`,
    where: sql`exists (select 1 from messages m where m.conversation_id = t.id and m.side = 1)`,
  }),
  {
    what: "a conversation has the sides of both accounts",
    table: "conversation_sides",
    key: "conversation_id",
    find: finding("conversation_sides", "conversation_id", lacksOtherSide, "the other side's row is missing"),
    repair: (tx, keys) => addOtherSides(tx, isIn(tx, sql`t.conversation_id`, keys)),
  },
  mirrored("a friendship has both sides", "friendships", "friend_id", "since"),
  mirrored("a block has both sides", "blocks", "other_id", "blocked_at"),
  derived({
    what: "scheduled drafts are due, and no others",
    table: "drafts",
    column: "due_at",
    expected: sql`case when t.state = 'scheduled' then t.publish_at end`,
    where: sql`(t.state = 'scheduled') <> (t.due_at is not null)`,
    wrong: sql`1 = 1`,
  }),
];
