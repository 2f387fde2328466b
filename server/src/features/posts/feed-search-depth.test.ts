import { limits } from "@tandem/contract/limits";
import { MAX_ID } from "@tandem/contract/schema";
import type { Caller } from "@tandem/testing/callers";
import { type ImportedPost, insertPosts } from "@tandem/testing/imported-posts";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Smaller than the real depth, because inserting that many posts would take too long. */
const DEPTH = 2500;
const { searchDepth } = limits;

describe.each(engines)("searches beyond the search depth on %s", (engine) => {
  let tandem: Tandem;
  let reader: Caller;
  let both: number[];
  beforeAll(async () => {
    Object.assign(limits, { searchDepth: DEPTH });
    tandem = await startTandem(engine);
    reader = tandem.as.anonymous();
    // Every post has an a or a b, each followed by more different characters than the text index expands. Few have both.
    const posts = Array.from({ length: 14_000 }, (_, i): ImportedPost => {
      const next = String.fromCodePoint(0x4e00 + (i % 900));
      if (i % 3500 === 0) return { title: "a b #rare", platform: "rss", ...(i === 0 && { author: "rare" }) };
      return { title: `${i % 2 === 0 ? "a" : "b"}${next}` };
    });
    const ids = await tandem.storage.write((tx) => insertPosts(tx, posts));
    both = ids.filter((_, i) => i % 3500 === 0).toReversed();
  });
  afterAll(async () => {
    Object.assign(limits, { searchDepth });
    await tandem.stop();
  });

  test("returns short pages whose cursors lead to every match", async () => {
    const found: number[] = [];
    const cursors: number[] = [];
    for (let cursor: number | null | undefined; cursor !== null; ) {
      const page = await reader.listPosts({ q: "a b", ...(cursor && { cursor }) });
      found.push(...page.posts.map((post) => post.id));
      cursor = page.nextCursor;
      cursors.push(cursor ?? 0);
    }
    expect(found).toEqual(both);
    expect(cursors).toEqual([...new Set(cursors)].toSorted((a, b) => b - a));
    expect(cursors.length).toBe(Math.ceil(14_000 / DEPTH));
  });

  test("does so by date, too", async () => {
    const found: number[] = [];
    for (let cursor: number | null = MAX_ID; cursor !== null; ) {
      const page = await reader.listPosts({ q: "a b", since: "2000-01-01", cursor });
      found.push(...page.posts.map((post) => post.id));
      cursor = page.nextCursor;
    }
    expect(found).toEqual(both);
    const ofOne = await reader.listPosts({ q: "a b", author: "rare", since: "2000-01-01" });
    expect([ofOne.posts.map((post) => post.id), ofOne.nextCursor]).toEqual([both.slice(-1), null]);
  });

  test("searches the hot feed only to that depth", async () => {
    const { posts, nextCursor } = await reader.listPosts({ q: "a b", sort: "hot" });
    expect([posts, nextCursor]).toEqual([[], null]);
  });

  test("finds few posts with a hashtag wherever they are", async () => {
    const hot = await reader.listPosts({ q: "#rare", sort: "hot" });
    expect([hot.posts.map((post) => post.id).toSorted((a, b) => b - a), hot.nextCursor]).toEqual([
      both,
      null,
    ]);
    const newest = await reader.listPosts({ q: "#rare #RARE a" });
    expect([newest.posts.map((post) => post.id), newest.nextCursor]).toEqual([both, null]);
  });

  test("searches a shorter feed completely", async () => {
    const { posts, nextCursor } = await reader.listPosts({ q: "a b", platform: "rss" });
    expect([posts.map((post) => post.id), nextCursor]).toEqual([both, null]);
  });
});
