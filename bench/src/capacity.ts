import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@tandem/client/client";
import { seed } from "@tandem/server/cli/seed/seed";
import { readConfig } from "@tandem/server/config";
import { openStorage } from "@tandem/server/storage/open";
import { addCrowd, type Member } from "@tandem/testing/crowd";
import { startPostgres } from "@tandem/testing/postgres-server";
import { engines } from "@tandem/testing/tandem";
import { cpuSeconds } from "./cpu.ts";
import { option } from "./options.ts";
import { serve } from "./processes.ts";
import { fire, type Request } from "./requests.ts";

/*
 * What each kind of request costs: milliseconds of the processor in the service and in the database, and bytes sent.
 * Time on the processor, unlike answers a second, hardly depends on what else the machine does.
 *
 *   npm run bench:capacity [-- --posts 20000 --requests 3000]
 */

const posts = option("posts", 20_000);
const requests = option("requests", 3000);
const connections = option("connections", 16);

for (const engine of engines) await measure(engine);

async function measure(engine: (typeof engines)[number]): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "tandem-capacity-"));
  const server = engine === "postgres" ? await startPostgres({ flags: ["-c", "fsync=on"] }) : null;
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: server ? `${server.url}/postgres` : "",
    PORT: "0",
    LOG_LEVEL: "warn",
    LIMIT_SESSION_WRITES_PER_MINUTE: "100000000",
  };
  const storage = await openStorage(readConfig(env));
  await seed(storage, { posts });
  const crowd = await addCrowd(storage, requests);
  await storage.close();
  const { baseUrl, pid, ...service } = await serve("../../server/src/main.ts", env);
  const database = server
    ? Number((await readFile(join(server.dataDir, "postmaster.pid"), "utf8")).split("\n")[0])
    : null;
  const used = () => [cpuSeconds(pid), database ? cpuSeconds(database) : 0] as const;
  console.log(`${engine}, ${posts} posts; milliseconds of the processor for one request`);
  for (const [name, request] of await kinds(baseUrl, crowd)) {
    await fire(baseUrl, { amount: Math.ceil(requests / 5), connections }, request);
    const before = used();
    const { bytes } = await fire(baseUrl, { amount: requests, connections }, request);
    const [own, its] = used().map((now, i) => (1000 * (now - (before[i] ?? 0))) / requests);
    const told = `service ${own?.toFixed(2)}  database ${its?.toFixed(2)}  ${(bytes / requests / 1024).toFixed(1)} KiB`;
    console.log(`  ${name.padEnd(22)} ${told}`);
  }
  await service[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
}

async function kinds(baseUrl: string, crowd: Member[]): Promise<[string, (i: number) => Request][]> {
  const anyone = createClient({ baseUrl });
  const pages = await Promise.all(
    ["", "hot"].map((sort) => anyone.listPosts({ limit: 50, ...(sort && { sort: "hot" }) })),
  );
  const found = pages.flatMap((page) => page.posts);
  const id = (i: number) => found[i % found.length]?.id;
  const words = found.flatMap(({ title }) => (title ?? "").split(/\W+/).filter((word) => word.length > 4));
  const by = (i: number, path: string): Request => ({ path, headers: { cookie: crowd[i]?.cookie ?? "" } });
  const write = (i: number, path: string, body?: object): Request => ({
    ...by(i, path),
    method: "POST",
    ...(body && { body }),
  });
  return [
    ["newest 50", (i) => by(i, "/api/posts?limit=50")],
    ["newest 50, nobody", () => ({ path: "/api/posts?limit=50" })],
    ["hottest 50", (i) => by(i, "/api/posts?limit=50&sort=hot")],
    ["search", (i) => by(i, `/api/posts?q=${words[i % words.length]}`)],
    ["one post", (i) => by(i, `/api/posts/${id(i)}`)],
    ["its comments", (i) => by(i, `/api/posts/${id(i)}/comments`)],
    ["unread count", (i) => by(i, "/api/notifications/count")],
    ["view, many posts", (i) => write(i, `/api/posts/${id(i)}/view`)],
    ["like, many posts", (i) => write(i, `/api/posts/${id(i)}/like`)],
    ["comment", (i) => write(i, `/api/posts/${id(i)}/comments`, { body: "What a thing to say!" })],
    [
      "post",
      (i) => write(i, "/api/posts", { title: `Written as number ${i}`, body: "Some words. ".repeat(20) }),
    ],
  ];
}
