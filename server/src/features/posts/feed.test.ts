import { HOUR } from "@tandem/contract/durations";
import type { Person } from "@tandem/testing/callers";
import { insertImportedPost, insertLocalPost, insertSource } from "@tandem/testing/imported-posts";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removePosts } from "./remove-posts.ts";

describe.each(engines)("the feed on %s", (engine) => {
  let tandem: Tandem;
  let ada: Person;
  let reader: Person;
  let source: number;
  const made: Record<string, number> = {};

  beforeAll(async () => {
    tandem = await startTandem(engine);
    [ada, reader] = await Promise.all([tandem.as.human("ada"), tandem.as.human("reader")]);
    source = await insertSource(tandem.storage, "reddit", "r/tea");
    const at = Date.UTC(2026, 0, 1);
    await tandem.storage.write(async (tx) => {
      made.native = await insertLocalPost(tx, ada.user, { title: "Native", postedAt: at });
      made.reddit = await insertImportedPost(tx, {
        author: "Ada",
        title: "Reddit",
        community: "Tea",
        sourceId: source,
        score: 1000,
        postedAt: at + HOUR,
      });
      made.lemmy = await insertImportedPost(tx, {
        platform: "lemmy",
        title: "Lemmy",
        community: "tea",
        postedAt: at + HOUR,
      });
      made.youtube = await insertImportedPost(tx, {
        platform: "youtube",
        title: "Youtube",
        mediaType: "video",
        community: "Pots",
        provenance: "ai_assisted",
        postedAt: at + HOUR,
      });
      made.gif = await insertLocalPost(tx, ada.user, {
        title: "Gif",
        mediaType: "gif",
        provenance: "ai_generated",
        postedAt: at + HOUR,
      });
    });
  });
  afterAll(() => tandem.stop());

  const names = (ids: number[]) => ids.map((id) => Object.keys(made).find((name) => made[name] === id));
  type Query = Parameters<Person["listPosts"]>[0];
  const feed = async (query: Query = {}) =>
    names((await reader.listPosts(query)).posts.map((post) => post.id)).join(" ");

  test("lists newest first, and with sort=hot the best first", async () => {
    expect(await feed()).toBe("gif youtube lemmy reddit native");
    expect(await feed({ sort: "hot" })).toBe("reddit gif youtube lemmy native");
  });

  test("lists a period by when posts were posted, latest first", async () => {
    const late = Date.UTC(2025, 5, 1);
    made.late = await tandem.storage.write((tx) => insertImportedPost(tx, { title: "Late", postedAt: late }));
    expect(await feed({ since: "2025-06-01" })).toBe("gif youtube lemmy reddit native late");
    expect(await feed({ until: "2025-12-31" })).toBe("late");
    expect(await feed({ since: "2025-06-02", until: "2025-12-31" })).toBe("");
    expect(await feed({ since: "2026-01-01", until: "2026-01-01", sort: "hot", platform: "native" })).toBe(
      "gif native",
    );
    await expect(feed({ since: "2026-01-01", until: "2025-12-31" })).rejects.toMatchObject({
      code: "invalid_input",
      field: "until",
    });
    await tandem.storage.write((tx) => removePosts(tx, sql<number>`${made.late}`));
  });

  test.each<[Query, string]>([
    [{ author: "ada" }, "gif reddit native"],
    [{ author: "ADA", platform: "native" }, "gif native"],
    [{ author: "ada", platform: "reddit" }, "reddit"],
    [{ author: "nobody" }, ""],
    [{ author: "nobody", platform: "rss" }, ""],
    [{ platform: "native" }, "gif native"],
    [{ platform: "bluesky" }, ""],
    [{ platform: "myspace" }, ""],
    [{ media: "video" }, "youtube"],
    [{ community: "TEA" }, "lemmy reddit"],
    [{ subreddit: "tea" }, "reddit"],
    [{ channel: "pots" }, "youtube"],
    [{ channel: "tea" }, ""],
    [{ subreddit: "tea", community: "tea" }, "reddit"],
    [{ subreddit: "tea", channel: "pots" }, ""],
    [{ community: "tea", platform: "lemmy" }, "lemmy"],
    [{ provenance: "human" }, "lemmy reddit native"],
    [{ provenance: "ai_generated,ai_assisted" }, "gif youtube"],
    [{ provenance: "human,human" }, "lemmy reddit native"],
    [{ basis: "assumed" }, "lemmy reddit"],
    [{ basis: "declared" }, "gif native"],
    [{ basis: "origin,stamped" }, "youtube"],
    [{ basis: "stamped,declared,origin,assumed" }, "gif youtube lemmy reddit native"],
    [{ provenance: "human", basis: "declared,origin" }, "native"],
    [{ provenance: "human", basis: "stamped" }, ""],
    [{ platform: "native", provenance: "human" }, "native"],
    [{ platform: "lemmy", basis: "assumed" }, "lemmy"],
    [{ platform: "lemmy", basis: "declared" }, ""],
    [{ provenance: "human,ai_generated,ai_assisted" }, "gif youtube lemmy reddit native"],
    [{ q: "  " }, "gif youtube lemmy reddit native"],
    [{ q: "IT" }, "reddit"],
    [{ saved: 0, followed: 0 }, "gif youtube lemmy reddit native"],
    [{ sort: "new" }, "gif youtube lemmy reddit native"],
    [{ cursor: 0 }, ""],
    [{ cursor: Number.MAX_SAFE_INTEGER }, "gif youtube lemmy reddit native"],
    [{ sort: "hot", cursor: 10_000 }, ""],
  ])("%j shows %j", async (query, shown) => {
    expect(await feed(query)).toBe(shown);
  });

  test("filters by source with sourceId", async () => {
    expect(await feed({ sourceId: source })).toBe("reddit");
    expect(await feed({ sourceId: source + 1 })).toBe("");
  });

  test("filters by followed creators, native and imported", async () => {
    expect(await feed({ followed: 1 })).toBe("");
    await reader.follow({ platform: "native", author: "ada" });
    await reader.follow({ platform: "youtube", author: "someone_else" });
    expect(await feed({ followed: 1 })).toBe("gif youtube native");
    expect(await feed({ followed: 1, provenance: "human" })).toBe("native");
    const { posts } = await reader.listPosts();
    expect(names(posts.filter((post) => post.followedCreator).map((post) => post.id)).join(" ")).toBe(
      "gif youtube native",
    );
  });

  test.each<[string, object]>([
    ["limit", { limit: 0 }],
    ["limit", { limit: 51 }],
    ["limit", { limit: -1 }],
    ["limit", { limit: "ten" }],
    ["limit", { limit: 1.5 }],
    ["cursor", { cursor: -1 }],
    ["cursor", { cursor: "x" }],
    ["cursor", { cursor: "9007199254740992" }],
    ["sort", { sort: "best" }],
    ["media", { media: "image" }],
    ["saved", { saved: 2 }],
    ["followed", { followed: "yes" }],
    ["sourceId", { sourceId: 0 }],
    ["provenance", { provenance: "alien" }],
    ["provenance", { provenance: "human,,ai_generated" }],
    ["provenance", { provenance: "" }],
    ["basis", { basis: "hearsay" }],
    ["subreddit", { subreddit: "" }],
    ["q", { q: "x".repeat(301) }],
  ])("rejects an invalid %s: %j", async (field, query) => {
    const { status, body } = await reader.call("listPosts", query);
    expect({ status, code: body.code, field: body.field }).toEqual({
      status: 400,
      code: "invalid_input",
      field,
    });
  });

  test("requires authentication for saved and followed posts", async () => {
    for (const query of [{ saved: 1 }, { followed: 1 }] as const) {
      await expect(tandem.as.anonymous().listPosts(query)).rejects.toMatchObject({
        status: 401,
        code: "unauthorized",
      });
    }
  });

  test("returns 20 posts per page by default and 50 at most, with a cursor and a link to the next page", async () => {
    await tandem.storage.write(async (tx) => {
      for (let i = 0; i < 60; i++)
        await insertImportedPost(tx, { platform: "rss", author: "press", title: `Issue ${i}` });
    });
    const size = async (query: Query) => (await reader.listPosts({ author: "press", ...query })).posts.length;
    expect([await size({}), await size({ limit: 50 }), await size({ limit: 1 })]).toEqual([20, 50, 1]);
    const { posts, nextCursor } = await reader.listPosts({ author: "press" });
    expect(nextCursor).toBe(posts.at(-1)?.id);
    const { headers } = await reader.call("listPosts", { author: "press" });
    const [, next = ""] = /^<([^>]+)>; rel="next", /.exec(headers.get("link") ?? "") ?? [];
    const { searchParams } = new URL(next);
    expect(Object.fromEntries(searchParams)).toEqual({ author: "press", cursor: String(nextCursor) });
    const hot = await reader.listPosts({ author: "press", sort: "hot", limit: 7 });
    expect(hot.nextCursor).toBe(7);
    const last = await reader.call("listPosts", { author: "press", sort: "hot", cursor: 40 });
    expect(last.body.nextCursor).toBe(null);
    expect(last.headers.get("link")).not.toContain('rel="next"');
  });

  test("orders posts of equal rank newest first across creators", async () => {
    const fan = await tandem.as.human();
    const authors = ["one", "two", "three", "four"];
    const ids = await tandem.storage.write(async (tx) => {
      const added: number[] = [];
      for (const author of authors)
        added.push(await insertImportedPost(tx, { platform: "mastodon", author }));
      return added;
    });
    for (const author of authors) await fan.follow({ platform: "mastodon", author });
    for (const query of [{ followed: 1 }, { platform: "mastodon" }] as const) {
      for (const limit of [1, 2, 4]) {
        const { posts } = await fan.listPosts({ ...query, sort: "hot", limit });
        expect(posts.map((post) => post.id)).toEqual(ids.toReversed().slice(0, limit));
      }
    }
  });

  test("returns no post twice while paging when new posts arrive", async () => {
    const first = await reader.listPosts({ author: "press", limit: 30 });
    await tandem.storage.write((tx) =>
      insertImportedPost(tx, { platform: "rss", author: "press", title: "Extra" }),
    );
    const cursor = Number(first.nextCursor);
    const second = await reader.listPosts({ author: "press", limit: 50, cursor });
    const ids = [...first.posts, ...second.posts].map((post) => post.id);
    expect([ids.length, new Set(ids).size, second.nextCursor]).toEqual([60, 60, null]);
  });
});
