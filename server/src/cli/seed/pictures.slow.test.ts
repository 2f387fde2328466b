import { join } from "node:path";
import { temporaryDirectory } from "@tandem/testing/storage";
import { startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";
import { diskStore } from "../../media/disk.ts";
import { openSqlite } from "../../storage/sqlite/sqlite.ts";
import { seed } from "./seed.ts";

test("the pictures of posts, accounts and products exist, and posts have a ThumbHash and a size", async () => {
  await using directory = await temporaryDirectory();
  const { path: dataDir } = directory;
  const storage = await openSqlite(join(dataDir, "tandem.db"));
  const incoming = join(dataDir, "incoming");
  await seed(storage, { posts: 120, pictureStore: { store: diskStore(join(dataDir, "media")), incoming } });
  await storage.close();
  await using tandem = await startTandem("sqlite", { dataDir });
  const { posts } = await tandem.as.anonymous().listPosts({ limit: 50 });
  const { products } = await tandem.as.anonymous().listProducts();
  const shown = posts.filter(({ mediaType }) => ["image", "gif", "video"].includes(mediaType));
  expect(shown.length).toBeGreaterThan(5);
  for (const { thumbHash, width, height } of shown)
    expect([thumbHash, width, height].every(Boolean)).toBe(true);
  const urls = [
    ...shown.flatMap(({ mediaUrl, thumbnailUrl }) => [mediaUrl, thumbnailUrl]),
    ...posts.map(({ authorAvatarUrl }) => authorAvatarUrl),
    ...products.map(({ imageUrl }) => imageUrl),
  ].filter((url) => url !== null);
  for (const url of new Set(urls)) {
    const answer = await fetch(tandem.baseUrl + url);
    expect([url, answer.status]).toEqual([url, 200]);
    expect(answer.headers.get("content-type")).toMatch(/^(image\/webp|video\/mp4)$/);
  }
});
