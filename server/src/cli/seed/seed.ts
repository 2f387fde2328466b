import { BATCH_SIZE, createBatch } from "@tandem/seed/batch";
import { createConsole } from "@tandem/seed/console";
import { createFollows } from "@tandem/seed/follows";
import { createLiveStreams } from "@tandem/seed/live";
import type { Batch } from "@tandem/seed/model";
import { createModeration } from "@tandem/seed/moderation";
import { createShopClicks } from "@tandem/seed/products";
import { createRelationships } from "@tandem/seed/relationships";
import { createWorld, randomFor } from "@tandem/seed/world";
import { addLive } from "../../features/live/live.ts";
import type { MediaFile } from "../../media/rows.ts";
import { addMedium } from "../../media/rows.ts";
import type { Db, Storage } from "../../storage/storage.ts";
import { sortNotifications } from "./counters.ts";
import { DailyCounts } from "./daily-counts.ts";
import { ExternalAuthors } from "./external-authors.ts";
import { type PictureStore, storeGallery } from "./store-pictures.ts";
import { writeConsole } from "./write-console.ts";
import { writeModeration } from "./write-moderation.ts";
import { writeBatch, writeShopClicks } from "./write-posts.ts";
import { writeFollows, writeRelationships } from "./write-relationships.ts";
import { demoPasswordHash, requireEmpty, writeWorld } from "./write-world.ts";

export { DEMO_PASSWORD } from "./write-world.ts";

export interface SeedOptions {
  posts: number;
  /** The same seed creates the same data. */
  seed?: string | number;
  /** When the last post is created, in milliseconds since 1970. */
  at?: number;
  /** Without it, posts refer to pictures that don't exist. */
  pictureStore?: PictureStore;
  /** Called after each batch with the number of posts so far. */
  onProgress?: (posts: number) => void;
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

/** Notifications of more posts than this stay in the order in which they were written. So many are for benchmarks. */
const MOST_SORTED = 20_000;

/** Accounts that have relationships among each other. */
const GROUP_SIZE = 2000;

/**
 * Fills an empty database with demo data: the same for the same number of posts, seed and time. Each batch of posts is one
 * transaction that leaves every counter exact, so a service may run on the same database meanwhile. Throws `Refusal` if the
 * database isn't empty.
 */
export async function seed(storage: Storage, options: SeedOptions): Promise<Seeded> {
  const { posts, seed = DEFAULT_SEED, at = DEFAULT_AT, pictureStore, onProgress = () => {} } = options;
  const plan = { posts, seed, end: at };
  // Before it stores pictures that nothing would show.
  await requireEmpty(storage.read);
  const stored = pictureStore ? await storeGallery(pictureStore, randomFor(plan)("gallery"), posts) : null;
  const world = createWorld(plan, stored?.gallery ?? null);
  const passwordHash = await demoPasswordHash();
  await storage.write((tx) => writeWorld(tx, world, passwordHash));
  const externalAuthors = new ExternalAuthors();
  const dailyCounts = new DailyCounts();
  dailyCounts.addAccounts(world.accounts);
  let last: Batch = { posts: [], comments: [], notifications: [] };
  const totals = { comments: 0, likes: 0 };
  for (let first = 0; first < posts; first += BATCH_SIZE) {
    const batch = createBatch(world, first);
    await storage.write(async (tx) => {
      await writeBatch(tx, batch, { externalAuthors, end: at });
      if (stored && first === 0) await addPictures(tx, stored.files, batch, world.span.start);
    });
    last = batch;
    dailyCounts.addBatch(batch);
    totals.comments += batch.comments.length;
    for (const post of batch.posts) totals.likes += post.likes.length;
    onProgress(first + batch.posts.length);
  }
  for (let first = 0; first < world.accounts.length; first += GROUP_SIZE) {
    const accounts = world.accounts.slice(first, first + GROUP_SIZE);
    const follows = createFollows(world, accounts, first, externalAuthors.creatorIds());
    const relationships = createRelationships(world, accounts, first);
    await writeFollows(storage, follows);
    await writeRelationships(storage, relationships);
  }
  await storage.write(async (tx) => {
    await writeConsole(tx, world, createConsole(world, last));
    await writeModeration(tx, createModeration(world, last), world.admin, dailyCounts);
    for (const { account, title, startedAt } of createLiveStreams(world))
      await addLive(tx, account.id, { title }, startedAt);
    await writeShopClicks(tx, createShopClicks(world));
    await dailyCounts.write(tx);
    if (posts <= MOST_SORTED) await sortNotifications(tx, world.accounts);
  });
  const person = world.people[0]?.username ?? "";
  return {
    ...totals,
    accounts: world.accounts.length,
    agents: world.agents.length,
    externalAuthors: externalAuthors.creatorIds().length,
    posts,
    person,
    operator: world.agents[0]?.operator?.username ?? person,
    admin: world.admin.username,
  };
}

/** Attaches the gallery's files to an imported post: no one can delete it, and with it the pictures that other posts show. */
async function addPictures(tx: Db, files: MediaFile[], { posts }: Batch, now: number): Promise<void> {
  const owner = posts.find(({ author }) => author === null) ?? posts[0];
  if (owner) await addMedium(tx, { owner: { post_id: owner.id }, state: "ready", files, now });
}
