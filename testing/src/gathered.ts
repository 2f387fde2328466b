import { nativePlatform, type OriginPlatform } from "@tandem/contract/origins";
import { countPosts, creatorOf, foreignCreator } from "@tandem/server/features/creators/creators.queries";
import { insertPost, type NewPost, postRow, searchText } from "@tandem/server/features/posts/posts.queries";
import { insertRows } from "@tandem/server/storage/bulk";
import { type PostFacts, postDefaults } from "@tandem/server/storage/post-fragment";
import type { Db, Storage } from "@tandem/server/storage/storage";

export interface Gathering extends Partial<Omit<PostFacts, "platform" | "postedAt">> {
  platform?: OriginPlatform;
  sourceId?: number;
  /** What the origin's readers gave it. */
  score?: number;
  /** Milliseconds since 1970. */
  postedAt?: number;
}

/** Adds a post as it comes from another platform; gives back its id. */
export async function gather(tx: Db, gathering: Gathering = {}): Promise<number> {
  return insertPost(tx, await gathered(tx, gathering));
}

/** An account of ours, as the author of posts that go past the API. */
export interface Publication extends Omit<Gathering, "platform" | "author"> {
  by: { id: number; username: string };
}

/** Adds a post of one of our accounts; gives back its id. */
export async function publish(
  tx: Db,
  by: Publication["by"],
  publication: Omit<Publication, "by">,
): Promise<number> {
  return insertPost(tx, await published(tx, { ...publication, by }));
}

/** Adds posts by the thousand, of other platforms and of accounts; gives back their ids, in that order. */
export async function gatherAll(tx: Db, gatherings: (Gathering | Publication)[]): Promise<number[]> {
  const posts: NewPost[] = [];
  for (const one of gatherings) posts.push(await ("by" in one ? published(tx, one) : gathered(tx, one)));
  const first = await tx.engine.reserveIds(tx, "posts", posts.length);
  const rows = posts.map((post, i) => ({ id: first + i, ...postRow(post) }));
  await insertRows(tx, "posts", rows);
  const texts = posts.map(({ facts }, i) => ({ id: first + i, folded: searchText(facts) }));
  await tx.engine.postSearch.add(tx, texts);
  for (const [creatorId, [some, ...more]] of byCreator(posts))
    await countPosts(tx, creatorId, some.facts.author, 1 + more.length);
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

async function gathered(tx: Db, gathering: Gathering): Promise<NewPost> {
  const { platform = "reddit", author = "someone_else" } = gathering;
  return newPost(await foreignCreator(tx, platform, author), { ...gathering, platform, author });
}

async function published(tx: Db, { by, ...rest }: Publication): Promise<NewPost> {
  return newPost(await creatorOf(tx, by.id), { ...rest, platform: nativePlatform, author: by.username });
}

type Added = Omit<Gathering, "platform"> & Pick<PostFacts, "platform" | "author">;

function newPost(creatorId: number, added: Added): NewPost {
  const { sourceId = null, score = 0, postedAt = Date.UTC(2026, 0, 1), ...facts } = added;
  const plain = { ...postDefaults, title: null, authorIsAgent: false, provenance: "human" } as const;
  const at = new Date(postedAt).toISOString();
  return { creatorId, sourceId, originScore: score, postedAt, facts: { ...plain, ...facts, postedAt: at } };
}

/** A place that posts are gathered from; gives back its id. */
export async function addSource(storage: Storage, platform: OriginPlatform, name: string): Promise<number> {
  const { id } = await storage.write((tx) =>
    tx
      .insertInto("sources")
      .values({ platform, name, community: null })
      .returning("id")
      .executeTakeFirstOrThrow(),
  );
  return id;
}
