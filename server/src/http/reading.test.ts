import type { Person } from "@tandem/testing/callers";
import { sendRequest } from "@tandem/testing/raw-http";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe.each(engines)("reading over HTTP on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let person: Person;
  const ids: number[] = [];
  beforeAll(async () => {
    tandem = await startTandem(engine);
    person = await tandem.as.human();
    for (let i = 0; i < 7; i++) ids.unshift((await person.createPost({ title: `Loom ${i}` })).post.id);
  });
  afterAll(() => tandem.stop());

  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    sendRequest(tandem.baseUrl, { method, path, headers });

  once("returns 304 without a body for a matching If-None-Match", async () => {
    const first = await get("/api/posts?limit=2");
    const etag = String(first.headers.get("etag"));
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    const strong = etag.slice(2);
    for (const known of [etag, strong, "*", `"other", ${etag}`, `"other",${strong}`]) {
      const again = await get("/api/posts?limit=2", { "if-none-match": known });
      expect([known, again.status, again.text, again.headers.get("etag")]).toEqual([known, 304, "", etag]);
    }
    for (const known of ['"other"', "nonsense", strong.slice(1, -1)]) {
      const again = await get("/api/posts?limit=2", { "if-none-match": known });
      expect([known, again.status, again.text]).toEqual([known, 200, first.text]);
    }
  });

  test("changes the ETag with the content and with the caller", async () => {
    const path = `/api/posts/${ids[0]}`;
    const anonymous = await get(path);
    const known = { "if-none-match": String(anonymous.headers.get("etag")) };
    expect((await get(path, known)).status).toBe(304);
    await person.likePost({ id: Number(ids[0]) });
    expect((await get(path, known)).body.post).toMatchObject({ likeCount: 1, liked: false });
    const mine = await get(path, { ...known, ...person.options.headers });
    expect(mine.body.post).toMatchObject({ likeCount: 1, liked: true });
    expect(mine.headers.get("cache-control")).toBe("private, no-cache");
    expect(mine.headers.get("vary")).toBe("Authorization, Cookie, Accept-Encoding");
  });

  once("sends no ETag with errors and writes", async () => {
    expect((await get("/api/posts/9999999", { "if-none-match": "*" })).status).toBe(404);
    expect((await get("/api/posts/9999999")).headers.get("etag")).toBe(null);
    const written = await person.call("likePost", { id: ids[0] });
    expect(written.headers.get("etag")).toBe(null);
  });

  once("HEAD returns the headers of GET without the body", async () => {
    for (const path of ["/api/posts", `/api/posts/${ids[0]}`, "/api/posts/9999999", "/api/auth/me"]) {
      const [head, full] = [await get(path, {}, "HEAD"), await get(path)];
      expect([path, head.status, head.text]).toEqual([path, full.status, ""]);
      for (const name of ["content-type", "content-length", "etag", "link"])
        expect([path, name, head.headers.get(name)]).toEqual([path, name, full.headers.get(name)]);
    }
    const etag = String((await get("/api/posts")).headers.get("etag"));
    expect((await get("/api/posts", { "if-none-match": etag }, "HEAD")).status).toBe(304);
  });

  once("HEAD of a tracked link redirects, too", async () => {
    const url = "https://example.org/t%C3%A9?a=1&b=ü€😀#top";
    const { product } = await person.createProduct({ title: "Tea", url });
    for (const method of ["HEAD", "GET"]) {
      const { status, headers } = await get(`/out/${product.id}`, {}, method);
      expect([status, headers.get("location")]).toEqual([302, new URL(url).href]);
    }
  });

  test("following `rel=next` returns every item once", async () => {
    const found: number[] = [];
    let path: string | null = "/api/posts?limit=3&q=loom&provenance=human,ai_assisted&_unknown=%C3%A9";
    while (path !== null) {
      const { body, headers } = await get(path);
      const page = body as { posts: { id: number }[]; nextCursor: number | null };
      found.push(...page.posts.map(({ id }) => id));
      const link = headers.get("link") ?? "";
      expect(!link.includes('rel="next"')).toBe(page.nextCursor === null);
      path = page.nextCursor === null ? null : nextOf(link, tandem.baseUrl);
      if (path) expect(new URL(path, tandem.baseUrl).searchParams.get("cursor")).toBe(`${page.nextCursor}`);
    }
    expect(found).toEqual(ids);
  });

  once("links use the public base URL", async () => {
    await using behind = await startTandem(engine, { env: { BASE_URL: "https://tandem.example" } });
    const author = await behind.as.human();
    for (let i = 0; i < 2; i++) await author.createPost({ title: `${i}` });
    for (const path of ["/api/posts?limit=1", "http://evil.example/api/posts?limit=1"]) {
      const { headers } = await sendRequest(behind.baseUrl, { path, headers: { host: "evil.example" } });
      expect(headers.get("link")).toMatch(
        /^<https:\/\/tandem\.example\/api\/posts\?limit=1&cursor=\d+>; rel="next", /,
      );
    }
  });
});

/** Path and query of the next page (RFC 8288). */
function nextOf(link: string, baseUrl: string): string {
  const [, url = ""] = /^<([^>]+)>; rel="next", /.exec(link) ?? [];
  expect(url.startsWith(`${baseUrl}/api/posts?`)).toBe(true);
  return url.slice(baseUrl.length);
}
