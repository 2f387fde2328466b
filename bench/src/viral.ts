import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@tandem/client/create-client";
import { readConfig } from "@tandem/server/config";
import { openStorage } from "@tandem/server/storage/open";
import { addBulkUsers, type BulkUser } from "@tandem/testing/bulk-users";
import { insertPosts } from "@tandem/testing/imported-posts";
import { createDatabase, startDatabaseServer } from "@tandem/testing/postgres";
import { engines } from "@tandem/testing/tandem";
import { median } from "./median.ts";
import { option } from "./options.ts";
import { sendRequests } from "./requests.ts";
import { startServer } from "./server-process.ts";

/*
 * Compares likes and views of a single post with as many spread over many posts, in turn within one run: the cost of
 * contention on one row. Every like comes from another account, and all must be counted.
 *
 *   npm run bench:viral [-- --likes 10000 --rounds 3 --connections 64]
 */

const likes = option("likes", 10_000);
const rounds = option("rounds", 3);
const connections = option("connections", 64);

const stop = await startDatabaseServer();
try {
  console.log(`${likes} likes and views a round by as many accounts, ${rounds} rounds in turn; medians`);
  for (const engine of engines) await measure(engine);
} finally {
  await stop();
}

async function measure(engine: (typeof engines)[number]): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "tandem-viral-"));
  const database = engine === "postgres" ? await createDatabase() : null;
  const env = { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "warn", DATABASE_URL: database?.url ?? "" };
  const { users, posts } = await populate(env);
  const { baseUrl, ...service } = await startServer("../../server/src/main.ts", env);
  for (const [what, path] of [
    ["likes", "like"],
    ["views", "view"],
  ] as const) {
    const rates: { hot: number[]; spread: number[] } = { hot: [], spread: [] };
    for (let round = 0; round < rounds; round++) {
      const hot = posts.hot[round] ?? 0;
      const url = (id: number) => `/api/posts/${id}/${path}`;
      rates.hot.push(await sendFromEach(baseUrl, users, () => url(hot)));
      rates.spread.push(await sendFromEach(baseUrl, users, (i) => url(posts.spread[round * likes + i] ?? 0)));
      await requireAll(baseUrl, hot, what);
    }
    const [hot, spread] = [median(rates.hot), median(rates.spread)];
    const figures = `one post ${hot.toFixed(0)}/s  many posts ${spread.toFixed(0)}/s  ratio ${(hot / spread).toFixed(2)}`;
    console.log(`${engine.padEnd(9)} ${what}  ${figures}`);
  }
  await service[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
}

async function populate(env: Record<string, string>) {
  const storage = await openStorage(readConfig(env));
  const users = await addBulkUsers(storage, likes);
  const authors = users.slice(0, 1000).map((by, i) => ({ by, title: `Post ${i}` }));
  const posts = { hot: [] as number[], spread: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    posts.hot.push(...(await storage.write((tx) => insertPosts(tx, authors.slice(0, 1)))));
    for (let at = 0; at < likes; at += authors.length)
      posts.spread.push(...(await storage.write((tx) => insertPosts(tx, authors.slice(0, likes - at)))));
  }
  await storage.close();
  return { users, posts };
}

/** Sends one request per user. Returns responses per second. */
async function sendFromEach(
  baseUrl: string,
  users: BulkUser[],
  path: (i: number) => string,
): Promise<number> {
  const amount = users.length;
  const { seconds } = await sendRequests(baseUrl, { amount, connections }, (i) => ({
    method: "POST",
    path: path(i),
    headers: { cookie: users[i]?.cookie ?? "" },
  }));
  return amount / seconds;
}

async function requireAll(baseUrl: string, id: number, what: "likes" | "views"): Promise<void> {
  const { post } = await createClient({ baseUrl }).readPost({ id });
  const counted = what === "likes" ? post.likeCount : post.viewCount;
  if (counted !== likes) throw new Error(`of ${likes} ${what} ${counted} were counted`);
}
