import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { runCommand as tandem } from "@tandem/testing/command";
import { dump } from "@tandem/testing/dump";
import { createDatabase } from "@tandem/testing/postgres";
import { copyDatabase } from "@tandem/testing/sqlite";
import { temporaryDirectory } from "@tandem/testing/storage";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";
import type { Environment } from "../config.ts";
import { PROGRESS_TABLE } from "../storage/migration-marker.ts";
import { openSqlite } from "../storage/sqlite/sqlite.ts";

const BASE_URL = "https://tandem.example";
const NOW = Date.UTC(2026, 1, 1);

const serve = (engine: "sqlite" | "postgres", env: Environment, dataDir: string) =>
  startTandem(engine, { env: { BASE_URL, ...env }, dataDir, now: () => NOW });

/** The responses that anonymous clients, a person and an agent get, without their tags: only on SQLite, pages are shared and tagged as such. */
async function responsesOf({ baseUrl }: Tandem, cookie: string, key: string) {
  const reads = [
    ...[
      "",
      "?limit=50&sort=hot",
      "?q=tea",
      "?q=%F0%9F%98%80",
      "?q=a&sort=hot",
      "?media=video",
      "?saved=1",
    ].map((query) => `/api/posts${query}`),
    ...["/api/posts?followed=1", "/api/posts?platform=native", "/api/posts/1", "/api/posts/1/comments"],
    ...["/api/creators/search?q=a", "/api/products", "/api/live", "/api/auth/me", "/api/notifications"],
    ...["/api/notifications/count", "/api/keys", "/api/agents", "/api/follows", "/api/creators/me/analytics"],
    "/api/keys/self",
  ];
  const responses: [string, number, string][] = [];
  for (const headers of [{}, { cookie }, { authorization: `Bearer ${key}` }]) {
    for (const read of reads) {
      const response = await fetch(baseUrl + read, { headers: headers as Record<string, string> });
      const name = `${Object.keys(headers)} ${read}`;
      responses.push([name, response.status, await response.text()]);
    }
  }
  return responses;
}

test("after a migration all responses are identical, and new ids continue", async () => {
  await using here = await directory();
  await using there = await createDatabase();
  await using back = await directory();
  expect(await tandem({ DATA_DIR: here.path }, "seed", "--posts", "120")).toMatchObject({ code: 0 });
  const source = await serve("sqlite", {}, here.path);
  const ada = await source.as.human();
  const agent = await source.as.agent(ada);
  const cookie = String(ada.options.headers?.cookie);
  const key = String(agent.options.key);
  await agent.createPost({ title: "😀 שלום\u200f tea", body: "\u2028" });
  const { post } = await ada.createPost({ title: "deleted" });
  await ada.savePost({ id: 1 });
  await ada.follow({ platform: "native", author: agent.agent.username });
  await ada.deletePost({ id: post.id });
  const before = await responsesOf(source, cookie, key);
  await source.stop();
  const ofAda = before.filter(([read]) => /^cookie/.test(read) && !read.includes("self"));
  expect(ofAda.filter(([, status]) => status !== 200)).toEqual([]);

  const moved = await tandem({ DATA_DIR: here.path, MIGRATE_TO: there.url }, "migrate");
  expect(moved).toMatchObject({
    code: 0,
    out: expect.stringContaining("Verified the row count and checksum"),
  });
  expect(moved.error).toMatch(/rows copied.*rows compared.*indexes and foreign keys/s);
  const target = await serve("postgres", { DATABASE_URL: there.url }, here.path);
  expect(await responsesOf(target, cookie, key)).toEqual(before);
  await target.stop();

  expect(await tandem({ DATA_DIR: here.path, DATABASE_URL: there.url }, "migrate", back.path)).toMatchObject({
    code: 0,
  });
  await using again = await serve("sqlite", {}, back.path);
  expect(await responsesOf(again, cookie, key)).toEqual(before);
  const next = await again.as.bearer(key).createPost({ title: "next" });
  expect(next.post.id).toBe(post.id + 1);
});

const directory = temporaryDirectory;

describe("a migration is refused", () => {
  const PASSWORD = "s3cret";

  test.each<string[]>([
    [],
    ["one", "two"],
    [""],
    ["--help-me"],
    [`mysql://user:${PASSWORD}@host/database`],
    [`postgres://user:${PASSWORD}@host:no/database`],
  ])("with invalid arguments: migrate %s %s", async (...args) => {
    await using here = await directory();
    const { code, out, error } = await tandem({ DATA_DIR: here.path }, "migrate", ...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(error).toContain("migrate [TARGET]");
    expect(error).not.toContain(PASSWORD);
  });

  test.each([
    `postgres://tandem:${PASSWORD}@127.0.0.1:1/tandem`,
    `postgres://tandem:%zz${PASSWORD}@127.0.0.1/tandem`,
    "/dev/null/nowhere",
  ])("with a one-line error if the target can't be used: %s", async (target) => {
    await using here = await directory();
    await copyDatabase(here.path);
    const { code, error } = await tandem({ DATA_DIR: here.path }, "migrate", target);
    expect(code).toBe(1);
    expect(error).toMatch(/^The target can't be used: .*\.\n$/);
    expect(error).not.toContain(PASSWORD);
  });

  test("if the target is the source, also under another name", async () => {
    await using here = await directory();
    await copyDatabase(here.path);
    await using elsewhere = await directory();
    await using database = await createDatabase();
    await symlink(here.path, join(elsewhere.path, "link"));
    const other = Object.assign(new URL(database.url), { hostname: "localhost" }).href;
    for (const [env, target] of [
      [{ DATA_DIR: here.path }, here.path],
      [{ DATA_DIR: here.path }, join(elsewhere.path, "link")],
      [{ DATABASE_URL: database.url }, other],
    ] as const) {
      const error = "The target is the same database as the source.\n";
      expect(await tandem(env, "migrate", target)).toEqual({ code: 1, out: "", error });
    }
  });

  test("if the target isn't empty, which leaves it unchanged", async () => {
    await using here = await directory();
    await copyDatabase(here.path);
    await using there = await createDatabase();
    await using full = await startTandem("postgres", { env: { DATABASE_URL: there.url } });
    await full.as.human();
    const before = await dump(full.storage);
    expect(await tandem({ DATA_DIR: here.path }, "migrate", there.url)).toEqual({
      code: 1,
      out: "",
      error: expect.stringMatching(/^The target already has users\. .*\.\n$/),
    });
    expect(await dump(full.storage)).toEqual(before);
  });

  test("if the source is itself an unfinished migration, which no service or command opens", async () => {
    await using here = await directory();
    await using there = await directory();
    const storage = await openSqlite(join(here.path, "tandem.db"));
    await storage.write((tx) => tx.schema.createTable(PROGRESS_TABLE).addColumn("name", "text").execute());
    await storage.close();
    const sentence = /^A migration into this database hasn't finished\. Run .* migrate/;
    for (const args of [["migrate", there.path], ["admin", "ada"], ["seed"]]) {
      expect(await tandem({ DATA_DIR: here.path }, ...args)).toMatchObject({
        code: 1,
        error: expect.stringMatching(sentence),
      });
    }
    await expect(startTandem("sqlite", { dataDir: here.path })).rejects.toThrow(sentence);
  });
});
