import { MINUTE } from "@tandem/contract/durations";
import type { Person } from "@tandem/testing/callers";
import { eventually } from "@tandem/testing/eventually";
import { Origin, type OriginHandler } from "@tandem/testing/origin";
import { drawPicture } from "@tandem/testing/pictures";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { deleteOrphans } from "../../media/delete-orphans.ts";
import { createCards } from "./link-cards.ts";

const html = { "content-type": "text/html; charset=utf-8" };
const pageOf = (head: string): OriginHandler => ({
  headers: html,
  body: `<!doctype html><head>${head}</head>`,
});
const titled = (title: string, image?: string) =>
  pageOf(`<title>${title}</title>${image ? `<meta property="og:image" content="${image}">` : ""}`);

describe.each(engines)("cards of links on %s", (engine) => {
  const once = testOnce(engine);
  const clock = { now: Date.UTC(2026, 5, 1) };
  let tandem: Tandem;
  let origin: Origin;
  let ada: Person;
  let picture: Buffer;
  beforeAll(async () => {
    // Allow one address of this machine; the others stay forbidden.
    const env = { OUTGOING_ALLOW: "127.0.0.1/32", LINK_CARDS: "1" };
    tandem = await startTandem(engine, { env, now: () => clock.now });
    picture = await drawPicture({ width: 1500, height: 1000 });
  });
  beforeEach(async () => {
    origin = await Origin.start();
    ada = await tandem.as.human();
    clock.now += 48 * 60 * MINUTE;
  });
  afterEach(() => origin[Symbol.asyncDispose]());
  afterAll(() => tandem.stop());

  const withCard = async (id: number) => {
    await tandem.services.afterResponse.idle();
    return (await ada.readPost({ id })).post;
  };
  const linkTo = async (url: string) => (await ada.createPost({ title: "See there", url })).post;
  const again = (minutes: number) => {
    clock.now += minutes * MINUTE;
    return createCards(tandem.services, new AbortController().signal);
  };
  const stored = async () => {
    await tandem.services.afterResponse.idle();
    const names: string[] = [];
    for await (const { name } of tandem.services.media.store.list()) names.push(name);
    return names.sort();
  };
  const paths = () => origin.requests.map(({ path }) => path);

  once("show the page's metadata with a stored picture, which is deleted with the post", async () => {
    const before = await stored();
    origin.show("/a.png", { headers: { "content-type": "image/png" }, body: picture });
    const url = origin.show("/", titled("On engines", "/a.png"));
    const post = await linkTo(url);
    expect(post).toMatchObject({ mediaType: "link", card: null, thumbnailUrl: null });
    const shown = await withCard(post.id);
    expect(shown).toEqual({
      ...post,
      card: {
        title: "On engines",
        description: null,
        siteName: "127.0.0.1",
        imageUrl: expect.stringMatching(/^\/media\//),
      },
      thumbnailUrl: expect.stringMatching(/^\/media\//),
      thumbHash: expect.any(String),
    });
    const response = await fetch(tandem.baseUrl + shown.thumbnailUrl);
    expect((await sharp(await response.arrayBuffer()).metadata()).width).toBe(720);
    await ada.deletePost({ id: post.id });
    expect(await stored()).toEqual(before);
  });

  once("change with the post's link, and are removed with it", async () => {
    origin.show("/a.png", { body: picture });
    const before = await stored();
    const post = await linkTo(origin.show("/1", titled("One", "/a.png")));
    expect((await withCard(post.id)).card?.title).toBe("One");
    const { post: edited } = await ada.editPost({ id: post.id, url: origin.show("/2", titled("Two")) });
    expect(edited).toMatchObject({ card: null, thumbnailUrl: null, thumbHash: null });
    expect(await withCard(post.id)).toMatchObject({
      card: { title: "Two", imageUrl: null },
      thumbnailUrl: null,
    });
    expect(await stored()).toEqual(before);
    await ada.editPost({ id: post.id, title: "Still there" });
    expect((await withCard(post.id)).card?.title).toBe("Two");
    await ada.editPost({ id: post.id, url: null });
    expect(await withCard(post.id)).toMatchObject({ card: null, mediaType: "text" });
  });

  once("aren't created for posts with media or for dry runs", async () => {
    const url = origin.show("/", titled("On engines"));
    const image = new Blob([new Uint8Array(picture)]);
    const { post } = await ada.createPost({ title: "A loom", image, url });
    await ada.editPost({ id: post.id, url: `${url}?2` });
    await ada.call("createPost", { title: "See there", url }, { dryRun: true });
    expect((await withCard(post.id)).card).toBeNull();
    expect(origin.requests).toEqual([]);
  });

  once("fetch a page once for several posts", async () => {
    origin.show("/a.png", { body: picture });
    const url = origin.show("/page", titled("On", "/a.png"));
    const first = await withCard((await linkTo(url)).id);
    for (let i = 0; i < 2; i++) {
      const shown = await withCard((await linkTo(url)).id);
      expect(shown.card).toMatchObject({ title: first.card?.title });
      expect(shown.thumbnailUrl).not.toBe(first.thumbnailUrl);
      await ada.deletePost({ id: shown.id });
    }
    expect(paths()).toEqual(["/page", "/a.png"]);
    expect((await fetch(tandem.baseUrl + (await withCard(first.id)).thumbnailUrl)).status).toBe(200);
  });

  test.each([
    ["rel=canonical", '<link rel="canonical" href="/bank">'],
    ["og:url", '<meta property="og:url" content="/bank">'],
  ])("never come from what another page of the host claims with %s", async (_, claim) => {
    const bank = origin.show("/bank", titled("The bank"));
    await withCard((await linkTo(origin.show("/~mallory", pageOf(`<title>Stolen</title>${claim}`)))).id);
    expect((await withCard((await linkTo(bank)).id)).card?.title).toBe("The bank");
  });

  test("are given up after some attempts with increasing delays", async () => {
    const url = origin.show("/", (_request, response) => response.destroy());
    const { id } = await linkTo(url);
    const counts: number[] = [];
    for (const minutes of [0, 1, 5, 5, 60, 600]) {
      await tandem.services.afterResponse.idle();
      await again(minutes);
      counts.push(origin.requests.length);
    }
    expect(counts).toEqual([1, 2, 2, 3, 3, 3]);
    expect((await withCard(id)).card).toBeNull();
  });

  once("are created once a failing page is available again", async () => {
    const url = origin.show("/", (_request, response) => response.destroy());
    const { id } = await linkTo(url);
    await withCard(id);
    origin.show("/", titled("Back"));
    await again(1);
    expect((await withCard(id)).card?.title).toBe("Back");
  });

  if (runsOnceTests(engine))
    test("survive invalid pages and pictures, and never reach forbidden addresses", async () => {
      const faults = vi.spyOn(tandem.services.log, "error");
      await using hidden = await Origin.start("127.0.0.2");
      const secret = `http://127.0.0.2:${hidden.port}/`;
      hidden.show("/", { ...titled("Secret"), headers: html });
      origin.show("/large.png", { body: Buffer.alloc(9 * 2 ** 20) });
      origin.show("/broken.png", { body: picture.subarray(0, 2000) });
      origin.show("/inner.png", { status: 302, headers: { location: secret } });
      const without = { title: "Odd", imageUrl: null };
      const cases: [OriginHandler, object | null][] = [
        [{ status: 302, headers: { location: secret } }, null],
        [{ status: 302, headers: { location: "file:///etc/passwd" } }, null],
        [{ status: 404 }, null],
        [{ headers: { "content-type": "image/png" }, body: "no picture" }, null],
        [{ headers: html, body: `<title>${"\u0000<b>".repeat(9)}</title>` }, null],
        [titled("Odd", "/large.png"), without],
        [titled("Odd", "/broken.png"), without],
        [titled("Odd", "/inner.png"), without],
        [titled("Odd", secret), without],
        [titled("Odd", "javascript:alert(1)"), without],
        [titled("Odd&lt;script&gt;alert(1)&lt;/script&gt;"), without],
      ];
      const posts = [];
      for (const [i, [shows]] of cases.entries()) posts.push(await linkTo(origin.show(`/${i}`, shows)));
      const cards = [];
      for (const { id } of posts) cards.push((await withCard(id)).card);
      expect(cards).toEqual(cases.map(([, card]) => card && expect.objectContaining(card)));
      expect(hidden.requests).toEqual([]);
      expect(faults).not.toHaveBeenCalled();
      faults.mockRestore();
    });

  once("are fetched again after a week, and change if the page has", async () => {
    const week = 7 * 24 * 60;
    const before = await stored();
    const headers = { ...html, etag: '"1"' };
    origin.show("/a.png", { body: picture });
    const url = origin.show("/", { ...titled("One", "/a.png"), headers });
    const { id } = await linkTo(url);
    const first = await withCard(id);
    await again(week - 1);
    expect(paths()).toEqual(["/", "/a.png"]);
    await again(1);
    expect(origin.requests.at(-1)).toMatchObject({ path: "/", headers: { "if-none-match": '"1"' } });
    expect(await withCard(id)).toEqual(first);
    origin.show("/", { ...titled("Two"), headers: { ...html, etag: '"2"' } });
    await again(2 * week);
    expect(await withCard(id)).toMatchObject({ card: { title: "Two" }, thumbnailUrl: null, editedAt: null });
    await deleteOrphans(tandem.services);
    expect(await stored()).toEqual(before);
    origin.show("/", { status: 503 });
    for (const weeks of [4, 8, 16, 32]) await again(weeks * week);
    expect((await withCard(id)).card?.title).toBe("Two");
    expect(paths()).toEqual(["/", "/a.png", "/", "/", "/", "/"]);
  });

  /** A page that responds only when `respond` is called. */
  const slowPage = (path: string) => {
    let respond = () => {};
    let url = "";
    const reached = new Promise<void>((resolve) => {
      url = origin.show(path, (_request, response) => {
        respond = () => response.writeHead(200, html).end("<title>Late</title>");
        resolve();
      });
    });
    return { url, reached, respond: () => respond() };
  };

  test("don't delay writes, and are discarded if the post was deleted or its link changed", async () => {
    const faults = vi.spyOn(tandem.services.log, "error");
    const before = await stored();
    const [gone, moved] = [slowPage("/gone"), slowPage("/moved")];
    const posts = [await linkTo(gone.url)];
    await gone.reached;
    for (const { id } of posts) await ada.deletePost({ id });
    gone.respond();
    await tandem.services.afterResponse.idle();
    const post = await linkTo(moved.url);
    await moved.reached;
    await ada.editPost({ id: post.id, url: origin.show("/new", titled("New")) });
    moved.respond();
    expect((await withCard(post.id)).card?.title).toBe("New");
    expect(await stored()).toEqual(before);
    expect(faults).not.toHaveBeenCalled();
    faults.mockRestore();
  });

  if (runsOnceTests(engine))
    test("of a page that doesn't respond don't delay others", async () => {
      const stuck = slowPage("/stuck");
      const slow = await linkTo(stuck.url);
      await stuck.reached;
      await using other = await Origin.start();
      const { id } = await linkTo(other.show("/", titled("Quick")));
      await eventually(async () => expect((await ada.readPost({ id })).post.card?.title).toBe("Quick"));
      expect((await ada.readPost({ id: slow.id })).post.card).toBeNull();
      stuck.respond();
      expect((await withCard(slow.id)).card?.title).toBe("Late");
    });

  test("are fetched from a host one at a time, even by several processes", async () => {
    let [open, most] = [0, 0];
    const shows: OriginHandler = (_request, response) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open -= 1;
        response.writeHead(200, html).end("<title>Busy</title>");
      });
    };
    const posts = [];
    for (let i = 0; i < 8; i++) posts.push(await linkTo(origin.show(`/${i}`, shows)));
    await Promise.all([again(0), again(0), again(0)]);
    for (const { id } of posts) expect((await withCard(id)).card?.title).toBe("Busy");
    expect(most).toBe(1);
    expect(paths()).toHaveLength(8);
  });
});
