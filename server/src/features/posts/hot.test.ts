import { openStorage } from "@tandem/testing/storage";
import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { hotRank, hotRankSql } from "./hot.ts";

test("hotRankSql computes the same rank as hotRank", async () => {
  await using storage = await openStorage();
  const engagement = fc.record({
    score: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    comments: fc.nat(100_000),
    postedAt: fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) }),
  });
  await fc.assert(
    fc.asyncProperty(engagement, async ({ score, comments, postedAt }) => {
      const rank = hotRankSql({
        score: sql`${score}`,
        comments: sql`${comments}`,
        postedAt: sql`${postedAt}`,
      });
      const { rows } = await sql<{ rank: number }>`select ${rank} as rank`.execute(storage.read);
      // A millionth equals a few hundredths of a second of a post's age.
      expect(rows[0]?.rank).toBeCloseTo(hotRank({ score, comments, postedAt }), 6);
    }),
    { examples: [[{ score: 100, comments: 0, postedAt: 0 }], [{ score: -5, comments: 0, postedAt: 7 }]] },
  );
});
