import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import { MEDIA_PATH } from "../../media/names.ts";
import { filesWithRow } from "../../media/rows.ts";
import type { Store, StoredBytes } from "../../media/store.ts";
import { contentOf } from "./content.ts";
import { type Finding, isIn, type Rule } from "./rule.ts";

/** Files are deleted before their rows are, so only those that someone has must be there. */
const isOwned = sql`(m.post_id is not null or m.user_id is not null or m.draft_id is not null or m.community_id is not null)`;

/** What the media store must have. With `contents`, every file is read. */
export function mediaRules(store: Store, contents: boolean): Rule[] {
  const files: Rule = {
    what: `the media store has every file, with its ${contents ? "content" : "size"}`,
    table: "media",
    key: "id",
    async find(db, keys) {
      const { rows } = await sql<{ id: number; name: string; bytes: number; sha256: string | null }>`
        select m.id, f.name, f.bytes, f.sha256 from media m join media_files f on f.media_id = m.id
        where ${isIn(db, sql`m.id`, keys)} and ${isOwned}`.execute(db);
      const findings: Finding[] = [];
      for (const { id: key, name, bytes, sha256 } of rows) {
        await using stored = await store.open(name);
        if (!stored) findings.push({ key, detail: `${name} is missing` });
        else if (stored.bytes !== bytes)
          findings.push({ key, detail: `${name} has ${stored.bytes} bytes instead of ${bytes}` });
        else if (contents && sha256 !== null && (await hashOf(stored)) !== sha256)
          findings.push({ key, detail: `${name} doesn't have the content that was stored` });
      }
      return findings;
    },
  };
  return [files, shownFiles];
}

async function hashOf(stored: StoredBytes): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(await stored.stream(), hash);
  return hash.digest("hex");
}

/** A post's pictures and videos have rows. Posts of demo data share some. */
const shownFiles: Rule = {
  what: "the files that a post shows are known",
  table: "posts",
  key: "id",
  async find(db, keys) {
    const posts = await db
      .selectFrom("posts as p")
      .select(["p.id", "p.fragment"])
      .where(isIn(db, sql`p.id`, keys))
      .where("p.fragment", "like", `%"${MEDIA_PATH}%`)
      .execute();
    const shown = posts.flatMap(({ id: key, fragment }) => shownBy(fragment).map((name) => ({ key, name })));
    const known = await filesWithRow(
      db,
      shown.map(({ name }) => name),
    );
    return shown
      .filter(({ name }) => !known.has(name))
      .map(({ key, name }) => ({ key, detail: `${name} has no row` }));
  },
};

function shownBy(fragment: string): string[] {
  const content = contentOf(fragment);
  if (!content) return [];
  const { mediaUrl, thumbnailUrl, pictures = [] } = content;
  const others = pictures.slice(1).flatMap((picture) => [picture.url, picture.thumbnailUrl]);
  return [mediaUrl, thumbnailUrl, ...others].flatMap((url) =>
    url?.startsWith(MEDIA_PATH) ? [url.slice(MEDIA_PATH.length)] : [],
  );
}
