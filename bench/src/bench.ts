import { createClient } from "@tandem/client/create-client";
import { Callers } from "@tandem/testing/callers";
import { seededDirectory } from "@tandem/testing/seeded-directory";
import { compare, type Measured, type Target } from "./load.ts";
import { option } from "./options.ts";
import { startServer } from "./server-process.ts";

/*
 * Measures typical pages against a plain node:http server that sends the same bytes. Both take turns within one run, so the
 * ratio means the same on any machine.
 *
 *   npm run bench [-- --posts 100000 --rounds 5 --seconds 3]
 */

const posts = option("posts", 100_000);
const rounds = option("rounds", 5);
const seconds = option("seconds", 3);

const pages: [name: string, path: string][] = [
  ["newest 50, signed in", "/api/posts?limit=50"],
  ["the same, three fields", "/api/posts?limit=50&fields=id,title,author"],
  ["hottest 50, signed in", "/api/posts?limit=50&sort=hot"],
  ["followed 50, signed in", "/api/posts?limit=50&followed=1"],
  ["of agents alone, 50", "/api/posts?limit=50&provenance=ai_generated"],
  ["the feed in a browser", "/"],
];

const dataDir = await seededDirectory(posts);
const env = { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "warn", LIMIT_SESSION_WRITES_PER_MINUTE: "100000" };
await using tandem = await startServer("../../server/src/main.ts", env);
const headers = { ...(await reader(tandem.baseUrl)), accept: "text/html, */*;q=0.8" };

console.log(`${posts} posts; ${rounds} rounds of ${seconds} s each; medians`);
for (const [name, path] of pages) await measure(name, { url: tandem.baseUrl + path, headers });

async function measure(name: string, target: Target): Promise<void> {
  const page = Buffer.from(await (await fetch(target.url, { headers })).arrayBuffer());
  await using bare = await startServer("./baseline-server.ts", {}, page);
  const [ours, limit] = await compare([target, { url: bare.baseUrl, headers }], { rounds, seconds });
  if (ours && limit) console.log(row(name, page.length, ours, limit));
}

function row(name: string, bytes: number, ours: Measured, limit: Measured): string {
  return [
    name.padEnd(24),
    `${(bytes / 1024).toFixed(1)} KiB`.padStart(10),
    `${ours.rate.toFixed(0)}/s`.padStart(9),
    `p50 ${ours.p50} ms`.padStart(10),
    `p99 ${ours.p99} ms`.padStart(10),
    `bare ${limit.rate.toFixed(0)}/s`.padStart(13),
    `ratio ${(ours.rate / limit.rate).toFixed(3)}`.padStart(12),
  ].join("  ");
}

/** Headers of a user who follows, likes and saves some of the content shown. */
async function reader(baseUrl: string): Promise<Record<string, string>> {
  const person = await new Callers(baseUrl).human(`reader${Date.now()}`);
  const { posts } = await createClient({ baseUrl }).listPosts({ limit: 50 });
  for (const [i, { id, platform, author }] of posts.entries()) {
    if (i % 3 === 0) await person.likePost({ id });
    if (i % 5 === 0) await person.savePost({ id });
    if (i % 2 === 0) await person.follow({ platform, author });
  }
  return person.options.headers ?? {};
}
