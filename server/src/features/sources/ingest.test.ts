import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Item } from "../../origins/connector.ts";
import { ingest } from "./ingest.ts";
import { pagesOf, rememberPages } from "./sources.queries.ts";

const now = Date.UTC(2026, 5, 1);

describe.each(engines)("ingest on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  beforeEach(async () => {
    tandem = await startTandem(engine);
  });
  afterEach(() => tandem.stop());

  const picture: Item = {
    ...{
      key: "t3_a",
      permalink: "https://www.reddit.com/a",
      link: null,
      author: "ada",
      authorAvatarUrl: null,
    },
    ...{
      title: "An engine",
      body: null,
      mediaType: "image",
      mediaUrl: "https://i.redd.it/a.png",
      audioUrl: null,
    },
    ...{
      thumbnailUrl: null,
      width: 4,
      height: 3,
      durationSeconds: null,
      alt: null,
      pictures: [],
      contentWarning: null,
      sensitive: false,
      community: "engines",
    },
    ...{ score: 120, commentCount: 45, thread: null, provenance: null, postedAt: now - 1000 },
  };
  const unknown = { score: null, commentCount: null, postedAt: null };
  const nowhere = { ...unknown, permalink: null };
  const visit = (items: Item[], brief = false) =>
    tandem.storage.write(async (tx) => {
      const { id } = await tx
        .insertInto("sources")
        .values({ platform: "reddit", name: "r/engines", url: "https://www.reddit.com/r/engines/new" })
        .onConflict((conflict) => conflict.columns(["platform", "url"]).doUpdateSet({ community: "engines" }))
        .returning("id")
        .executeTakeFirstOrThrow();
      const source = { id, platform: "reddit", name: "r/engines", community: "engines", url: null } as const;
      const imported = { items, brief, unchanged: false, gone: [], complete: false, askAgainAfter: null };
      return await ingest(tx, source, imported, now);
    });
  const feed = async () => (await tandem.as.anonymous().listPosts({})).posts;

  once("keeps known values that a visit doesn't provide", async () => {
    await visit([picture]);
    const before = await feed();
    expect(before).toMatchObject([{ score: 120, mediaType: "image" }]);
    const text = { mediaType: "text", mediaUrl: null, width: null, height: null } as const;
    expect(await visit([{ ...picture, ...text, ...unknown }], true)).toMatchObject({ changed: 0 });
    expect(await feed()).toEqual(before);
    expect(await visit([{ ...picture, ...unknown, score: 121 }])).toMatchObject({ changed: 1 });
    const origin = { url: "https://www.reddit.com/a", score: 121, commentCount: 45 };
    expect(await feed()).toEqual([{ ...before[0], score: 121, origin }]);
  });

  once("keeps the origin's score, comment count and thread up to date", async () => {
    const link = { ...picture, mediaType: "link", link: "https://example.org/", mediaUrl: null } as const;
    const origin = async () => (await feed())[0]?.origin;
    await visit([{ ...link, ...nowhere }]);
    expect(await origin()).toBeNull();
    expect(await visit([link])).toMatchObject({ changed: 1 });
    const [first] = await feed();
    expect(first).toMatchObject({ url: "https://example.org/", score: 120 });
    expect(first?.origin).toEqual({ url: "https://www.reddit.com/a", score: 120, commentCount: 45 });
    expect(await visit([link])).toMatchObject({ changed: 0 });
    expect(await visit([{ ...link, commentCount: 46 }])).toMatchObject({ changed: 1 });
    expect(await feed()).toEqual([{ ...first, origin: { ...first?.origin, commentCount: 46 } }]);
    expect(await visit([{ ...link, ...nowhere }], true)).toMatchObject({ changed: 0 });
    expect(await visit([{ ...link, ...nowhere, commentCount: 0 }], true)).toMatchObject({ changed: 1 });
    const thread = "https://www.reddit.com/comments/a";
    expect(await visit([{ ...link, ...unknown, thread }])).toMatchObject({ changed: 1 });
    expect(await origin()).toEqual({ url: thread, score: 120, commentCount: 0 });
  });

  test("adds one post for an item listed twice, with the first listing's content", async () => {
    const result = await visit([picture, { ...picture, title: "An old one" }, { ...picture, key: "t3_b" }]);
    expect(result).toMatchObject({ seen: 2, fresh: 2 });
    expect((await feed()).map(({ title }) => title)).toEqual(["An engine", "An engine"]);
  });

  test("stores only the pages of the last visit", async () => {
    await visit([]);
    const [id = 0] = (await tandem.storage.read.selectFrom("sources").select("id").execute()).map(
      (row) => row.id,
    );
    const page = (url: string, etag = "a") => ({ url, etag, last_modified: null });
    for (const pages of [
      [page("https://a.example/1"), page("https://a.example/2")],
      [page("https://a.example/2", "b"), page("https://a.example/3")],
    ]) {
      await tandem.storage.write((tx) => rememberPages(tx, id, pages));
      expect(await pagesOf(tandem.storage.read, id)).toEqual(pages);
    }
  });
});
