import type { Person } from "@tandem/testing/callers";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { engines, manyConnections, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe.each(engines)("post engagement on %s", (engine) => {
  let tandem: Tandem;
  let ada: Person;
  let reader: Person;

  beforeAll(async () => {
    tandem = await startTandem(engine, { env: manyConnections });
    [ada, reader] = await Promise.all([tandem.as.human(), tandem.as.human()]);
  });
  afterAll(() => tandem.stop());

  const newPost = async () => (await ada.createPost({ title: "A title" })).post.id;

  test("ignores repeated likes and unlikes without a like", async () => {
    const id = await newPost();
    expect(await reader.unlikePost({ id })).toEqual({ liked: false, likeCount: 0 });
    expect(await reader.likePost({ id })).toEqual({ liked: true, likeCount: 1 });
    expect(await reader.likePost({ id })).toEqual({ liked: true, likeCount: 1 });
    expect(await ada.likePost({ id })).toEqual({ liked: true, likeCount: 2 });
    expect(await reader.unlikePost({ id })).toEqual({ liked: false, likeCount: 1 });
    expect(await reader.unlikePost({ id })).toEqual({ liked: false, likeCount: 1 });
  });

  test("counts concurrent likes by one caller once", async () => {
    const id = await newPost();
    const counts = await Promise.all(
      Array.from({ length: 20 }, async () => (await reader.likePost({ id })).likeCount),
    );
    expect(new Set(counts)).toEqual(new Set([1]));
  });

  test("shows `liked` per caller and the same count to everyone", async () => {
    const id = await newPost();
    await reader.likePost({ id });
    const seen = await Promise.all(
      [reader, ada, tandem.as.anonymous()].map(async (caller) => (await caller.readPost({ id })).post),
    );
    expect(seen.map(({ liked, likeCount }) => [liked, likeCount])).toEqual([
      [true, 1],
      [false, 1],
      [false, 1],
    ]);
  });

  test("adds likes to the score from the origin", async () => {
    const id = await tandem.storage.write((tx) => insertImportedPost(tx, { title: "From afar", score: 41 }));
    await reader.likePost({ id });
    expect((await ada.readPost({ id })).post).toMatchObject({ score: 42, likeCount: 1 });
    await reader.unlikePost({ id });
    expect((await ada.readPost({ id })).post).toMatchObject({ score: 41, likeCount: 0 });
  });

  test("saves a post only for the caller", async () => {
    const id = await newPost();
    const saved = async () =>
      Promise.all(
        [reader, ada].map(async (caller) => {
          const { posts } = await caller.listPosts({ saved: 1 });
          const { post } = await caller.readPost({ id });
          return [post.saved, posts.some((listed) => listed.id === id)];
        }),
      );
    expect(await reader.unsavePost({ id })).toEqual({ saved: false });
    for (const _ of "ab") expect(await reader.savePost({ id })).toEqual({ saved: true });
    expect(await saved()).toEqual([
      [true, true],
      [false, false],
    ]);
    for (const _ of "ab") expect(await reader.unsavePost({ id })).toEqual({ saved: false });
    expect(await saved()).toEqual([
      [false, false],
      [false, false],
    ]);
  });

  test("counts one view per accepted call", async () => {
    const id = await newPost();
    const counts = await Promise.all(
      [ada, reader, reader, reader].map(async (caller) => (await caller.viewPost({ id })).viewCount),
    );
    expect(counts.toSorted()).toEqual([1, 2, 3, 4]);
    expect((await ada.readPost({ id })).post.viewCount).toBe(4);
  });

  test("hides a dismissed post from all of the caller's feeds, but not from its page or from other callers", async () => {
    const id = await newPost();
    await reader.savePost({ id });
    for (const _ of "ab") expect(await reader.dismissPost({ id })).toEqual({ dismissed: true });
    const author = ada.user.username;
    const filters = [
      {},
      { author },
      { saved: 1 },
      { q: "title" },
      { sort: "hot" },
      { platform: "native" },
    ] as const;
    for (const query of filters) {
      const { posts } = await reader.listPosts({ limit: 50, ...query });
      expect(posts.filter((post) => post.id === id)).toEqual([]);
    }
    expect((await reader.readPost({ id })).post).toMatchObject({ id, saved: true });
    expect((await ada.listPosts({ author })).posts[0]?.id).toBe(id);
  });

  test("returns 404 to engagement with a post that doesn't exist", async () => {
    const missing = { id: 999_999 };
    for (const name of [
      "likePost",
      "unlikePost",
      "savePost",
      "unsavePost",
      "viewPost",
      "dismissPost",
    ] as const) {
      expect(await reader.call(name, missing)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
  });
});
