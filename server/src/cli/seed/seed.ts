import type { Storage } from "../../storage/storage.ts";
import { BATCH, planBatch } from "./batch.ts";
import { AuthorsElsewhere } from "./elsewhere.ts";
import { FOLLOWERS, writeEnding, writeFollows } from "./ending.ts";
import { demoPasswordHash, settle } from "./settle.ts";
import { createWorld } from "./world.ts";
import { writeBatch } from "./write-batch.ts";

export { DEMO_PASSWORD } from "./settle.ts";

export interface SeedOptions {
  posts: number;
  /** The same word makes the same world. */
  seed?: string | number;
  /** When the last post was made, in milliseconds since 1970. */
  at?: number;
  /** Told after each transaction how many posts there are. */
  onProgress?: (done: number) => void;
}

/** What was made, as far as one needs to know to look around. */
export interface Seeded {
  accounts: number;
  agents: number;
  authorsElsewhere: number;
  posts: number;
  comments: number;
  likes: number;
  /** Somebody to log in as, and somebody with an agent. */
  person: string;
  operator: string;
}

export const DEFAULT_SEED = "tandem";
export const DEFAULT_AT = Date.UTC(2026, 0, 31, 12);

/**
 * Fills an empty database with a demo world: the same for the same posts, seed and time. Each batch of posts is
 * one transaction that leaves every count exact, so a service may run on the same database meanwhile. Throws
 * `Refusal` where there is anybody already.
 */
export async function seed(storage: Storage, options: SeedOptions): Promise<Seeded> {
  const { posts, seed: word = DEFAULT_SEED, at = DEFAULT_AT, onProgress = () => {} } = options;
  const world = createWorld(word, posts, at);
  const passwordHash = await demoPasswordHash();
  await storage.write((tx) => settle(tx, world, passwordHash));
  const elsewhere = new AuthorsElsewhere();
  const made = { comments: 0, likes: 0 };
  for (let first = 0; first < posts; first += BATCH) {
    const batch = planBatch(world, first);
    await storage.write((tx) => writeBatch(tx, batch, elsewhere));
    made.comments += batch.comments.length;
    for (const post of batch.posts) made.likes += post.likes.length;
    onProgress(first + batch.posts.length);
  }
  for (let first = 0; first < world.accounts.length; first += FOLLOWERS) {
    await storage.write((tx) => writeFollows(tx, world, elsewhere, first));
  }
  await storage.write((tx) => writeEnding(tx, world));
  const person = world.people[0]?.username ?? "";
  return {
    ...made,
    accounts: world.accounts.length,
    agents: world.agents.length,
    authorsElsewhere: elsewhere.creatorIds().length,
    posts,
    person,
    operator: world.agents[0]?.operator?.username ?? person,
  };
}
