import { sendRequest } from "@tandem/testing/raw-http";
import { startTandem, stores, type Tandem } from "@tandem/testing/tandem";
import { makeVideo } from "@tandem/testing/videos";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MEDIA_PATH } from "../media/names.ts";

describe.each(stores)("a stored file on %s", (store) => {
  let tandem: Tandem;
  let path: string;
  let bytes: Buffer;
  beforeAll(async () => {
    tandem = await startTandem("sqlite", { store });
    const ada = await tandem.as.human();
    const video = new Blob([new Uint8Array(await makeVideo())]);
    const { post } = await ada.createPost({ title: "Weaving", video });
    path = String(post.mediaUrl);
    bytes = Buffer.from(await (await fetch(tandem.baseUrl + path)).arrayBuffer());
  });
  afterAll(() => tandem.stop());

  const get = async (headers: Record<string, string> = {}, method = "GET") => {
    const response = await fetch(tandem.baseUrl + path, { method, headers });
    return { response, content: Buffer.from(await response.arrayBuffer()) };
  };
  const etag = () => `"${path.slice(MEDIA_PATH.length, -4)}"`;

  test("is immutable, and sandboxed if opened directly", async () => {
    const { response, content } = await get();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "video/mp4",
      "content-length": String(bytes.length),
      "cache-control": "public, max-age=31536000, immutable",
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      etag: etag(),
    });
    expect(response.headers.has("set-cookie")).toBe(false);
    expect(content.subarray(4, 8).toString()).toBe("ftyp");
  });

  test("returns 304 for a matching If-None-Match", async () => {
    for (const ifNoneMatch of [etag(), `W/${etag()}`, `"other", ${etag()}`, "*"]) {
      const { response, content } = await get({ "if-none-match": ifNoneMatch });
      expect([ifNoneMatch, response.status, content.length]).toEqual([ifNoneMatch, 304, 0]);
    }
    expect((await get({ "if-none-match": '"other"' })).response.status).toBe(200);
  });

  test("responds to HEAD without content", async () => {
    const { response, content } = await get({ range: "bytes=0-1" }, "HEAD");
    expect([response.status, response.headers.get("content-length"), content.length]).toEqual([
      200,
      String(bytes.length),
      0,
    ]);
  });

  test("responds to range requests", async () => {
    const size = bytes.length;
    const parts: [string, number, number][] = [
      ["bytes=0-", 0, size],
      ["bytes=0-0", 0, 1],
      ["bytes=100-199", 100, 200],
      ["bytes=-10", size - 10, size],
      [`bytes=${size - 1}-`, size - 1, size],
      [`bytes=10-${size + 1000}`, 10, size],
      [`bytes=-${size + 1000}`, 0, size],
    ];
    for (const [range, first, end] of parts) {
      const { response, content } = await get({ range });
      expect([range, response.status, response.headers.get("content-range")]).toEqual([
        range,
        206,
        `bytes ${first}-${end - 1}/${size}`,
      ]);
      expect(content.equals(bytes.subarray(first, end))).toBe(true);
    }
    const beyond = await get({ range: `bytes=${size}-` });
    expect(beyond.response.status).toBe(416);
    expect(beyond.response.headers.get("content-range")).toBe(`bytes */${size}`);
    expect(JSON.parse(beyond.content.toString())).toMatchObject({ code: "range_not_satisfiable" });
    const several = await get({ range: "bytes=0-1,5-6" });
    expect([several.response.status, several.content.length]).toEqual([200, size]);
  });

  test("ignores a range if If-Range doesn't match", async () => {
    const range = "bytes=1-2";
    expect((await get({ range, "if-range": etag() })).response.status).toBe(206);
    for (const other of ['"other"', `W/${etag()}`, new Date().toUTCString()])
      expect((await get({ range, "if-range": other })).response.status).toBe(200);
  });

  test("returns 404 for any other name", async () => {
    const name = path.slice(MEDIA_PATH.length);
    const swapped = name.replace(/^./, name.startsWith("A") ? "B" : "A");
    const others = [
      swapped,
      name.replace(".mp4", ".webp"),
      name.slice(0, -4),
      `${name}/`,
      `${name}%00`,
      `x/${name}`,
      "",
      "..%2f..%2ftandem.db",
      "../tandem.db",
      "%2e%2e/tandem.db",
      "..%5ctandem.db",
      `${name.slice(0, 2)}/${name}`,
      `${name.slice(0, 2)}%2f${name}`,
      "x".repeat(5000),
    ];
    for (const other of others) {
      const response = await sendRequest(tandem.baseUrl, { path: MEDIA_PATH + other });
      expect([other, response.status, response.body.code]).toEqual([other, 404, "not_found"]);
    }
    const { status, headers } = await sendRequest(tandem.baseUrl, { method: "DELETE", path });
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});
