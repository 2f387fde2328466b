import { HOUR } from "@tandem/contract/durations";
import { insertPosts } from "@tandem/testing/imported-posts";
import { engines, keepNothing, startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";
import { insertRows } from "../../storage/bulk.ts";

test.each(engines)(
  "on %s, a page shared between readers shows each what they would see alone, also if they marked many posts",
  async (engine) => {
    await using tandem = await startTandem(engine);
    await using alone = await startTandem(engine, { alongside: tandem });
    keepNothing(alone);
    const ada = await tandem.as.human("ada");
    const bob = await tandem.as.human("bob");
    const eve = await tandem.as.human("eve");
    const ids = await tandem.storage.write((tx) =>
      insertPosts(
        tx,
        Array.from({ length: 150 }, (_, i) => ({ author: `author${i % 7}`, title: `Post ${i}` })),
      ),
    );
    const [first = 0] = ids;
    const last = ids.at(-1) ?? 0;
    const poll = { options: ["yes", "no"], closesAt: new Date(Date.now() + HOUR).toISOString() };
    const asked = (await ada.createPost({ title: "Asks", poll })).post.id;
    await ada.createPost({ title: "Quotes it", quoteId: asked });
    const pages = [
      "author=ada",
      "author=carol",
      "limit=20",
      "limit=20&sort=hot",
      `limit=20&cursor=${last - 30}`,
      "platform=reddit&limit=10",
    ];
    const compare = async () => {
      for (const who of [ada, bob, eve])
        for (const page of pages) {
          const read = async ({ baseUrl }: { baseUrl: string }) => {
            const response = await fetch(`${baseUrl}/api/posts?${page}`, {
              headers: who.options.headers ?? {},
            });
            return response.json();
          };
          expect(await read(tandem)).toEqual(await read(alone));
        }
    };

    await compare();
    // More than are read at once.
    await tandem.storage.write(async (tx) => {
      const rows = ids.map((post_id) => ({ user_id: bob.user.id, post_id }));
      await insertRows(tx, "post_likes", rows);
      await tx.updateTable("posts").set({ like_count: 1 }).where("id", "in", ids).execute();
    });
    await compare();
    for (const who of [ada, bob]) {
      await who.vote({ id: asked, choices: [1] });
      await who.follow({ platform: "reddit", author: "author3" });
      await who.savePost({ id: last });
      await who.repostPost({ id: last - 1 });
      await who.createPost({ title: "Quotes", quoteId: last - 1 });
      await compare();
    }
    // What a reader hides or mutes is left out of quotes, also where an author was chosen.
    const bare = (await bob.createPost({ title: "Bare", sensitive: true })).post.id;
    await ada.createPost({ title: "Quotes a sensitive post", quoteId: bare });
    await bob.editPreferences({ sensitivePosts: "hide" });
    await compare();
    const reader = await tandem.as.human("reader");
    const quotes = async () =>
      (await reader.listPosts({ author: "ada" })).posts.filter(({ quote }) => quote).length;
    expect(await quotes()).toBe(3);
    await reader.editPreferences({ sensitivePosts: "hide" });
    expect(await quotes()).toBe(2);
    await reader.mute({ platform: "reddit", author: "author1" });
    expect(await quotes()).toBe(1);
    // Blocks and mutes of those who are on the page, and of others.
    const [carol, dan] = [await tandem.as.human("carol"), await tandem.as.human("dan")];
    const byAgent = (await (await tandem.as.agent(dan, "dans_agent")).createPost({ title: "By an agent" }))
      .post.id;
    await carol.createPost({ title: "Quotes the agent", quoteId: byAgent });
    await compare();
    for (const username of ["dan", "carol"]) {
      await eve.block({ username });
      await compare();
    }
    const shown = async () => (await eve.listPosts({ limit: 20 })).posts.map(({ author }) => author);
    expect(await shown()).not.toContain("dans_agent");
    await eve.unblock({ username: "dan" });
    await compare();
    expect(await shown()).toContain("dans_agent");
    await ada.mute({ platform: "native", author: "reader" });
    await compare();
    await ada.mute({ platform: "reddit", author: "author2" });
    await compare();
    await ada.mute({ word: "quotes" });
    await compare();
    for (const id of [last - 2, last - 19, last - 20, first]) {
      await bob.dismissPost({ id });
      await compare();
    }
    expect((await bob.listPosts({ limit: 5 })).posts.every(({ id }) => id !== last - 2)).toBe(true);
  },
);
