import { readFile } from "node:fs/promises";
import { checkReceipt } from "@tandem/client/check-receipt";
import { DAY, HOUR, MINUTE } from "@tandem/contract/durations";
import { type Article, type ImportSetup, rssFeed, startImports } from "@tandem/testing/import-setup";
import { Origin } from "@tandem/testing/origin";
import { drawPicture } from "@tandem/testing/pictures";
import { engines, runsOnceTests } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAllCards, createCards } from "../posts/link-cards.ts";
import { addLinks } from "../posts/links.queries.ts";
import { integrate } from "../transparency-log/integrate.ts";

describe.each(engines)("link cards of imported posts on %s", (engine) => {
  const once = testOnce(engine);
  let world: ImportSetup;
  let site: Origin;
  beforeEach(async () => {
    world = await startImports(engine, { LINK_CARDS: "1" });
    site = await Origin.start("127.0.0.2");
  });
  afterEach(async () => {
    await world[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  const pageOf = (title: string, image = "") =>
    `<title>${title}</title>${image && `<meta property="og:image" content="${image}">`}`;
  const page = (path: string, title = `Page ${path}`, image = "") => {
    site.show(path, { headers: { "content-type": "text/html" }, body: pageOf(title, image) });
    return `http://127.0.0.2:${site.port}${path}`;
  };
  const now = () => world.clock.now;
  const show = (articles: Article[]) =>
    world.origin.show("/feed.xml", {
      body: rssFeed(articles.map((article) => ({ at: now() - HOUR, ...article }))),
    });
  const gather = async (articles: Article[]) => {
    await world.admin.addSource({ url: show(articles) });
    await world.poll();
  };
  const fetchCards = () => createAllCards(world.tandem.services, new AbortController().signal);
  const cards = async () => {
    const { posts } = await world.tandem.as.anonymous().listPosts({ limit: 50 });
    return Object.fromEntries(posts.map(({ title, card }) => [title, card?.title ?? null]));
  };
  const pagePaths = () => site.requests.map(({ path }) => path).filter((path) => path !== "/robots.txt");

  if (runsOnceTests(engine))
    test("are created for recent posts that link to another site and have no picture from the origin", async () => {
      const own = world.origin.show("/own", {
        headers: { "content-type": "text/html" },
        body: pageOf("Own"),
      });
      await gather([
        { id: "a", link: page("/a") },
        { id: "old", link: page("/old"), at: now() - DAY - HOUR },
        { id: "own", link: own },
        { id: "audio", link: page("/audio.mp3"), audio: page("/audio.mp3") },
        { id: "shown", link: page("/shown"), text: `&lt;img src="https://example.org/a.png"&gt;` },
      ]);
      await fetchCards();
      expect(await cards()).toEqual({
        "On a": "Page /a",
        "On old": null,
        "On own": null,
        "On shown": null,
        "On audio": null,
      });
      expect(pagePaths()).toEqual(["/a"]);
      world.clock.now += 30 * DAY;
      await fetchCards();
      expect(pagePaths()).toEqual(["/a"]);
    });

  once("mark posts whose page or picture says that AI made it, permanently", async () => {
    const picture = await readFile(new URL("../../media/fixtures/generated.jpg", import.meta.url));
    site.show("/ai.jpg", { body: picture });
    const statement = {
      "@type": "Article",
      digitalSourceType: "https://schema.org/CompositeSyntheticDigitalSource",
    };
    const articles = [
      { id: "pictured", link: page("/pictured", "Looms", "/ai.jpg") },
      {
        id: "stated",
        link: page(
          "/stated",
          `Words</title><script type="application/ld+json">${JSON.stringify(statement)}</script><title>`,
        ),
      },
      { id: "plain", link: page("/plain") },
    ];
    await gather(articles);
    await fetchCards();
    const read = async () => {
      const { posts } = await world.tandem.as.anonymous().listPosts({ basis: "origin,assumed" });
      return Object.fromEntries(
        posts.map(({ title, provenance, provenanceBasis, card }) => [
          title,
          `${provenance}, ${provenanceBasis}, ${card?.provenance}`,
        ]),
      );
    };
    const marked = {
      "On pictured": "ai_generated, origin, ai_generated",
      "On stated": "ai_assisted, origin, ai_assisted",
      "On plain": "human, assumed, undefined",
    };
    expect(await read()).toEqual(marked);
    const { posts } = await world.tandem.as
      .anonymous()
      .listPosts({ basis: "origin", provenance: "ai_generated" });
    expect(posts.map(({ title }) => title)).toEqual(["On pictured"]);
    // The mark is a version by the origin, with a receipt of its own; the author edited nothing.
    const [pictured] = posts;
    const id = Number(pictured?.id);
    expect(pictured?.editedAt).toBe(null);
    await integrate(world.tandem.services);
    const { baseUrl } = world.tandem;
    expect(await checkReceipt({ baseUrl, postId: id, commentId: null })).toMatchObject({
      ok: true,
      entry: { version: 2 },
    });
    const { versions } = await world.tandem.as.anonymous().listPostVersions({ id });
    expect(versions).toMatchObject([
      { version: 2, madeBy: "origin", provenance: "ai_generated" },
      { version: 1, madeBy: "origin", provenance: "human" },
    ]);
    show(articles.map((article) => ({ ...article, text: "Changed" })));
    world.clock.now += DAY;
    await world.poll();
    expect(await read()).toEqual(marked);
    // A person who links to the page here wrote their own words: the card alone says what the page says.
    const ada = await world.tandem.as.human();
    const { post } = await ada.createPost({ title: "Look", url: articles[0]?.link ?? "" });
    await world.tandem.services.afterResponse.idle();
    expect((await ada.readPost({ id: post.id })).post).toMatchObject({
      provenance: "human",
      card: { provenance: "ai_generated" },
    });
  });

  if (runsOnceTests(engine))
    test("store the picture, stay when the post's text changes, and disappear when its link changes", async () => {
      site.show("/a.png", { body: await drawPicture({ width: 600, height: 400 }) });
      const link = page("/a", "Looms", "/a.png");
      await gather([{ id: "a", link }]);
      await fetchCards();
      const read = async () => (await world.tandem.as.anonymous().listPosts({})).posts[0];
      const post = await read();
      expect(post).toMatchObject({
        card: { title: "Looms" },
        thumbnailUrl: expect.stringMatching(/^\/media\//),
      });
      expect(post?.thumbHash).toEqual(expect.any(String));
      show([{ id: "a", link, title: "Updated" }]);
      world.clock.now += DAY;
      await world.poll();
      const editedAt = new Date(world.clock.now).toISOString();
      expect(await read()).toEqual({ ...post, title: "Updated", editedAt });
      show([{ id: "a", link: page("/b"), title: "Updated" }]);
      world.clock.now += DAY;
      await world.poll();
      expect(await read()).toMatchObject({ card: null, thumbnailUrl: null, thumbHash: null });
      await world.tandem.services.afterResponse.idle();
      expect(await world.tandem.storage.read.selectFrom("post_links").selectAll().execute()).toEqual([]);
    });

  test("respect the page's robots.txt and the host's Retry-After", async () => {
    site.show("/robots.txt", { body: "User-agent: *\nDisallow: /private/\n" });
    await using busy = await Origin.start("127.0.0.3");
    busy.show("/1", { status: 429, headers: { "retry-after": "600" } });
    await gather([
      { id: "private", link: page("/private/a") },
      { id: "1", link: `http://127.0.0.3:${busy.port}/1` },
    ]);
    await fetchCards();
    expect(pagePaths()).toEqual([]);
    world.clock.now += 9 * MINUTE;
    await fetchCards();
    expect(busy.requests.map(({ path }) => path)).toEqual(["/robots.txt", "/1"]);
  });

  test("are fetched after those of native posts, and don't delay them", async () => {
    const stuck = new Map<string, () => void>();
    const slow = (path: string) => {
      site.show(path, (_request, response) => void stuck.set(path, () => response.end()));
      return `http://127.0.0.2:${site.port}${path}`;
    };
    await using second = await Origin.start("127.0.0.3");
    second.show("/slow", (_request, response) => void stuck.set("second", () => response.end()));
    await gather([
      { id: "a", link: slow("/slow") },
      { id: "b", link: `http://127.0.0.3:${second.port}/slow` },
    ]);
    const creating = fetchCards();
    await expect.poll(() => stuck.size).toBe(2);
    const ada = await world.tandem.as.human();
    const url = world.origin.show("/native", {
      headers: { "content-type": "text/html" },
      body: pageOf("Native"),
    });
    const { post } = await ada.createPost({ title: "See there", url });
    await world.tandem.services.afterResponse.idle();
    expect((await ada.readPost({ id: post.id })).post.card?.title).toBe("Native");
    for (const release of stuck.values()) release();
    await creating;
  });

  test("queue at most 1000 links, the latest of a visit first, and are never fetched with native ones", async () => {
    const { storage } = world.tandem;
    await gather([
      { id: "a", link: page("/a") },
      { id: "b", link: page("/b"), at: now() - 2 * HOUR },
    ]);
    const links = () => storage.read.selectFrom("post_links").selectAll().orderBy("post_id").execute();
    const [second, first] = await links();
    expect([first?.gathered, first?.url, second?.url]).toEqual([1, page("/a"), page("/b")]);
    const before = await storage.read.selectFrom("posts").select("id").execute();
    await storage.write(async (tx) => {
      await tx.deleteFrom("post_links").execute();
      const many = Array.from({ length: 998 }, (_, i) => ({ postId: i, url: `https://${i}.example/` }));
      const posts = before.map(({ id }) => ({ postId: id, url: page("/again") }));
      const row = await tx.selectFrom("posts").selectAll().executeTakeFirstOrThrow();
      const rows = many.map(({ postId }) => ({ ...row, id: 10_000 + postId }));
      // SQLite takes a limited number of values in one statement.
      for (const half of [rows.slice(0, 500), rows.slice(500)])
        await tx.insertInto("posts").values(half).execute();
      await addLinks(
        tx,
        many.map(({ postId, url }) => ({ postId: 10_000 + postId, url })),
        now(),
      );
      await addLinks(tx, posts.slice(0, 1), now());
    });
    expect(await links()).toHaveLength(999);
    show([
      { id: "c", link: page("/c") },
      { id: "d", link: page("/d"), at: now() - 2 * HOUR },
    ]);
    world.clock.now += HOUR;
    await world.poll();
    const added = (await links()).map(({ url }) => url).filter((url) => /\/[cd]$/.test(url));
    expect(added).toEqual([page("/c")]);
    await createCards(world.tandem.services, new AbortController().signal);
    expect(pagePaths()).toEqual([]);
  });
});
