import { MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { Post } from "@tandem/contract/post-resources";
import type { Caller, Person } from "@tandem/testing/callers";
import { insertPosts } from "@tandem/testing/imported-posts";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hotRank } from "./hot.ts";

describe.each(engines)("search in any script on %s", (engine) => {
  const cases: [text: string, q: string, found: boolean][] = [
    ["Straße", "STRASSE", true],
    ["STRASSE", "straße", true],
    ["GROẞ", "groß", true],
    ["ΟΔΥΣΣΕΥΣ", "οδυσσευς", true],
    ["Ὀδυσσεύς", "ὈΔΥΣΣΕΎΣ", true],
    ["ΐ", "Ϊ́", true],
    ["İstanbul", "İSTANBUL", true],
    ["İZMİR", "i̇zmi̇r", true],
    ["ПРИВЕТ", "привет", true],
    ["გამარჯობა", "ᲒᲐᲛᲐᲠᲯᲝᲑᲐ", true],
    ["ԲԱՐԵՒ", "բարև", true],
    ["𐐔𐐯𐑅𐐨𐑉𐐯𐐻", "𐐼𐐇𐐝𐐀𐐡𐐇𐐓", true],
    ["cafe\u0301 noir", "CAFÉ", true],
    ["Café noir", "cafe\u0301", true],
    ["Café", "cafe", false],
    ["東京タワー", "京", true],
    ["東京タワー", "京タ", true],
    ["東京タワー", "京都", false],
    ["안녕하세요", "녕하", true],
    ["a duck 🦆 swims", "🦆", true],
    ["a family 👨‍👩‍👧", "👩", true],
    ["a duck 🦆 swims", "🦢", false],
    ["100% sure", "0%", true],
    ["100 sure", "%", false],
    ["snake_case", "e_c", true],
    ["snakeXcase", "e_c", false],
    [`say "please"`, `"please"`, true],
    [`say please`, `"please"`, false],
    ["it's", "'s", true],
    ["a\\b", "\\", true],
    ["a OR b", "or", true],
    ["near(x)", "NEAR(", true],
    ["title:x*", ":x*", true],
    ["--;", "--;", true],
    ["end", "d", true],
    ["end", "nd", true],
    ["x", "X", true],
    ["one two", "one\u00a0two", true],
    ["one two", "\u3000TWO\tone\n", true],
    ["one two", "onetwo", false],
    ["one two", "one three", false],
    ["ab".repeat(140), "AB".repeat(140), true],
    ["ab".repeat(140), `${"ab".repeat(140)}c`, false],
    ["\ue000\ue000\ue000", "\ue000", true],
  ];

  test.each(cases)("in %j, the query %j matches: %j", async (text, q, found) => {
    const [inTitle, inBody] = await Promise.all([
      ada.createPost({ title: text }),
      ada.createPost({ title: "-", body: `before ${text} after` }),
    ]);
    const own = new Set([inTitle.post.id, inBody.post.id]);
    for (const sort of [{}, { sort: "hot" }] as const) {
      const { posts } = await ada.listPosts({ q, limit: 50, ...sort });
      expect(posts.filter((post) => own.has(post.id))).toHaveLength(found ? 2 : 0);
    }
    await Promise.all([...own].map((id) => ada.deletePost({ id })));
  });

  test("finds each word in the title or in the body, but no word that spans both", async () => {
    const { post } = await ada.createPost({ title: "butter", body: "fly" });
    expect((await ada.listPosts({ q: "butterfly" })).posts).toEqual([]);
    expect((await ada.listPosts({ q: "fly butter" })).posts).toEqual([post]);
  });

  test("refuses more different words than the limit, and counts repeated ones once", async () => {
    const words = Array.from({ length: limits.queryTerms + 1 }, (_, i) => `w${i}`);
    const search = (q: string) => [ada.call("listPosts", { q }), ada.call("searchCreators", { q })];
    for (const { status, body } of await Promise.all(search(words.join(" ")))) {
      expect({ status, ...body }).toMatchObject({ status: 400, code: "invalid_input", field: "q" });
    }
    for (const { status } of await Promise.all(search(`${words.slice(1).join(" ")} W1`)))
      expect(status).toBe(200);
  });

  let tandem: Tandem;
  let ada: Person;
  beforeAll(async () => {
    tandem = await startTandem(engine);
    ada = await tandem.as.human();
  });
  afterAll(() => tandem.stop());
});

/** More than the depth of the hot feed, and more than a search probes in the feed's order or sorts. */
const SIZE = limits.hotDepth + 100;

interface Known {
  id: number;
  author: string;
  text: string;
  provenance: "human" | "ai_assisted";
  rank: number;
}

describe.each(engines)("a search of many posts on %s", (engine) => {
  let tandem: Tandem;
  let ada: Person;
  let known: Known[];

  beforeAll(async () => {
    tandem = await startTandem(engine);
    ada = await tandem.as.human("ada");
    const made = Array.from({ length: SIZE }, (_, i) => {
      const author = i % 3 === 0 ? "ada" : "else";
      const provenance = i % 5 === 0 ? ("ai_assisted" as const) : ("human" as const);
      const [title, score, postedAt] = [
        words(i),
        (i * 7919) % 1000,
        Date.UTC(2026, 0, 1) + (i % 100) * MINUTE,
      ];
      const facts = { title, body: "Everywhere.", provenance, score, postedAt };
      return {
        post: author === "ada" ? { ...facts, by: ada.user } : { ...facts, author },
        author,
        provenance,
        text: `${title}\nEverywhere.`.toUpperCase(),
        rank: hotRank({ score, postedAt, comments: 0 }),
      };
    });
    const posts = made.map(({ post }) => post);
    const added = await tandem.storage.write((tx) => insertPosts(tx, posts));
    known = made.map((post, i) => ({ ...post, id: added[i] as number })).toReversed();
  });
  afterAll(() => tandem.stop());

  const rare = ["needle", "針", "針葉", "ne", "x-9", "Ω1"];
  const common = ["every", "where.", "e", "v1", "v12", "ab", "☃"];

  test("returns the same pages as a naive search", async () => {
    const queries = fc.record({
      terms: fc.subarray([...rare, ...common, "absent"], { minLength: 1, maxLength: 2 }),
      hot: fc.boolean(),
      author: fc.constantFrom(undefined, "ada"),
      provenance: fc.constantFrom(undefined, "human" as const, "ai_assisted" as const),
      limit: fc.integer({ min: 1, max: 50 }),
      at: fc.constantFrom(0, 0, 1, 7, 990, 1500, 6000, SIZE - 150),
    });
    const property = fc.asyncProperty(queries, async ({ terms, hot, author, provenance, limit, at }) => {
      const all = known
        .filter((post) => terms.every((term) => post.text.includes(term.toUpperCase())))
        .filter((post) => (author ?? post.author) === post.author)
        .filter((post) => (provenance ?? post.provenance) === post.provenance);
      const cursor = hot ? at : Number(known[at]?.id);
      const rest = hot
        ? all.toSorted((a, b) => b.rank - a.rank || b.id - a.id).slice(cursor)
        : all.filter((post) => post.id < cursor);
      const page = rest.slice(0, limit).map((post) => post.id);
      const narrow = {
        ...(author && { author }),
        ...(provenance && { provenance }),
        ...(hot && { sort: "hot" as const }),
      };
      const response = await ada.listPosts({ q: terms.join(" "), cursor, limit, ...narrow });
      expect(ids(response.posts)).toEqual(page);
      const next = hot ? cursor + limit : page.at(-1);
      expect(response.nextCursor).toBe(rest.length > limit ? next : null);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  test("returns every match once, in order, page by page", async () => {
    const matches = known.filter((post) => post.text.includes("V12"));
    expect(ids(await walk(ada, { q: "v12", limit: 50 }))).toEqual(matches.map((post) => post.id));
  });

  test("reads the hot feed only to its depth", async () => {
    const at = async (cursor: number) => {
      const { posts, nextCursor } = await ada.listPosts({ sort: "hot", limit: 50, cursor });
      return [posts.length, nextCursor];
    };
    const { hotDepth } = limits;
    expect(await at(hotDepth - 50)).toEqual([50, hotDepth]);
    expect(await at(hotDepth)).toEqual([50, null]);
  });
});

/** Some words occur in every post, others in a few only. "a" and "b" begin more trigrams than the index expands. */
function words(i: number): string {
  const seldom = i % 2000 === 3 ? "needle x-9 針葉樹" : "";
  return `v${i % 40} ab${String.fromCodePoint(0x4e00 + (i % 500))} ${seldom} ${i === 17 ? "Ω1" : ""} ☃`;
}

function ids(posts: Post[]): number[] {
  return posts.map((post) => post.id);
}

async function walk(caller: Caller, query: object): Promise<Post[]> {
  const posts: Post[] = [];
  for (let cursor: number | null | undefined; cursor !== null; ) {
    const page = await caller.listPosts({ ...query, ...(cursor !== undefined && { cursor }) });
    posts.push(...page.posts);
    cursor = page.nextCursor;
  }
  return posts;
}
