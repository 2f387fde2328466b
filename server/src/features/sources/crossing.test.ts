import { DAY } from "@tandem/contract/durations";
import { addBulkUsers } from "@tandem/testing/bulk-users";
import { rssFeed, startImports } from "@tandem/testing/import-setup";
import { manyConnections } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { Poller } from "./poller.ts";

const SOURCES = 6;
const LINKS = 12;

test("concurrent imports of the same links and likes of their posts don't deadlock", async () => {
  await using world = await startImports("postgres", manyConnections);
  const { tandem, origin, clock } = world;
  const db = tandem.storage.read;
  /** Every source lists the same links in a different order, and different links each round. */
  const showFeeds = (round: number) =>
    Array.from({ length: SOURCES }, (_, source) =>
      origin.show(`/${source}.xml`, {
        body: rssFeed(
          Array.from({ length: LINKS }, (_, i) => {
            const link = (i * (source % 2 ? 5 : 7) + source + round) % LINKS;
            // A third of the items changes its id every other round, so that the old ones are withdrawn.
            const id = (source + i) % 3 === 0 ? `${i}-${round >> 1}` : `${i}`;
            const at = Date.UTC(2026, 4, 1) - i * 1000;
            return { id, link: `https://example.org/${link}`, author: `Writer ${(i + source) % 5}`, at };
          }),
        ),
      }),
    );
  for (const url of showFeeds(0)) await world.admin.addSource({ url });
  const pollers = [1, 2].map(() => new Poller(tandem.services));
  const poll = () => Promise.all(pollers.map((poller) => poller.run(new AbortController().signal)));
  await poll();
  const readers = (await addBulkUsers(tandem.storage, 4)).map(({ cookie }) => tandem.as.with({ cookie }));
  let finished = false;
  const likes = readers.map(async (reader, n) => {
    for (let i = n; !finished; i++) {
      const { posts } = await reader.listPosts({ limit: 50, ...(i % 2 && { sort: "hot" }) });
      const post = posts[(i * 7) % posts.length];
      if (post) await reader.call(post.liked ? "unlikePost" : "likePost", { id: post.id });
    }
  });
  for (let round = 1; round <= 5; round++) {
    showFeeds(round);
    clock.now += DAY;
    await poll();
  }
  finished = true;
  await Promise.all(likes);
  const { rows } = await sql<{ deadlocks: string }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(db);
  expect(Number(rows[0]?.deadlocks)).toBe(0);
  const { sources } = await world.admin.listSources();
  expect(sources.map(({ state }) => state)).toEqual(sources.map(() => "working"));
});
