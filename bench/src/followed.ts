import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@tandem/server/config";
import { insertRows } from "@tandem/server/storage/bulk";
import { openStorage } from "@tandem/server/storage/open";
import type { Db } from "@tandem/server/storage/storage";
import { addBulkUsers, type BulkUser } from "@tandem/testing/bulk-users";
import { insertPosts } from "@tandem/testing/imported-posts";
import { createDatabase, startDatabaseServer } from "@tandem/testing/postgres";
import { engines } from "@tandem/testing/tandem";
import { median } from "./median.ts";
import { option } from "./options.ts";
import { startServer } from "./server-process.ts";

/*
 * Compares the feed of 50 followed creators with that of the same creators and followed hashtags or communities, in turn within one
 * run: the time until a page of 50 has arrived.
 *
 *   npm run bench:followed [-- --posts 100000 --rounds 200]
 */

const posts = option("posts", 100_000);
const rounds = option("rounds", 200);

const CREATORS = 5000;
const FOLLOWS = 50;
const TOPICS = 500;
const TOPICS_PER_POST = 2;

/** How many hashtags and communities a reader follows. */
const readers = [
  { tags: 0, communities: 0 },
  { tags: 1, communities: 0 },
  { tags: 20, communities: 0 },
  { tags: 0, communities: 20 },
  { tags: 20, communities: 20 },
  { tags: 200, communities: 200 },
] as const;

const stop = await startDatabaseServer();
try {
  for (const engine of engines) await measure(engine);
} finally {
  await stop();
}

async function measure(engine: (typeof engines)[number]): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "tandem-followed-"));
  const database = engine === "postgres" ? await createDatabase() : null;
  const env = { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "warn", DATABASE_URL: database?.url ?? "" };
  const users = await populate(env);
  const { baseUrl, ...service } = await startServer("../../server/src/main.ts", env);
  const times = readers.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [i, { cookie }] of users.entries()) {
      const start = performance.now();
      // Another address each time, because the service remembers what it answered.
      const response = await fetch(`${baseUrl}/api/posts?followed=1&limit=50&_=${round}`, {
        headers: { cookie },
      });
      const { posts } = (await response.json()) as { posts: unknown[] };
      times[i]?.push(performance.now() - start);
      if (posts.length !== 50) throw new Error(`a page has ${posts.length} posts`);
    }
  const medians = times.map((some) => median(some));
  for (const [i, { tags, communities }] of readers.entries()) {
    const time = medians[i] ?? 0;
    const ratio = (time / (medians[0] ?? time)).toFixed(2);
    const follows = `${FOLLOWS} creators, ${tags} hashtags, ${communities} communities`;
    console.log(`${engine.padEnd(9)} ${follows.padEnd(48)} ${time.toFixed(2)} ms  ratio ${ratio}`);
  }
  await service[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
}

/** Fills the database. Returns the readers' accounts. */
async function populate(env: Record<string, string>): Promise<BulkUser[]> {
  const storage = await openStorage(readConfig(env));
  for (let from = 0; from < posts; from += 5000)
    await storage.write((tx) =>
      insertPosts(
        tx,
        Array.from({ length: 5000 }, (_, i) => postOf(from + i)),
      ),
    );
  const users = await addBulkUsers(storage, readers.length);
  await storage.write(async (tx) => {
    for (const [i, { id }] of users.entries()) await follow(tx, id, readers[i] ?? readers[0]);
    await tx.engine.catalog.analyze(tx);
  });
  await storage.close();
  return users;
}

/** Authors, hashtags and communities that differ in how much there is of them, in an order that looks random. */
function postOf(i: number) {
  const pick = (of: number, salt: number) => Math.floor(of * (((i + 1) * salt * 0.618_033_988_75) % 1) ** 2);
  const tags = Array.from({ length: TOPICS_PER_POST }, (_, k) => `#tag${pick(TOPICS, 7 + k)}`);
  return {
    platform: "lemmy" as const,
    author: `author${pick(CREATORS, 3)}`,
    community: `c${pick(TOPICS, 5)}`,
    title: `A post ${i} ${tags.join(" ")}`,
  };
}

async function follow(
  tx: Db,
  user_id: number,
  { tags, communities }: (typeof readers)[number],
): Promise<void> {
  const counts = { followed_tags: tags, followed_communities: communities };
  await tx.updateTable("users").set(counts).where("id", "=", user_id).execute();
  const creators = await tx
    .selectFrom("creators")
    .where("post_count", ">", 0)
    .orderBy("author")
    .limit(FOLLOWS)
    .select("id")
    .execute();
  await insertRows(
    tx,
    "follows",
    creators.map(({ id }) => ({ user_id, creator_id: id })),
  );
  const numbers = (count: number) =>
    Array.from({ length: count }, (_, i) => Math.floor((i * TOPICS) / count));
  if (tags > 0)
    await insertRows(
      tx,
      "tag_follows",
      numbers(tags).map((i) => ({ user_id, tag: `TAG${i}`, name: `tag${i}` })),
    );
  if (communities > 0)
    await insertRows(
      tx,
      "community_follows",
      numbers(communities).map((i) => ({
        ...{ user_id, platform: "lemmy" as const },
        ...{ community_key: `c${i}`, name: `c${i}` },
      })),
    );
}
