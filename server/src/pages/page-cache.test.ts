import type { Person } from "@tandem/testing/callers";
import { eventually } from "@tandem/testing/eventually";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Content } from "../http/content.ts";
import { PageCache } from "./page-cache.ts";

let tandem: Tandem;
let ada: Person;
beforeAll(async () => {
  // Far longer than the tests take.
  tandem = await startTandem("sqlite", { env: { PAGE_CACHE: "3600" } });
  ada = await tandem.as.human("ada");
});
afterAll(() => tandem.stop());

const get = async (path: string, headers: Record<string, string> = {}, baseUrl = tandem.baseUrl) => {
  const response = await fetch(baseUrl + path, { headers: { accept: "text/html", ...headers } });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const cookie = () => (ada.options.headers as Record<string, string>).cookie ?? "";

test("strangers share a page by language and choices; an account's pages are its own, and never shared", async () => {
  await get("/");
  const before = await get("/");
  const german = await get("/", { "accept-language": "de-AT" });
  const dimmed = await get("/", { cookie: "tandem_ai=dim" });
  await ada.createPost({ title: "Only just written" });
  const after = await get("/", { cookie: "other=1" });
  expect(after.text).toBe(before.text);
  expect(after.headers.get("cache-control")).toBe("public, max-age=0, s-maxage=3600");
  expect(Number(after.headers.get("age"))).toBeGreaterThanOrEqual(0);
  expect(after.headers.get("vary")).toBe("Accept, Accept-Language, Cookie, Accept-Encoding");
  const known = await get("/", { "if-none-match": before.headers.get("etag") ?? "" });
  expect(known.status).toBe(304);
  expect(german.text).toContain('<html lang="de"');
  expect((await get("/", { "accept-language": "de" })).text).toBe(german.text);
  expect(after.text).toContain('<html lang="en"');
  expect((await get("/", { cookie: "tandem_ai=dim" })).text).toBe(dimmed.text);
  for (const header of [cookie(), `${cookie()}; tandem_ai=dim`, "tandem_session=stale"]) {
    const own = await get("/", { cookie: header });
    expect(own.text).toContain("Only just written");
    expect(own.headers.get("cache-control")).toBe("private, no-cache");
    expect(own.headers.has("age")).toBe(false);
  }
  expect((await get("/")).text).toBe(before.text);
  expect((await get("/?sort=hot")).text).toContain("Only just written");
});

test("what isn't found isn't cached", async () => {
  const { id } = (await ada.createPost({ title: "Soon there" })).post;
  const path = `/posts/${id + 1}`;
  for (let i = 0; i < 2; i++) expect((await get(path)).status).toBe(404);
  expect((await ada.createPost({ title: "There" })).post.id).toBe(id + 1);
  expect((await get(path)).status).toBe(200);
});

test.each(["/feed.rss", "/feed.atom", "/feed.json", "/index.md"])(
  "%s is cached and says its age",
  async (path) => {
    const before = await get(path);
    await ada.createPost({ title: "Not yet there" });
    const after = await get(path);
    expect(after.text).toBe(before.text);
    expect(Number(after.headers.get("age"))).toBeGreaterThanOrEqual(0);
  },
);

test("a post that is edited or deleted is soon gone from pages and feeds", async () => {
  await using service = await startTandem("sqlite", { env: { PAGE_CACHE: "1" } });
  const author = await service.as.human();
  const { post } = await author.createPost({ title: "First words" });
  const shows = async (text: string) => {
    const pages = await Promise.all(["/", "/feed.rss"].map((path) => get(path, {}, service.baseUrl)));
    return pages.map((page) => page.text.includes(text));
  };
  expect(await shows("First words")).toEqual([true, true]);
  await author.editPost({ id: post.id, title: "Other words" });
  await eventually(async () => expect(await shows("First words")).toEqual([false, false]));
  await author.deletePost({ id: post.id });
  await eventually(async () => expect(await shows("Other words")).toEqual([false, false]));
});

test("a page that is being made is made once, a failure isn't cached, and memory is bounded", async () => {
  const cache = new PageCache<{ content: Content }>(3_600_000);
  let made = 0;
  const make = async () => {
    made += 1;
    if (made === 1) throw new Error("fails");
    return { content: new Content([Buffer.alloc(2 ** 20)], "fast") };
  };
  await Promise.allSettled([cache.share("a", make), cache.share("a", make)]);
  expect([made, cache.has("a")]).toEqual([1, false]);
  await Promise.all([cache.share("a", make), cache.share("a", make)]);
  expect([made, cache.has("a")]).toEqual([2, true]);
  for (let i = 0; i < 40; i++) await cache.share(`page ${i}`, make);
  const kept = Array.from({ length: 40 }, (_, i) => cache.has(`page ${i}`)).filter(Boolean).length;
  expect(kept).toBeGreaterThan(15);
  expect(kept).toBeLessThan(32 / 1.5);
  expect(cache.has("a")).toBe(false);
});
