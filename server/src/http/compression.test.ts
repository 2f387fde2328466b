import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Person } from "@tandem/testing/callers";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const decompress: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

describe("responses are compressed", () => {
  let tandem: Tandem;
  let ada: Person;
  beforeAll(async () => {
    tandem = await startTandem("sqlite", { env: { PAGE_CACHE: "3600" } });
    ada = await tandem.as.human("ada");
    await ada.createPost({ title: "Looms", body: "It weaves algebraic patterns. ".repeat(100) });
    // Loads the renderer: until then, pages are not shared.
    await ask("/");
  });
  afterAll(() => tandem.stop());

  /** The response as it was sent, and its text. `fetch` would decompress it. */
  const ask = (path: string, headers: Record<string, string> = {}, method = "GET", body?: string) =>
    new Promise<{
      status: number;
      headers: Record<string, string | undefined>;
      bytes: Buffer;
      text: string;
    }>((resolve, reject) => {
      const url = new URL(path, tandem.baseUrl);
      request(url, { method, headers: { accept: "text/html", ...headers } }, (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece) => pieces.push(piece));
        response.on("end", () => {
          const bytes = Buffer.concat(pieces);
          const { "content-encoding": encoding } = response.headers;
          const whole = encoding && bytes.length > 0 ? decompress[encoding]?.(bytes) : bytes;
          const received = response.headers as Record<string, string | undefined>;
          resolve({ status: response.statusCode ?? 0, headers: received, bytes, text: String(whole) });
        });
      })
        .on("error", reject)
        .end(body);
    });
  const encodingOf = async (path: string, headers: Record<string, string> = {}) =>
    (await ask(path, headers)).headers["content-encoding"];
  const both = { "accept-encoding": "gzip, deflate, br, zstd" };
  const cookie = () => String(ada.options.headers?.cookie);

  test.each([
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["*", "br"],
    ["br;q=0.5, gzip", "gzip"],
    ["br;q=0, *", "gzip"],
    ["br;q=0, gzip;q=0", undefined],
    ["identity", undefined],
    ["identity, br;q=0.5", undefined],
    ["identity;q=0, br", "br"],
    ["*;q=0", undefined],
    ["identity;q=0, *;q=0", undefined],
    ["br;q=nonsense, gzip;level=1", "gzip"],
    [";;,=,q=1,\u00e9,deflate", undefined],
    ["", undefined],
  ])("as `Accept-Encoding: %s` allows", async (header, encoding) => {
    expect(await encodingOf("/api/posts", { "accept-encoding": header })).toBe(encoding);
  });

  test.each(["/", "/api/posts", "/feed.rss", "/developers.md", "/api/openapi.json"])(
    "%s: same text and tag in every encoding, 304, HEAD",
    async (path) => {
      const plain = await ask(path);
      expect(plain.headers["content-encoding"]).toBeUndefined();
      expect(plain.headers.vary).toContain("Accept-Encoding");
      for (const encoding of ["br", "gzip"]) {
        const accepting = { "accept-encoding": encoding };
        const { status, headers, bytes, text } = await ask(path, accepting);
        expect([status, headers["content-encoding"]]).toEqual([plain.status, encoding]);
        expect(headers.vary).toBe(plain.headers.vary);
        expect(Number(headers["content-length"])).toBe(bytes.length);
        expect(bytes.length).toBeLessThan(plain.bytes.length * 0.6);
        expect(text).toBe(plain.text);
        expect(headers.etag).toBe(plain.headers.etag);
        const head = await ask(path, accepting, "HEAD");
        expect(head.bytes).toHaveLength(0);
        for (const name of ["content-encoding", "content-length", "etag", "vary"])
          expect([name, head.headers[name]]).toEqual([name, headers[name]]);
        if (headers.etag === undefined) continue;
        const again = await ask(path, { ...accepting, "if-none-match": headers.etag });
        expect([again.status, again.bytes.length, again.headers.vary]).toEqual([304, 0, headers.vary]);
        expect(again.headers["content-encoding"]).toBeUndefined();
      }
    },
  );

  test("but not small ones, nor those to writes", async () => {
    expect(await encodingOf("/api/live", both)).toBeUndefined();
    expect(await encodingOf("/nowhere", both)).toBe("br");
    const written = await ask(
      "/api/posts",
      { ...both, cookie: cookie(), "content-type": "application/json", "sec-fetch-site": "same-origin" },
      "POST",
      JSON.stringify({ title: "Long", body: "A long text. ".repeat(200) }),
    );
    expect(written.headers["content-encoding"]).toBeUndefined();
    expect(JSON.parse(written.text).post.title).toBe("Long");
  });

  // What another site can make a browser request, it could measure (BREACH).
  test("with a session only if the reader or the app asked, and messages never", async () => {
    for (const path of ["/", "/api/posts", "/search?q=guess"]) {
      const as = (headers: Record<string, string>) => encodingOf(path, { ...both, ...headers });
      for (const site of ["same-origin", "none"])
        expect([path, site, await as({ cookie: cookie(), "sec-fetch-site": site })]).toEqual([
          path,
          site,
          "br",
        ]);
      for (const site of ["cross-site", "same-site", "nonsense"])
        expect([path, site, await as({ cookie: cookie(), "sec-fetch-site": site })]).toEqual([
          path,
          site,
          undefined,
        ]);
      expect([path, await as({ cookie: cookie() })]).toEqual([path, undefined]);
      expect([path, await as({ cookie: "tandem_theme=dark", "sec-fetch-site": "cross-site" })]).toEqual([
        path,
        "br",
      ]);
    }
    const bob = await tandem.as.human("bob");
    await bob.sendMessage({ username: "ada", body: "Not for others. ".repeat(100) });
    const own = { ...both, cookie: cookie(), "sec-fetch-site": "same-origin" };
    for (const path of ["/api/messages", "/api/messages/bob"]) {
      const { headers, bytes } = await ask(path, own);
      expect([path, headers["content-encoding"], bytes.length > 1024]).toEqual([path, undefined, true]);
    }
  });
});
