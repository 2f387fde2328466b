import { nativePlatform, type OriginPlatform } from "@tandem/contract/origins";
import {
  countPostsOfAll,
  creatorOf,
  foreignCreator,
} from "@tandem/server/features/creators/creators.queries";
import { insertPost, type NewPost, postRow, searchText } from "@tandem/server/features/posts/posts.queries";
import { insertRows } from "@tandem/server/storage/bulk";
import { type PostFacts, postDefaults } from "@tandem/server/storage/post-fragment";
import type { Db, Storage } from "@tandem/server/storage/storage";

export interface ImportedPost extends Partial<Omit<PostFacts, "platform" | "postedAt">> {
  platform?: OriginPlatform;
  sourceId?: number;
  /** Its score at the origin. */
  score?: number;
  /** Milliseconds since 1970. */
  postedAt?: number;
}

/**
 * Inserts a post of another platform and returns its id. This bypasses `ingest`, which real imports use: it registers no item,
 * so the post belongs to no story.
 */
export async function insertImportedPost(tx: Db, post: ImportedPost = {}): Promise<number> {
  const [id] = await insertPosts(tx, [post]);
  return id as number;
}

/** A post of a local account, inserted without the API. */
export interface LocalPost extends Omit<ImportedPost, "platform" | "author"> {
  by: { id: number; username: string };
}

/** Inserts a post of a local account and returns its id. */
export async function insertLocalPost(
  tx: Db,
  by: LocalPost["by"],
  publication: Omit<LocalPost, "by">,
): Promise<number> {
  return insertPost(tx, await localPost(tx, { ...publication, by }));
}

/** Inserts thousands of imported and local posts and returns their ids, in that order. */
export async function insertPosts(tx: Db, wanted: (ImportedPost | LocalPost)[]): Promise<number[]> {
  const posts: NewPost[] = [];
  for (const post of wanted) posts.push(await ("by" in post ? localPost(tx, post) : importedPost(tx, post)));
  const first = await tx.engine.reserveIds(tx, "posts", posts.length);
  const rows = posts.map((post, i) => ({ id: first + i, ...postRow(post) }));
  await insertRows(tx, "posts", rows);
  const texts = posts.map(({ facts }, i) => ({ id: first + i, folded: searchText(facts) }));
  await tx.engine.postSearch.add(tx, texts);
  const counts = [...byCreator(posts)].map(([creatorId, [some, ...more]]) => ({
    creatorId,
    author: some.facts.author,
    posts: 1 + more.length,
  }));
  await countPostsOfAll(tx, counts);
  return rows.map(({ id }) => id);
}

function byCreator(posts: NewPost[]): Map<number, [NewPost, ...NewPost[]]> {
  const found = new Map<number, [NewPost, ...NewPost[]]>();
  for (const post of posts) {
    const others = found.get(post.creatorId);
    if (others) others.push(post);
    else found.set(post.creatorId, [post]);
  }
  return found;
}

async function importedPost(tx: Db, post: ImportedPost): Promise<NewPost> {
  const { platform = "reddit", author = "someone_else" } = post;
  return newPost(await foreignCreator(tx, platform, author), { ...post, platform, author });
}

async function localPost(tx: Db, { by, ...rest }: LocalPost): Promise<NewPost> {
  return newPost(await creatorOf(tx, by.id), { ...rest, platform: nativePlatform, author: by.username });
}

type Added = Omit<ImportedPost, "platform"> & Pick<PostFacts, "platform" | "author">;

function newPost(creatorId: number, added: Added): NewPost {
  const { sourceId = null, score = 0, postedAt = Date.UTC(2026, 0, 1), ...facts } = added;
  const { platform, provenance = "human" } = facts;
  const unsaid = provenance === "human" ? "assumed" : "origin";
  const provenanceBasis = platform === nativePlatform ? "declared" : unsaid;
  const plain = { ...postDefaults, title: null, authorIsAgent: false, provenance, provenanceBasis } as const;
  const at = new Date(postedAt).toISOString();
  return { creatorId, sourceId, originScore: score, postedAt, facts: { ...plain, ...facts, postedAt: at } };
}

/** Inserts a source and returns its id. */
export async function insertSource(
  storage: Storage,
  platform: OriginPlatform,
  name: string,
): Promise<number> {
  const { id } = await storage.write((tx) =>
    tx
      .insertInto("sources")
      .values({ platform, name, community: null })
      .returning("id")
      .executeTakeFirstOrThrow(),
  );
  return id;
}
