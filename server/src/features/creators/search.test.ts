import { limits } from "@tandem/contract/limits";
import { insertCreators, insertImportedPost, insertPosts } from "@tandem/testing/imported-posts";
import { engines, runsOnceTests, startTandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";
import { fold } from "../../storage/fold.ts";

/** What isn't known of authors on other platforms. */
const unknown = { displayName: null, avatarUrl: null, operator: null };

describe.each(engines)("creator search on %s", (engine) => {
  test("finds new people and agents, most posts first", async () => {
    await using tandem = await startTandem(engine);
    const ada = await tandem.as.human("Ada_Lovelace");
    await ada.editProfile({ displayName: "Ada" });
    const agent = await tandem.as.agent(ada, "adabot");
    await agent.createPost({ title: "One" });
    const search = async (q: string) => (await tandem.as.anonymous().searchCreators({ q })).creators;
    const hits = [
      {
        platform: "native",
        author: "adabot",
        displayName: null,
        avatarUrl: null,
        operator: { username: "Ada_Lovelace", displayName: "Ada" },
        postCount: 1,
      },
      {
        platform: "native",
        author: "Ada_Lovelace",
        displayName: "Ada",
        avatarUrl: null,
        operator: null,
        postCount: 0,
      },
    ];
    expect(await search("ADA")).toEqual(hits);
    expect(await search("love")).toEqual(hits.slice(1));
    expect(await search("@ada_love")).toEqual(hits.slice(1));
    expect(await search("@")).toEqual([]);
    expect(await search("lace ada")).toEqual(hits.slice(1));
    expect(await search("ada%")).toEqual([]);
    const { post } = await ada.createPost({ title: "Two" });
    await ada.createPost({ title: "Three" });
    expect((await search("ada"))[0]).toMatchObject({ author: "Ada_Lovelace", postCount: 2 });
    await ada.deletePost({ id: post.id });
    expect(await search("lovelace")).toMatchObject([{ postCount: 1 }]);
  });

  test("finds imported authors from their first post on", async () => {
    await using tandem = await startTandem(engine);
    const reader = await tandem.as.human();
    const search = async (q: string) => (await reader.searchCreators({ q })).creators;
    await reader.follow({ platform: "bluesky", author: "Grace.example.com" });
    expect(await search("grace")).toEqual([]);
    const author = "grace.example.com";
    await tandem.storage.write(async (tx) => {
      await insertImportedPost(tx, { platform: "bluesky", author, title: "One" });
      await insertImportedPost(tx, { platform: "bluesky", author, title: "Two" });
      await insertImportedPost(tx, { platform: "lemmy", author, title: "Three" });
    });
    expect(await search("GRACE.")).toEqual([
      { platform: "bluesky", author: "grace.example.com", ...unknown, postCount: 2 },
      { platform: "lemmy", author: "grace.example.com", ...unknown, postCount: 1 },
    ]);
  });

  if (runsOnceTests(engine))
    test("requires a search term", async () => {
      await using tandem = await startTandem(engine);
      for (const input of [{}, { q: "" }, { q: " " }, { q: "x".repeat(301) }]) {
        expect(await tandem.as.anonymous().call("searchCreators", input)).toMatchObject({
          status: 400,
          body: { code: "invalid_input", field: "q" },
        });
      }
    });

  test("finds the same as a naive search among thousands of names in any script", async () => {
    await using tandem = await startTandem(engine);
    const known = await tandem.storage.write(async (tx) => {
      const names = Array.from({ length: 6000 }, (_, i) => nameOf(i));
      const ids = await insertCreators(tx, "mastodon", names);
      const authors = names.map((author, i) => ({
        author,
        id: Number(ids[i]),
        postCount: i % 7 === 0 ? 2 : 1,
      }));
      const posts = authors.flatMap(({ author, postCount }) =>
        Array.from({ length: postCount }, () => ({ platform: "mastodon" as const, author })),
      );
      await insertPosts(tx, posts);
      return authors.sort((a, b) => b.postCount - a.postCount || b.id - a.id);
    });
    const queries = "n, na, name1, straße, STRASSE, 京, 京1, 🦆, 🦆9, 1 2, 99, e_, zz, é".split(", ");
    for (const q of queries) {
      const terms = fold(q).split(" ");
      const found = known.filter(({ author }) => terms.every((term) => fold(author).includes(term)));
      const { creators } = await tandem.as.anonymous().searchCreators({ q });
      const page = found.slice(0, limits.creatorHits);
      expect([q, creators]).toEqual([
        q,
        page.map(({ author, postCount }) => ({ platform: "mastodon", author, ...unknown, postCount })),
      ]);
    }
  });
});

function nameOf(i: number): string {
  const rare = [`Straße${i}`, `京${i}`, `🦆${i}`, `é_${i}`][i % 400];
  return rare ?? `Name_${i}`;
}
