import { insertSource } from "@tandem/testing/imported-posts";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Item } from "../../origins/connector.ts";
import { lockPost } from "../posts/posts.queries.ts";
import { ingest } from "./ingest.ts";

const empty: Omit<Item, "key" | "permalink" | "link" | "mediaUrl"> = {
  ...{
    author: "ada",
    authorAvatarUrl: null,
    title: "On looms",
    body: null,
    mediaType: "link",
    audioUrl: null,
    thumbnailUrl: null,
  },
  ...{
    width: null,
    height: null,
    durationSeconds: null,
    alt: null,
    pictures: [],
    contentWarning: null,
    sensitive: false,
    community: null,
  },
  ...{ score: null, commentCount: null, thread: null, provenance: null, postedAt: null },
};

interface Row {
  id: number;
  source_id: number;
  story_rest: number;
  story_count: number;
}

/** Checks the invariants of a story, given all its posts in id order. */
function expectConsistent([head, ...others]: Row[]): void {
  expect(head).toMatchObject({ story_rest: 0, story_count: 1 + others.length });
  for (const post of others)
    expect(post).toMatchObject({ story_rest: post.source_id === head?.source_id ? 0 : 1, story_count: 1 });
}

describe.each(engines)("the posts of a story on %s", (engine) => {
  let tandem: Tandem;
  let sources: number[];
  beforeAll(async () => {
    tandem = await startTandem(engine);
    sources = [];
    for (const name of ["one", "two", "three"]) sources.push(await insertSource(tandem.storage, "rss", name));
  });
  afterAll(() => tandem.stop());

  const visit = fc.record({
    from: fc.nat(2),
    /** The items shown, and the page that each links to. */
    shown: fc.array(fc.tuple(fc.nat(3), fc.nat(1)), { maxLength: 4 }),
    gone: fc.array(fc.nat(3), { maxLength: 2 }),
  });

  test("stay consistent when posts are added, change their link or are withdrawn", async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(visit, { minLength: 1, maxLength: 6 }), async (visits) => {
        run += 1;
        const page = (link: number) => `https://example.org/${run}/${link}`;
        for (const { from, shown, gone } of visits) {
          const key = (item: number) => `${run} ${from} ${item}`;
          const items = shown.map(([item, link]) => {
            const url = page(link);
            return { ...empty, key: key(item), permalink: url, link: url, mediaUrl: url };
          });
          const imported = {
            items,
            unchanged: false,
            gone: gone.map(key),
            complete: false,
            askAgainAfter: null,
          };
          const source = {
            id: sources[from] as number,
            platform: "rss",
            name: "x",
            community: null,
            url: null,
          } as const;
          await tandem.storage.write((tx) => ingest(tx, source, imported, Date.UTC(2026, 0, 1)));
        }
        const { rows } = await sql<
          Row & { story: string }
        >`select id, story, source_id, story_rest, story_count
          from posts where fragment like ${`%https://example.org/${run}/%`} order by id`.execute(
          tandem.storage.read,
        );
        for (const story of new Set(rows.map((row) => row.story)))
          expectConsistent(rows.filter((row) => row.story === story));
      }),
      { numRuns: 30 },
    );
  });
});

// Not on SQLite: it has only one writer at a time.
test("a text change doesn't wait for locks on the other posts of its story, on postgres", async () => {
  await using tandem = await startTandem("postgres");
  const link = "https://example.org/series";
  const item = (key: string, title: string) => {
    return { ...empty, key, permalink: link, link, mediaUrl: link, title };
  };
  const source = {
    id: await insertSource(tandem.storage, "rss", "one"),
    platform: "rss",
    name: "x",
    community: null,
    url: null,
  } as const;
  const show = (items: Item[]) => {
    const imported = { items, unchanged: false, gone: [], complete: false, askAgainAfter: null };
    return tandem.storage.write((tx) => ingest(tx, source, imported, Date.UTC(2026, 0, 1)));
  };
  await show([item("series 1", "One"), item("series 2", "Two")]);
  const { read } = tandem.storage;
  const [first, second] = await read.selectFrom("gathered").select("post_id").orderBy("key").execute();
  await tandem.storage.write(async (tx) => {
    await lockPost(tx, Number(first?.post_id));
    expect(await show([item("series 2", "Two, changed")])).toMatchObject({ changed: 1 });
  });
  const { fragment } = await read
    .selectFrom("posts")
    .select("fragment")
    .where("id", "=", Number(second?.post_id))
    .executeTakeFirstOrThrow();
  expect(fragment).toContain("Two, changed");
});
