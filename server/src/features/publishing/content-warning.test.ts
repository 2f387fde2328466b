import { drawPicture } from "@tandem/testing/pictures";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Item } from "../../origins/connector.ts";
import { fromFragment, toFragment } from "../../storage/post-fragment.ts";
import { ingest } from "../sources/ingest.ts";

describe.each(engines)("content warnings on %s", (engine) => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem(engine);
  });
  afterAll(() => tandem.stop());

  test("are set, kept by other edits, changed and removed, each as a version", async () => {
    const ada = await tandem.as.human();
    const { post } = await ada.createPost({
      title: "The end",
      body: "He wakes.",
      contentWarning: "Spoilers",
    });
    const { id } = post;
    expect(post).toMatchObject({ contentWarning: "Spoilers", body: "He wakes." });
    expect(post).not.toHaveProperty("sensitive");
    expect((await ada.editPost({ id, body: "He woke." })).post.contentWarning).toBe("Spoilers");
    expect((await ada.editPost({ id, sensitive: true })).post).toMatchObject({
      contentWarning: "Spoilers",
      sensitive: true,
    });
    const cleared = await ada.editPost({ id, contentWarning: null, sensitive: false });
    expect(cleared.post).not.toHaveProperty("contentWarning");
    expect(cleared.post).not.toHaveProperty("sensitive");
    const { versions } = await tandem.as.anonymous().listPostVersions({ id });
    expect(versions.map(({ contentWarning, sensitive }) => [contentWarning, sensitive])).toEqual([
      [null, false],
      ["Spoilers", true],
      ["Spoilers", false],
      ["Spoilers", false],
    ]);
    const refused = await ada.call("editPost", { id, contentWarning: " " });
    expect([refused.status, (refused.body as { field?: string }).field]).toEqual([400, "contentWarning"]);
  });

  test("are fields of forms and of drafts", async () => {
    const ada = await tandem.as.human();
    const image = new Blob([new Uint8Array(await drawPicture())]);
    const { post } = await ada.createPost({ title: "Slugs", image, sensitive: true });
    expect(post).toMatchObject({ mediaType: "image", sensitive: true });
    const { draft } = await ada.createDraft({ title: "Later", contentWarning: "Slugs", sensitive: true });
    expect(draft).toMatchObject({ contentWarning: "Slugs", sensitive: true });
    await ada.editDraft({ id: draft.id, contentWarning: "Snails" });
    const { postId } = await ada.publishDraft({ id: draft.id });
    expect((await ada.readPost({ id: Number(postId) })).post).toMatchObject({
      contentWarning: "Snails",
      sensitive: true,
    });
  });

  test("hide posts from the feeds and searches of those who want that, but not where they ask for them", async () => {
    const [ada, reader] = [await tandem.as.human(), await tandem.as.human()];
    const author = ada.user.username;
    await reader.follow({ platform: "native", author });
    const plain = (await ada.createPost({ title: "Of hedgehogs" })).post.id;
    const warned = (await ada.createPost({ title: "Of hedgehogs", contentWarning: "Quills" })).post.id;
    const marked = (await ada.createPost({ title: "Of hedgehogs", sensitive: true })).post.id;
    const ids = async (query: object) =>
      (await reader.listPosts({ limit: 50, ...query })).posts.map(({ id }) => id).sort((a, b) => a - b);
    const ours = async (query: object) => (await ids(query)).filter((id) => id >= plain);
    const feeds = [{}, { sort: "hot" }, { q: "hedgehogs" }, { followed: 1 }, { platform: "native" }];
    for (const query of feeds) expect(await ours(query)).toEqual([plain, warned, marked]);
    await reader.editPreferences({ sensitivePosts: "hide" });
    for (const query of feeds) expect([query, await ours(query)]).toEqual([query, [plain]]);
    await reader.savePost({ id: warned });
    expect(await ids({ saved: 1 })).toEqual([warned]);
    expect(await ours({ author })).toEqual([plain, warned, marked]);
    await ada.editPost({ id: marked, sensitive: false });
    expect(await ours({})).toEqual([plain, marked]);
    await reader.editPreferences({ sensitivePosts: "warn" });
    expect(await ours({})).toEqual([plain, warned, marked]);
  });

  test("of origins are kept, and follow their changes", async () => {
    const reader = await tandem.as.human();
    await reader.editPreferences({ sensitivePosts: "hide" });
    const source = {
      platform: "mastodon",
      name: "#slugs",
      url: "https://social.example.org/tags/slugs",
    } as const;
    const item: Item = {
      ...{ key: "slugs", permalink: "https://social.example.org/1", link: null, author: "fern" },
      ...{ authorAvatarUrl: null, title: null, body: "I used beer.", mediaType: "text", mediaUrl: null },
      ...{ audioUrl: null, thumbnailUrl: null, width: null, height: null, durationSeconds: null, alt: null },
      ...{
        pictures: [],
        contentWarning: "Slug death",
        sensitive: true,
        community: null,
        score: null,
        thread: null,
      },
      ...{ commentCount: null, provenance: null, postedAt: Date.UTC(2026, 4, 1) },
    };
    const visit = (one: Item) =>
      tandem.storage.write(async (tx) => {
        const { id } = await tx
          .insertInto("sources")
          .values(source)
          .onConflict((conflict) => conflict.columns(["platform", "url"]).doUpdateSet({ name: source.name }))
          .returning("id")
          .executeTakeFirstOrThrow();
        const found = { items: [one], unchanged: false, gone: [], complete: false, askAgainAfter: null };
        return ingest(tx, { ...source, id, community: "slugs" }, found, Date.UTC(2026, 5, 1));
      });
    await visit(item);
    const seen = async () =>
      (await tandem.as.anonymous().listPosts({ platform: "mastodon" })).posts.map(
        ({ body, contentWarning, sensitive }) => [body, contentWarning, sensitive],
      );
    expect(await seen()).toEqual([["I used beer.", "Slug death", true]]);
    expect((await reader.listPosts({ platform: "mastodon" })).posts).toEqual([]);
    await visit({ ...item, contentWarning: null, sensitive: false });
    expect(await seen()).toEqual([["I used beer.", undefined, undefined]]);
    expect((await reader.listPosts({ platform: "mastodon" })).posts).toHaveLength(1);
  });

  test("take the place of the text and media in feeds, lists for models and notifications", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const image = new Blob([new Uint8Array(await drawPicture())]);
    const author = ada.user.username;
    const texts = { title: "Plot", body: `He wakes, @${bob.user.username}.`, alt: "A bed" };
    const { post } = await ada.createPost({ ...texts, contentWarning: "Spoilers", image });
    await ada.createPost({ title: "Seen", body: "A slug.", alt: "Slime", sensitive: true, image });
    const files = `/media/`;
    for (const format of ["rss", "atom", "json"]) {
      const feed = await (await fetch(`${tandem.baseUrl}/creators/native/${author}/feed.${format}`)).text();
      expect(feed).toContain("Content warning: Spoilers");
      expect(feed).toContain("A slug.");
      for (const hidden of ["He wakes", "A bed", "Slime", files]) expect(feed).not.toContain(hidden);
    }
    const headers = { accept: "text/markdown" };
    const link = (await ada.createPost({ title: "Elsewhere", url: "https://example.org/", sensitive: true }))
      .post.id;
    await tandem.storage.write(async (tx) => {
      const row = tx.selectFrom("posts").select("fragment").where("id", "=", link);
      const facts = fromFragment((await row.executeTakeFirstOrThrow()).fragment);
      const card = { title: "Slugs, up close", description: null, imageUrl: null, siteName: null };
      const fragment = toFragment({ ...facts, card });
      await tx.updateTable("posts").set({ fragment }).where("id", "=", link).execute();
    });
    const list = await (await fetch(`${tandem.baseUrl}/creators/native/${author}`, { headers })).text();
    for (const shown of ["Spoilers", "https://example.org/", "marked as sensitive"])
      expect(list).toContain(shown);
    for (const hidden of ["He wakes", "Slugs, up close"]) expect(list).not.toContain(hidden);
    const whole = await (await fetch(`${tandem.baseUrl}/posts/${post.id}`, { headers })).text();
    expect(whole).toMatch(/Content warning: .*Spoilers[\s\S]*He wakes/);
    await ada.editPost({ id: post.id, contentWarning: null, sensitive: true });
    const versions = async () =>
      await (await fetch(`${tandem.baseUrl}/posts/${post.id}/versions`, { headers })).text();
    expect(await versions()).toContain("He wakes");
    expect(await versions()).not.toContain("A bed");
    await ada.editPost({ id: post.id, title: "Twist", contentWarning: "Spoilers" });
    for (const hidden of ["He wakes", "A bed", "Plot"]) expect(await versions()).not.toContain(hidden);
    expect(await versions()).toContain(`GET ${tandem.baseUrl}/api/posts/${post.id}/versions`);
    const { notifications } = await bob.listNotifications();
    expect(notifications.map(({ excerpt }) => excerpt)).toEqual(["Twist · Spoilers"]);
  });
});
