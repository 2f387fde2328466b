import { tagsIn } from "@tandem/contract/markdown/mentions-and-tags";
import { type Selectable, sql } from "kysely";
import { replacePostTags } from "../../features/tags/post-tags.ts";
import { byKey, forgetUses, tagsOfPost } from "../../features/tags/tag-uses.ts";
import type { PostFacts } from "../../storage/post-fragment.ts";
import { tagKeysOf } from "../../storage/post-tags.ts";
import type { TagUseRow } from "../../storage/schema/tags.ts";
import type { Db } from "../../storage/storage.ts";
import { contentOf } from "./content.ts";
import { type Finding, isDecided, isIn, type Keys, type Rule } from "./rule.ts";

/** Removed posts are compared, too: once restored, they must be found again. Posts from exports aren't in the index. */
const postTags: Rule = {
  what: "a post is found by its hashtags",
  table: "posts",
  key: "id",
  async find(db, keys) {
    return (await readTags(db, keys)).flatMap(({ id, expected, found }) => {
      const lacking = expected.filter((tag) => !found.includes(tag));
      const extra = found.filter((tag) => !expected.includes(tag));
      if (lacking.length === 0 && extra.length === 0) return [];
      const faults = [
        ...(lacking.length > 0 ? [`lacks ${listed(lacking)}`] : []),
        ...(extra.length > 0 ? [`has ${listed(extra)}`] : []),
      ];
      return [{ key: id, detail: `the index of hashtags ${faults.join(" and ")}` }];
    });
  },
  async repair(tx, keys) {
    // An edit has the post locked; after that, what is derived includes its change.
    if (tx.engine.rowLocks)
      await sql`select 1 from posts where ${isIn(tx, sql`id`, keys)} order by id for no key update`.execute(
        tx,
      );
    await replacePostTags(tx, await readTags(tx, keys));
  },
};

/** What a post's text has, and what the index has. One statement, so that both are of one state. */
async function readTags(db: Db, keys: Keys) {
  const { rows } = await sql<{ id: number; fragment: string | null; tag: string | null }>`
    select p.id, p.fragment, null as tag from posts p where ${isIn(db, sql`p.id`, keys)} and p.archived = 0
    union all select t.post_id, null, t.tag from post_tags t where ${isIn(db, sql`t.post_id`, keys)}`.execute(
    db,
  );
  const facts = new Map<number, PostFacts>();
  const found = new Map<number, string[]>();
  for (const { id, fragment, tag } of rows)
    if (fragment !== null) {
      const content = contentOf(fragment);
      if (content) facts.set(id, content);
    } else if (tag !== null) found.set(id, [...(found.get(id) ?? []), tag]);
  return [...facts].map(([id, facts]) => ({
    id,
    facts,
    expected: tagKeysOf(facts),
    found: found.get(id) ?? [],
  }));
}

const listed = (tags: readonly string[]) => tags.map((tag) => `#${tag}`).join(", ");

/**
 * Only what is recorded is compared. What is missing can't be told: a text's hashtags aren't recorded if its author has used very many,
 * or a key wrote an earlier version.
 */
const tagUses: Rule = {
  what: "a hashtag that counts for trends is in a text of who used it",
  table: "tag_uses",
  key: "user_id",
  async find(db, keys) {
    return (await unfoundedUses(db, keys)).map(
      ({ user_id: key, name, post_id, comment_id }): Finding => ({
        key,
        detail: `a use of #${name} isn't in ${comment_id === 0 ? `post ${post_id}` : `comment ${comment_id}`} by this account`,
      }),
    );
  },
  async repair(tx, keys) {
    await forgetUses(tx, await unfoundedUses(tx, keys));
  },
};

/** Uses in texts that don't have them, or are by others. Uses in texts that were deleted count no more, and end by themselves. */
async function unfoundedUses(db: Db, keys: Keys): Promise<Selectable<TagUseRow>[]> {
  const { rows } = await sql<
    Selectable<TagUseRow> & { author: number | null; fragment: string | null; body: string | null }
  >`
    select t.*, case when t.comment_id = 0 then a.user_id else c.user_id end as author, p.fragment, c.body
    from tag_uses t
      left join posts p on p.id = t.post_id and t.comment_id = 0 and p.removed = 0 and ${isDecided("p")}
      left join creators a on a.id = p.creator_id
      left join comments c on c.id = t.comment_id and c.deleted = 0 and c.removed = 0
    where ${isIn(db, sql`t.user_id`, keys)} and (p.id is not null or c.id is not null)`.execute(db);
  return rows.filter(({ tag, name, user_id, author, fragment, body }) => {
    const content = fragment === null ? null : contentOf(fragment);
    if (fragment !== null && !content) return false;
    const tags = content ? tagsOfPost(content) : tagsIn(body ?? "");
    return author !== user_id || byKey(tags).get(tag) !== name;
  });
}

export const tagRules: readonly Rule[] = [postTags, tagUses];
