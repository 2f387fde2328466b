import { openStorage } from "@tandem/testing/storage";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { feedIds } from "./feed-ids.ts";
import { type Selection, selectionOf } from "./feed-query.ts";

describe("the index that a feed with several filters scans, on sqlite", () => {
  test.each([
    [{ media: "video", platform: "rss" }, "posts_video_platform"],
    [{ media: "video", provenance: "human" }, "posts_media_type"],
    [{ media: "video", platform: "rss", provenance: "human" }, "posts_video_platform"],
    [{ media: "video", subreddit: "tea" }, "posts_community_key"],
    [{ community: "tea" }, "posts_community_key"],
    [{ community: "tea", platform: "native" }, "posts_native_community"],
    [{ community: "tea", platform: "native", provenance: "human" }, "posts_native_community"],
    [{ platform: "rss", provenance: "ai_generated" }, "posts_stated"],
    [{ platform: "rss", provenance: "ai_generated", basis: "origin" }, "posts_stated"],
    [{ platform: "rss", provenance: "human", basis: "assumed" }, "posts_platform"],
    [{ provenance: "ai_generated", basis: "origin" }, "posts_provenance_basis"],
  ] as const)("%j scans %s", async (query, index) => {
    await using storage = await openStorage();
    for (const sort of [{}, { sort: "hot" }] as const) {
      const selection = await selectionOf(storage.read, { ...query, ...sort }, null);
      const plan = sql<{ detail: string }>`explain query plan ${feedIds(storage.read, selection, 20)}`;
      const { rows } = await plan.execute(storage.read);
      expect(rows.map((row) => row.detail)).toEqual([expect.stringContaining(`INDEX ${index}`)]);
    }
  });
});

describe("the index of creators' posts, which leaves out what they imported, on sqlite", () => {
  test.each([
    [{ followed: true }, "posts_creator_current"],
    [{ creators: [7] }, "posts_creator_current"],
    [{ creators: [7], archived: "only" }, "posts_creator_archived"],
  ] as const)("%j scans %s", async (part, index) => {
    await using storage = await openStorage();
    const selection = { ...(await selectionOf(storage.read, {}, null)), ...part, caller: 1 };
    const plan = sql<{
      detail: string;
    }>`explain query plan ${feedIds(storage.read, selection as Selection, 20)}`;
    const { rows } = await plan.execute(storage.read);
    const scanned = rows.flatMap(({ detail }) => detail.match(/INDEX (posts_\w+)/)?.[1] ?? []);
    expect(new Set(scanned)).toEqual(new Set([index]));
  });
});
