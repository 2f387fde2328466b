import { addMedium } from "../../media/rows.ts";
import type { Db, Storage } from "../../storage/storage.ts";
import { BATCH, planBatch } from "./batch.ts";
import { writeConsole } from "./console.ts";
import { Days } from "./days.ts";
import { FOLLOWERS, writeEnding, writeFollows } from "./ending.ts";
import { ExternalAuthors } from "./external-authors.ts";
import { type PictureStore, paintGallery } from "./gallery.ts";
import { writeOrder } from "./moderation.ts";
import type { Batch } from "./plan.ts";
import { writeRelationships } from "./relationships.ts";
import { chanceOf, createWorld, type World } from "./world.ts";
import { writeBatch } from "./write-batch.ts";
import { adminOf, demoPasswordHash, writeWorld } from "./write-world.ts";

export { DEMO_PASSWORD } from "./write-world.ts";

export interface SeedOptions {
  posts: number;
  /** The same word makes the same world. */
  seed?: string | number;
  /** When the last post was made, in milliseconds since 1970. */
  at?: number;
  /** Where pictures are to hang; without, there are only addresses of some, where nothing is. */
  pictureStore?: PictureStore;
  /** Told after each transaction how many posts there are. */
  onProgress?: (done: number) => void;
}

/** A summary of the created data. */
export interface Seeded {
  accounts: number;
  agents: number;
  externalAuthors: number;
  posts: number;
  comments: number;
  likes: number;
  /** Usernames to log in with: a person, a person with an agent, and an admin. */
  person: string;
  operator: string;
  admin: string;
}

export const DEFAULT_SEED = "tandem";
export const DEFAULT_AT = Date.UTC(2026, 0, 31, 12);

/**
 * Fills an empty database with a demo world: the same for the same posts, seed and time. Each batch of posts is
 * one transaction that leaves every count exact, so a service may run on the same database meanwhile. Throws
 * `Refusal` if the database has accounts.
 */
export async function seed(storage: Storage, options: SeedOptions): Promise<Seeded> {
  const { posts, seed: word = DEFAULT_SEED, at = DEFAULT_AT, pictureStore, onProgress = () => {} } = options;
  const plan = { seed: word, posts, at };
  const world = createWorld(
    plan,
    pictureStore ? await paintGallery(pictureStore, chanceOf(plan)("gallery")) : null,
  );
  const passwordHash = await demoPasswordHash();
  await storage.write((tx) => writeWorld(tx, world, passwordHash));
  const elsewhere = new ExternalAuthors();
  const days = new Days();
  days.join(world);
  let last: Batch = { posts: [], comments: [], notices: [] };
  const made = { comments: 0, likes: 0 };
  for (let first = 0; first < posts; first += BATCH) {
    const batch = planBatch(world, first);
    await storage.write(async (tx) => {
      await writeBatch(tx, batch, elsewhere);
      if (first === 0) await hang(tx, world, batch);
    });
    last = batch;
    days.add(batch);
    made.comments += batch.comments.length;
    for (const post of batch.posts) made.likes += post.likes.length;
    onProgress(first + batch.posts.length);
  }
  for (let first = 0; first < world.accounts.length; first += FOLLOWERS) {
    await storage.write((tx) => writeFollows(tx, world, elsewhere, first));
    await storage.write((tx) => writeRelationships(tx, world, first));
  }
  await storage.write(async (tx) => {
    await writeConsole(tx, world, last);
    await writeOrder(tx, world, last, days);
    await days.write(tx);
    await writeEnding(tx, world);
  });
  const person = world.people[0]?.username ?? "";
  return {
    ...made,
    accounts: world.accounts.length,
    agents: world.agents.length,
    externalAuthors: elsewhere.creatorIds().length,
    posts,
    person,
    operator: world.agents[0]?.operator?.username ?? person,
    admin: adminOf(world).username,
  };
}

/**
 * Notes the gallery's files, as those of a post that was gathered: nobody here can delete it, and with it what others
 * show, too.
 */
async function hang(tx: Db, { gallery, span }: World, { posts }: Batch): Promise<void> {
  const host = posts.find(({ by }) => by === null) ?? posts[0];
  if (!gallery || !host) return;
  await addMedium(tx, { owner: { post_id: host.id }, state: "ready", files: gallery.files, now: span.from });
}
