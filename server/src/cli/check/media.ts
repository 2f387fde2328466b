import { sql } from "kysely";
import { MEDIA_PATH } from "../../media/names.ts";
import type { Store } from "../../media/store.ts";
import { fromFragment } from "../../storage/post-fragment.ts";
import { type Finding, isIn, type Rule } from "./rule.ts";

/** Files are deleted before their rows are, so only those that someone has must be there. */
const isOwned = sql`(m.post_id is not null or m.user_id is not null or m.draft_id is not null)`;

/** What the media store must have. */
export function mediaRules(store: Store): Rule[] {
  const files: Rule = {
    what: "the media store has every file, with its size",
    table: "media",
    key: "id",
    async find(db, keys) {
      const { rows } = await sql<{ id: number; name: string; bytes: number }>`
        select m.id, f.name, f.bytes from media m join media_files f on f.media_id = m.id
        where ${isIn(db, sql`m.id`, keys)} and ${isOwned}`.execute(db);
      const findings: Finding[] = [];
      for (const { id: key, name, bytes } of rows) {
        await using stored = await store.open(name);
        if (!stored) findings.push({ key, detail: `${name} is missing` });
        else if (stored.bytes !== bytes)
          findings.push({ key, detail: `${name} has ${stored.bytes} bytes instead of ${bytes}` });
      }
      return findings;
    },
  };
  return [files, shownFiles];
}

/** A post's own picture or video has a row, and belongs to the post. */
const shownFiles: Rule = {
  what: "a post has the files that it shows",
  table: "posts",
  key: "id",
  async find(db, keys) {
    const { rows } = await sql<{ id: number; fragment: string; name: string | null }>`
      select p.id, p.fragment, f.name from posts p
        left join media m on m.post_id = p.id left join media_files f on f.media_id = m.id
      where ${isIn(db, sql`p.id`, keys)} and p.fragment like ${`%"${MEDIA_PATH}%`}`.execute(db);
    const owned = new Map<number, { shown: string[]; names: Set<string | null> }>();
    for (const { id, fragment, name } of rows) {
      const post = owned.get(id) ?? { shown: shownBy(fragment), names: new Set() };
      post.names.add(name);
      owned.set(id, post);
    }
    return [...owned].flatMap(([key, { shown, names }]) =>
      shown.filter((name) => !names.has(name)).map((name) => ({ key, detail: `${name} isn't the post's` })),
    );
  },
};

function shownBy(fragment: string): string[] {
  const { mediaUrl, thumbnailUrl } = fromFragment(fragment);
  return [mediaUrl, thumbnailUrl].flatMap((url) =>
    url?.startsWith(MEDIA_PATH) ? [url.slice(MEDIA_PATH.length)] : [],
  );
}
