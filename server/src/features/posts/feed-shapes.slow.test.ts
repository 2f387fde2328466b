import { communityTerms } from "@tandem/contract/origins";
import { heapUsed } from "@tandem/testing/garbage";
import { startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";

test("bounds the memory used by feeds of thousands of shapes", async () => {
  await using tandem = await startTandem("sqlite");
  const shapes = Array.from({ length: 2400 }, (_, i) => {
    const query = new URLSearchParams({ limit: String(1 + (i % 50)) });
    for (const [bit, term] of communityTerms.entries()) if ((i / 50) & (1 << bit)) query.set(term, "x");
    return query;
  });
  const read = async (count: number) => {
    const batch = shapes.splice(0, count);
    const readers = Array.from({ length: 8 }, async () => {
      for (let query = batch.pop(); query; query = batch.pop()) {
        const response = await fetch(`${tandem.baseUrl}/api/posts?${query}`);
        expect(await response.json()).toEqual({ posts: [], nextCursor: null });
      }
    });
    await Promise.all(readers);
    return heapUsed();
  };
  // Fills the cache: from now on each new shape evicts another.
  const before = await read(1200);
  // Typically 1 MB; it would be more than 10 MB if the cache kept every shape.
  expect((await read(1200)) - before).toBeLessThan(5 * 2 ** 20);
});
