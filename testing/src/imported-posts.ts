import { nativePlatform, type OriginPlatform } from "@tandem/contract/origins";
import type { PostOrigin } from "@tandem/contract/post-resources";
import {
  authorKey,
  countPostsOfAll,
  creatorOf,
  foreignCreator,
  foreignCreators,
} from "@tandem/server/features/creators/creators.queries";
import { insertPost, type NewPost, postRow, searchText } from "@tandem/server/features/posts/posts.queries";
import { addPostTags } from "@tandem/server/features/tags/post-tags";
import { insertRows } from "@tandem/server/storage/bulk";
import { type PostFacts, postDefaults } from "@tandem/server/storage/post-fragment";
import type { Db, Storage } from "@tandem/server/storage/storage";

export interface ImportedPost extends Partial<Omit<PostFacts, "platform" | "postedAt">> {
  platform?: OriginPlatform;
  sourceId?: number;
  /** Its score at the origin. */
  score?: number;
  /** Where it is at its origin, and its counts there. */
  origin?: PostOrigin | null;
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
  const post = { ...publication, by };
  return insertPost(tx, newPost(await creatorIdOf(tx, post), asAdded(post)));
}

/** Inserts thousands of imported and local posts and returns their ids, in that order. */
export async function insertPosts(tx: Db, wanted: (ImportedPost | LocalPost)[]): Promise<number[]> {
  const posts: NewPost[] = [];
  const creators = new Map<string | number, number>();
  for (const post of wanted) {
    const added = asAdded(post);
    const key = "by" in post ? post.by.id : `${added.platform} ${added.author}`;
    const creatorId = creators.get(key) ?? (await creatorIdOf(tx, post));
    creators.set(key, creatorId);
    posts.push(newPost(creatorId, added));
  }
  const first = await tx.engine.reserveIds(tx, "posts", posts.length);
  const rows = posts.map((post, i) => ({ id: first + i, ...postRow(post) }));
  await insertRows(tx, "posts", rows);
  const texts = posts.map(({ facts }, i) => ({ id: first + i, folded: searchText(facts) }));
  await tx.engine.postSearch.add(tx, texts);
  await addPostTags(
    tx,
    posts.map(({ facts }, i) => ({ id: first + i, facts })),
  );
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

function asAdded(post: ImportedPost | LocalPost): Added {
  if ("by" in post) {
    const { by, ...rest } = post;
    return { ...rest, platform: nativePlatform, author: by.username };
  }
  const { platform = "reddit", author = "someone_else" } = post;
  return { ...post, platform, author };
}

function creatorIdOf(tx: Db, post: ImportedPost | LocalPost): Promise<number> {
  if ("by" in post) return creatorOf(tx, post.by.id);
  const { platform = "reddit", author = "someone_else" } = post;
  return foreignCreator(tx, platform, author);
}

/** Inserts thousands of authors of another platform, if they are unknown, and returns their ids, in that order. */
export async function insertCreators(tx: Db, platform: OriginPlatform, authors: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (let done = 0; done < authors.length; done += CREATORS_AT_ONCE) {
    const some = authors.slice(done, done + CREATORS_AT_ONCE);
    const found = await foreignCreators(tx, platform, some);
    ids.push(...some.map((author) => Number(found.get(authorKey(author)))));
  }
  return ids;
}

/** SQLite allows 32,766 parameters in a statement. */
const CREATORS_AT_ONCE = 1000;

type Added = Omit<ImportedPost, "platform"> & Pick<PostFacts, "platform" | "author">;

function newPost(creatorId: number, added: Added): NewPost {
  const { sourceId = null, score = 0, origin = null, postedAt = Date.UTC(2026, 0, 1), ...facts } = added;
  const { platform, provenance = "human" } = facts;
  const unsaid = provenance === "human" ? "assumed" : "origin";
  const provenanceBasis = platform === nativePlatform ? "declared" : unsaid;
  const plain = { ...postDefaults, title: null, authorIsAgent: false, provenance, provenanceBasis } as const;
  const at = new Date(postedAt).toISOString();
  return {
    creatorId,
    sourceId,
    originScore: score,
    origin,
    postedAt,
    facts: { ...plain, ...facts, postedAt: at },
  };
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

/** Two visits to a source: one failed, and the one before left an item out. */
export async function insertVisits(tx: Db, sourceId: number): Promise<void> {
  const url = `https://example.org/${"long-".repeat(30)}`;
  const skipped = JSON.stringify({
    counts: [{ reason: "other_source", count: 3 }],
    examples: [{ reason: "other_source", title: "On looms", url }],
  });
  const visit = { source_id: sourceId, started_at: Date.now(), duration_ms: 80, requests: 1, bytes: 2000 };
  const counts = { seen: 5, added: 2, changed: 0, withdrawn: 0 };
  const error = `${url} responded with status 500.`;
  await insertRows(tx, "source_visits", [
    { ...visit, ...counts, slot: 1, number: 1, outcome: "imported", skipped, error: null },
    { ...visit, ...counts, slot: 2, number: 2, outcome: "failed", skipped: null, error },
  ]);
}
