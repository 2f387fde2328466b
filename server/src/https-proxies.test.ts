import { once } from "node:events";
import { createServer, type IncomingMessage, request as overHttp } from "node:http";
import { type RequestOptions, request } from "node:https";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { limits } from "@tandem/contract/limits";
import type { Person } from "@tandem/testing/callers";
import { formType } from "@tandem/testing/forms";
import { type HttpsProxy, proxyNames, site, startProxy } from "@tandem/testing/https-proxies";
import { streamingSettings } from "@tandem/testing/streaming";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const env = { BASE_URL: `https://${site}`, TRUST_PROXY: "1", ...streamingSettings };

/** Paths that aren't public, with the service's own status: it decodes a path once and doesn't normalize it. */
const hidden = [
  ["GET", "/metrics", 200],
  ["GET", "/metrics?a=%zz", 200],
  ["GET", "/%6detrics", 200],
  ["GET", "/%6Detrics?a=b", 200],
  ["GET", "/%6d%65%74%72%69%63%73", 200],
  ["GET", `http://${site}/metrics`, 200],
  ["GET", `http://${site}/metric%73`, 200],
  ["POST", "/hooks/live", 403],
  ["POST", "/%68ooks/live?secret=guessed", 403],
  ["POST", "/hooks/%6cive", 403],
  ["POST", `http://${site}/%68ook%73/l%69ve`, 403],
] as const;

/** Other spellings, which a proxy may take for one of the paths above. The service returns 404 for them. */
const similar = [
  ...["//metrics", "/./metrics", "/%2e/metrics", "/api/../metrics", "/x/%2e%2e/metrics", "/a%2f..%2fmetrics"],
  ...["/%2fmetrics", "/metrics/", "/metrics%2f", "/metrics;a", "/metrics%3fa", "/metrics%20", "/METRICS"],
  ...["/%256detrics", "//hooks/live", "/./hooks/live", "/a/../hooks/live", "/hooks//live", "/hooks/./live"],
  ...["/hooks%2flive", "/%68ooks%2Flive", "/hooks%5clive", "/hooks/live/", "/hooks/live;a", "/HOOKS/live"],
];

describe.each(proxyNames)("behind the docs' %s, the service", (name) => {
  let tandem: Tandem;
  let proxy: HttpsProxy;
  let ada: Person;
  let cookie: string;
  beforeAll(async () => {
    tandem = await startTandem("sqlite", { env });
    proxy = await startProxy(name, tandem.baseUrl);
    ada = await tandem.as.human();
    cookie = String(ada.options.headers?.cookie);
    await ada.createPost({ title: "Over HTTPS", body: "It weaves algebraic patterns. ".repeat(100) });
  });
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await tandem.stop();
  });

  test("redirects to HTTPS and sends HSTS", async () => {
    const plain = overHttp({
      host: "127.0.0.1",
      port: proxy.httpPort,
      path: "/creators?q=a",
      headers: { host: site },
    });
    const [redirect] = (await once(plain.end(), "response")) as [IncomingMessage];
    redirect.resume();
    expect([redirect.statusCode, redirect.headers.location]).toEqual([308, `https://${site}/creators?q=a`]);
    for (const [path, status] of [
      ["/", 200],
      ["/api/posts", 200],
      ["/api/nothing", 404],
    ] as const) {
      const { status: received, headers, bytes } = await ask(proxy, path);
      expect([path, received, headers["strict-transport-security"]]).toEqual([
        path,
        status,
        "max-age=31536000",
      ]);
      if (status === 404) expect(JSON.parse(String(bytes))).toMatchObject({ code: "not_found" });
    }
  });

  test("returns 404 to the public for metrics and streaming hooks, in any spelling of their paths", async () => {
    const { hostname: host, port } = new URL(tandem.baseUrl);
    const paths = [
      ...hidden,
      ...similar.map((path) => [/h.*oks/i.test(path) ? "POST" : "GET", path, 404] as const),
    ];
    for (const [method, path, status] of paths) {
      const headers = { host: site };
      const sending = overHttp({ host, port, path, method, headers, agent: false });
      const [own] = (await once(sending.end(), "response")) as [IncomingMessage];
      own.resume();
      expect([path, own.statusCode]).toEqual([path, status]);
      const { status: received, headers: receivedHeaders, bytes } = await ask(proxy, path, { method });
      expect([path, received, receivedHeaders["strict-transport-security"]]).toEqual([
        path,
        404,
        "max-age=31536000",
      ]);
      expect(JSON.parse(String(bytes))).toMatchObject({ code: "not_found" });
    }
  });

  test("passes compressed pages and JSON on, and compresses nothing itself", async () => {
    const gzip = { headers: { accept: "*/*", "accept-encoding": "gzip" } };
    const { posts } = await ada.listPosts();
    const list = await ask(proxy, "/api/posts", gzip);
    expect(list.headers).toMatchObject({ "content-encoding": "gzip", vary: /accept-encoding/i });
    expect(JSON.parse(String(gunzipSync(list.bytes))).posts).toHaveLength(posts.length);
    const known = { headers: { ...gzip.headers, "if-none-match": String(list.headers.etag) } };
    expect((await ask(proxy, "/api/posts", known)).status).toBe(304);
    const page = await ask(proxy, "/", { headers: { ...gzip.headers, accept: "text/html" } });
    expect(page.headers).toMatchObject({ "content-encoding": "gzip", vary: /accept-encoding/i });
    const html = String(gunzipSync(page.bytes));
    expect(html).toContain("Over HTTPS");
    const script = String(/src="([^"]+\.js)"/.exec(html)?.[1]);
    // What Tandem doesn't compress, in case another site measures it.
    const measured = { cookie, "sec-fetch-site": "cross-site", accept: "text/html" };
    for (const path of ["/", "/api/posts"])
      expect(
        (await ask(proxy, path, { headers: { ...gzip.headers, ...measured } })).headers,
      ).not.toHaveProperty("content-encoding");
    const code = await ask(proxy, script, { headers: { "accept-encoding": "gzip, br" } });
    expect(code.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(code.bytes).length).toBeGreaterThan(code.bytes.length);
  });

  test("streams events as they happen", async () => {
    const { post } = await ada.createPost({ title: "Followed live" });
    const bob = await tandem.as.human();
    const response = await begin(proxy, "/api/notifications/stream", {
      headers: { cookie, "accept-encoding": "gzip" },
    });
    expect(response.headers).toMatchObject({ "content-type": "text/event-stream; charset=utf-8" });
    expect(response.headers).not.toHaveProperty("content-encoding");
    let text = "";
    response.on("data", (piece) => {
      text += piece;
    });
    await expect.poll(() => text).toContain("event: unread");
    await bob.likePost({ id: post.id });
    await expect.poll(() => text).toContain("event: notification");
    response.destroy();
  });

  test("accepts the largest allowed form", async () => {
    // The service rejects the anonymous caller before it reads the rest; a proxy would reject a size beyond its limit first.
    const bytes = limits.videoBytes + limits.thumbnailBytes + limits.formParts * limits.formTextBytes;
    const headers = { ...formType, "content-length": bytes };
    const response = await begin(proxy, "/api/posts", { method: "POST", headers }, "--");
    expect(response.statusCode).toBe(401);
    response.destroy();
  });
});

test.each(proxyNames)(
  "%s forwards the client's address, and reports an unavailable service in JSON",
  async (name) => {
    const upstream = createServer((incoming, response) => response.end(incoming.headers["x-forwarded-for"]));
    await once(upstream.listen(0, "127.0.0.1"), "listening");
    await using proxy = await startProxy(
      name,
      `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
    );
    const claimed = { localAddress: "127.0.0.2", headers: { "x-forwarded-for": "203.0.113.9" } };
    expect(String((await ask(proxy, "/", claimed)).bytes)).toBe("127.0.0.2");
    upstream.closeAllConnections();
    await once(upstream.close(), "close");
    const { status, headers, bytes } = await ask(proxy, "/api/posts");
    expect([502, 503]).toContain(status);
    expect(JSON.parse(String(bytes))).toEqual({ error: expect.any(String), code: "overloaded" });
    expect(headers).toMatchObject({ "retry-after": "1", "strict-transport-security": "max-age=31536000" });
  },
);

/** Sends a request, possibly with only the start of its body, and resolves with the response's headers. */
async function begin(proxy: HttpsProxy, path: string, options: RequestOptions = {}, body = "") {
  const where = { host: "127.0.0.1", port: proxy.httpsPort, servername: site, ca: proxy.ca, agent: false };
  const sending = request({ ...where, path, ...options, headers: { host: site, ...options.headers } });
  if (body) sending.write(body);
  else sending.end();
  const [response] = (await once(sending, "response")) as [IncomingMessage];
  return response;
}

async function ask(proxy: HttpsProxy, path: string, options: RequestOptions = {}) {
  const response = await begin(proxy, path, options);
  const bytes = Buffer.concat(await response.toArray());
  return { status: response.statusCode, headers: response.headers, bytes };
}
