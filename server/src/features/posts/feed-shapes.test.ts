import { communityTerms } from "@tandem/contract/origins";
import { serveIn } from "@tandem/testing/process";
import { temporaryDirectory } from "@tandem/testing/storage";
import { expect, test } from "vitest";

test("feeds of thousands of shapes don't fill the memory", async () => {
  await using directory = await temporaryDirectory();
  // Room for the service and little more.
  await using service = await serveIn(directory.path, { NODE_OPTIONS: "--max-old-space-size=80" });
  const shapes = Array.from({ length: 6400 }, (_, i) => {
    const query = new URLSearchParams({ limit: String(1 + (i % 50)) });
    for (const [bit, term] of communityTerms.entries()) if ((i / 50) & (1 << bit)) query.set(term, "x");
    return query;
  });
  const readers = Array.from({ length: 8 }, async () => {
    for (let query = shapes.pop(); query; query = shapes.pop()) {
      const answer = await fetch(`${service.address}/api/posts?${query}`);
      expect(await answer.json()).toEqual({ posts: [], nextCursor: null });
    }
  });
  await Promise.all(readers);
}, 60_000);
