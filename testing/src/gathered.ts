import { nativePlatform, type OriginPlatform } from "@tandem/contract/origins";
import { creatorOf, foreignCreator } from "@tandem/server/features/creators/creators.queries";
import { type PostFacts, plainPost } from "@tandem/server/features/posts/fragment";
import { insertPost } from "@tandem/server/features/posts/posts.queries";
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
  const { platform = "reddit", author = "someone_else" } = gathering;
  return add(tx, await foreignCreator(tx, platform, author), { ...gathering, platform, author });
}

/** Adds an account's post past the API, for worlds of thousands. */
export async function publish(
  tx: Db,
  user: { id: number; username: string },
  gathering: Omit<Gathering, "platform">,
): Promise<number> {
  return add(tx, await creatorOf(tx, user.id), {
    ...gathering,
    platform: nativePlatform,
    author: user.username,
  });
}

type Added = Omit<Gathering, "platform"> & Pick<PostFacts, "platform" | "author">;

function add(tx: Db, creatorId: number, added: Added): Promise<number> {
  const { sourceId = null, score = 0, postedAt = Date.UTC(2026, 0, 1), ...facts } = added;
  return insertPost(tx, {
    creatorId,
    sourceId,
    originScore: score,
    postedAt,
    facts: {
      ...plainPost,
      title: null,
      authorIsAgent: false,
      provenance: "human",
      ...facts,
      postedAt: new Date(postedAt).toISOString(),
    },
  });
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
