import { limits } from "@tandem/contract/limits";
import { stoppedClock } from "@tandem/testing/clock";
import { engines, startTandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { clickCounterOf } from "../shop/click-counter.ts";

describe.each(engines)("analytics on %s", (engine) => {
  const once = testOnce(engine);
  test("are zero for a new account", async () => {
    await using tandem = await startTandem(engine);
    const zero = { posts: 0, views: 0, likes: 0, comments: 0, productClicks: 0, productClicks7d: 0 };
    expect(await (await tandem.as.human()).analytics()).toEqual({ totals: zero, topPosts: [] });
  });

  test("count only the caller's own posts", async () => {
    const clock = stoppedClock(Date.UTC(2026, 0, 31, 12));
    await using tandem = await startTandem(engine, { now: clock.now });
    const [ada, bob] = await Promise.all([tandem.as.human(), tandem.as.human()]);
    const { product } = await ada.createProduct({ title: "Teapot", url: "https://shop.example/" });
    const loved = (await ada.createPost({ title: "Loved", productIds: [product.id] })).post.id;
    const seen = (await ada.createPost({ title: "Seen", url: "https://example.org/" })).post.id;
    const bobsPost = (await bob.createPost({ title: "Bob's" })).post.id;
    await Promise.all([
      bob.likePost({ id: loved }),
      ada.likePost({ id: loved }),
      bob.createComment({ id: loved, body: "Lovely" }),
      ada.viewPost({ id: seen }),
      bob.viewPost({ id: seen }),
      bob.viewPost({ id: loved }),
      ada.likePost({ id: bobsPost }),
      ada.createComment({ id: bobsPost, body: "Fine" }),
      ada.viewPost({ id: bobsPost }),
      bob.openProduct({ id: product.id, post: loved }),
      bob.openProduct({ id: product.id }),
    ]);
    await clickCounterOf(tandem.services).store();
    const base = {
      ...{ thumbnailUrl: null, postedAt: "2026-01-31T12:00:00.000Z" },
      ...{ provenance: "human", provenanceBasis: "declared" },
    };
    expect(await ada.analytics()).toEqual({
      totals: { posts: 2, views: 3, likes: 2, comments: 1, productClicks: 2, productClicks7d: 2 },
      topPosts: [
        {
          ...base,
          id: seen,
          title: "Seen",
          mediaType: "link",
          viewCount: 2,
          likeCount: 0,
          commentCount: 0,
          productClicks: 0,
        },
        {
          ...base,
          id: loved,
          title: "Loved",
          mediaType: "text",
          viewCount: 1,
          likeCount: 2,
          commentCount: 1,
          productClicks: 1,
        },
      ],
    });
    await bob.unlikePost({ id: loved });
    expect((await ada.analytics()).totals).toMatchObject({ likes: 1 });
  });

  test("list the most viewed posts, newest first among equals, up to the limit", async () => {
    await using tandem = await startTandem(engine);
    const ada = await tandem.as.human();
    const ids: number[] = [];
    for (let i = 0; i < limits.topPosts + 2; i++)
      ids.push((await ada.createPost({ title: `Post ${i}` })).post.id);
    const [first = 0] = ids;
    await ada.viewPost({ id: first });
    const { topPosts } = await ada.analytics();
    expect(topPosts.map((post) => post.id)).toEqual([first, ...ids.toReversed()].slice(0, limits.topPosts));
  });

  test("include the most viewed post however old it is", async () => {
    await using tandem = await startTandem(engine);
    const ada = await tandem.as.human();
    const { id } = (await ada.createPost({ title: "Long ago" })).post;
    const fields = sql`creator_id, platform, media_type, provenance, hot_rank, posted_at, fragment`;
    await tandem.storage.write((tx) =>
      sql`
        insert into posts (${fields})
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 10001)
        select ${fields} from numbers cross join posts where posts.id = ${id}
      `.execute(tx),
    );
    await ada.viewPost({ id });
    expect((await ada.analytics()).topPosts[0]).toMatchObject({ id, viewCount: 1 });
  });

  once("show an agent's own numbers, also to its key", async () => {
    await using tandem = await startTandem(engine);
    const ada = await tandem.as.human();
    const agent = await tandem.as.agent(ada);
    await agent.createPost({ title: "By the agent" });
    expect([(await agent.analytics()).totals.posts, (await ada.analytics()).totals.posts]).toEqual([1, 0]);
  });
});
