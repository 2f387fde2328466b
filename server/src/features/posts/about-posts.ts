import type { AboutPost } from "@tandem/contract/drafts";
import { limits } from "@tandem/contract/limits";
import { postWords } from "@tandem/contract/post-words";
import { fromFragment } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { shorten } from "../notifications/excerpts.ts";

/** The posts that drafts and activity entries are about, by the ids of the posts and of the comments that these name. */
export interface AboutPosts {
  byPost: ReadonlyMap<number, AboutPost>;
  byComment: ReadonlyMap<number, AboutPost>;
}

/** Reads posts by their ids and by those of comments on them. Removed posts are left out. */
export async function aboutPosts(
  db: Db,
  postIds: readonly number[],
  commentIds: readonly number[],
): Promise<AboutPosts> {
  const [byPost, byComment] = await Promise.all([readPosts(db, postIds), ofComments(db, commentIds)]);
  return { byPost, byComment };
}

async function readPosts(db: Db, ids: readonly number[]): Promise<Map<number, AboutPost>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("posts")
    .select(["id as about", "id", "fragment"])
    .where("id", "in", ids)
    .where("removed", "=", 0)
    .execute();
  return new Map(rows.map((row) => [row.about, aboutPost(row)]));
}

async function ofComments(db: Db, ids: readonly number[]): Promise<Map<number, AboutPost>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("comments as c")
    .innerJoin("posts as p", "p.id", "c.post_id")
    .select(["c.id as about", "p.id", "p.fragment"])
    .where("c.id", "in", ids)
    .where("p.removed", "=", 0)
    .execute();
  return new Map(rows.map((row) => [row.about, aboutPost(row)]));
}

/** Characters to read, so that an excerpt is full even if some are blanks or markup that are left out. */
const READ = 4 * limits.aboutExcerpt;

function aboutPost({ id, fragment }: { id: number; fragment: string }): AboutPost {
  const facts = fromFragment(fragment);
  const { title, provenance, provenanceBasis } = facts;
  const excerpt = title ? null : shorten(postWords(facts, READ), limits.aboutExcerpt) || null;
  return { id, title, excerpt, provenance, provenanceBasis };
}
