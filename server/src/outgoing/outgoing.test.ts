import type { ServerResponse } from "node:http";
import { createServer } from "node:net";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { NameServer } from "@tandem/testing/name-server";
import { Origin } from "@tandem/testing/origin";
import { describe, expect, test } from "vitest";
import { type OutgoingOptions, openOutgoing } from "./outgoing.ts";
import type { OutgoingReason } from "./outgoing-error.ts";

const userAgent = "Tandem/1.0 (+https://tandem.example)";
const open = (options: Partial<OutgoingOptions> = {}) =>
  openOutgoing({ allowed: ["127.0.0.1/32"], userAgent: () => userAgent, ...options });
const failing = (reason: OutgoingReason) => expect.objectContaining({ reason });

describe("a response", () => {
  test("has status, headers and bytes; the request has our User-Agent", async () => {
    await using origin = await Origin.start();
    const url = origin.show("/feed", { status: 418, headers: { etag: '"a"' }, body: "tea" });
    const response = await open()(url, { headers: { accept: "text/html" } });
    expect(response).toMatchObject({ status: 418, url, moved: true });
    expect(response.headers.get("etag")).toBe('"a"');
    expect(response.bytes.toString()).toBe("tea");
    expect(origin.requests[0]?.headers).toMatchObject({ "user-agent": userAgent, accept: "text/html" });
  });

  test.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
    ["identity", Buffer.from],
  ])("is decoded from %s", async (packing, pack) => {
    await using origin = await Origin.start();
    const url = origin.show("/", {
      headers: { "content-encoding": packing },
      body: pack(Buffer.from("tea")),
    });
    expect((await open()(url)).bytes.toString()).toBe("tea");
  });

  test("can have a Content-Encoding without a body", async () => {
    await using origin = await Origin.start();
    const url = origin.show("/", { status: 304, headers: { "content-encoding": "gzip" } });
    expect(await open()(url)).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
  });

  test("to a POST isn't redirected", async () => {
    await using origin = await Origin.start();
    const url = origin.show("/hook", { status: 307, headers: { location: "/other" } });
    expect(await open()(url, { method: "POST", body: "{}" })).toMatchObject({ status: 307, url });
    expect(origin.requests.map(({ path, body }) => [path, body])).toEqual([["/hook", "{}"]]);
  });
});

describe("a forbidden URL", () => {
  test.each([
    ["ftp://example.org/", "bad_address"],
    ["file:///etc/passwd", "bad_address"],
    ["data:text/plain,hello", "bad_address"],
    ["/feed", "bad_address"],
    ["http://user:secret@example.org/", "bad_address"],
    ["http://example.org:25/", "bad_address"],
    ["http://example.org:6379/", "bad_address"],
    ["http://2130706433/", "forbidden_address"],
    ["http://0x7f000001/", "forbidden_address"],
    ["http://0177.0.0.1/", "forbidden_address"],
    ["http://127.1/", "forbidden_address"],
    ["http://0/", "forbidden_address"],
    ["http://①②⑦.0.0.1/", "forbidden_address"],
    ["http://169.254.169.254/latest/meta-data/", "forbidden_address"],
    ["http://[::1]/", "forbidden_address"],
    ["http://[::ffff:127.0.0.1]/", "forbidden_address"],
    ["http://[0:0:0:0:0:ffff:7f00:1]/", "forbidden_address"],
    ["http://[64:ff9b::7f00:1]/", "forbidden_address"],
    ["http://[fe80::1]/", "forbidden_address"],
  ] satisfies [string, OutgoingReason][])("%s is refused", async (url, reason) => {
    await expect(open({ allowed: [] })(url)).rejects.toEqual(failing(reason));
  });
});

test("a very long URL is refused", async () => {
  await expect(open()(`http://example.org/${"a".repeat(10_000)}`)).rejects.toEqual(failing("bad_address"));
});

describe("a host name", () => {
  test("is refused if all its addresses are private; otherwise a public one is used", async () => {
    await using names = await NameServer.start();
    await using origin = await Origin.start();
    origin.show("/", { body: "tea" });
    names.setAddresses("private.example", ["10.0.0.1", "::1", "fd00::1", "::ffff:10.0.0.2"]);
    names.setAddresses("both.example", ["10.0.0.1", "127.0.0.1", "::1"]);
    const ask = open({ nameServers: [names.address] });
    const at = (name: string) => ask(`http://${name}:${origin.port}/`, { seconds: 5 });
    await expect(at("private.example")).rejects.toEqual(failing("forbidden_address"));
    await expect(at("nobody.example")).rejects.toEqual(failing("unknown_host"));
    expect((await at("both.example")).bytes.toString()).toBe("tea");
    expect(origin.requests).toHaveLength(1);
  });

  test("of this machine or its cloud is refused", async () => {
    await using names = await NameServer.start();
    names.setAddresses("localhost", ["127.0.0.1", "::1"]);
    names.setAddresses("metadata.google.internal", ["169.254.169.254"]);
    const ask = open({ allowed: [], nameServers: [names.address] });
    for (const name of ["localhost", "LOCALHOST.", "metadata.google.internal"])
      await expect(ask(`http://${name}/`)).rejects.toEqual(
        expect.objectContaining({ reason: expect.stringMatching(/forbidden_address|unknown_host/) }),
      );
  });

  test("that resolves differently the second time (DNS rebinding) is refused", async () => {
    await using names = await NameServer.start();
    await using origin = await Origin.start();
    await using secret = await Origin.start("127.0.0.2");
    origin.show("/", { headers: { location: `http://rebound.example:${secret.port}/` }, status: 302 });
    names.setAddresses("rebound.example", ["127.0.0.1"], ["127.0.0.2"]);
    const ask = open({ nameServers: [names.address] });
    // Resolved once per request: the checked address is the one that is used.
    await expect(ask(`http://rebound.example:${origin.port}/`)).rejects.toEqual(failing("forbidden_address"));
    expect(names.lookups.get("A rebound.example")).toBe(2);
    expect(origin.requests).toHaveLength(1);
    expect(secret.requests).toHaveLength(0);
  });
});

describe("a redirect", () => {
  test("follows redirects, and reports a permanent move if all were permanent", async () => {
    await using origin = await Origin.start();
    origin.show("/new", { body: "tea" });
    const old = origin.show("/old", { status: 301, headers: { location: "new#part" } });
    const away = origin.show("/away", { status: 302, headers: { location: "/old" } });
    expect(await open()(old)).toMatchObject({ url: `${origin.url}/new`, moved: true });
    expect(await open()(away)).toMatchObject({ url: `${origin.url}/new`, moved: false });
  });

  test("can contain non-ASCII characters", async () => {
    await using origin = await Origin.start();
    origin.show("/gr%C3%B6%C3%9Fe", { body: "tea" });
    const location = Buffer.from("/größe").toString("latin1");
    const url = origin.show("/", { status: 301, headers: { location } });
    expect(await open()(url)).toMatchObject({ status: 200, url: `${origin.url}/gr%C3%B6%C3%9Fe` });
  });

  test.each([
    ["http://169.254.169.254/latest/meta-data/iam", "forbidden_address"],
    ["//10.0.0.1/", "forbidden_address"],
    ["http://[::ffff:169.254.169.254]/", "forbidden_address"],
    ["file:///etc/passwd", "bad_address"],
    ["http://user:secret@127.0.0.1:8000/", "bad_address"],
    ["http://", "bad_address"],
  ] satisfies [string, OutgoingReason][])("to %s is refused", async (location, reason) => {
    await using origin = await Origin.start();
    const url = origin.show("/", { status: 302, headers: { location } });
    await expect(open()(url)).rejects.toEqual(failing(reason));
  });

  test("in a loop ends with an error", async () => {
    await using origin = await Origin.start();
    const url = origin.show("/a", { status: 302, headers: { location: "/b" } });
    origin.show("/b", { status: 302, headers: { location: "/a" } });
    await expect(open()(url)).rejects.toEqual(failing("too_many_redirects"));
    expect(origin.requests).toHaveLength(6);
  });

  test("to another server drops credentials", async () => {
    await using origin = await Origin.start();
    await using other = await Origin.start();
    const url = origin.show("/", { status: 302, headers: { location: other.show("/", {}) } });
    await open()(url, { headers: { Authorization: "Bearer secret", accept: "text/html" } });
    expect(origin.requests[0]?.headers.authorization).toBe("Bearer secret");
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
    expect(other.requests[0]?.headers.accept).toBe("text/html");
  });
});

describe("an endless or slow response", () => {
  const endless = (piece: Buffer, headers: Record<string, string> = {}) =>
    Origin.start().then((origin) => {
      origin.show("/", (_request, response) => {
        response.writeHead(200, headers);
        const more = (): void => {
          while (response.write(piece));
          response.once("drain", more);
        };
        more();
      });
      return origin;
    });

  test("is aborted at the size limit", async () => {
    await using origin = await endless(Buffer.alloc(65_536));
    await expect(open()(origin.url, { maxBytes: 100_000 })).rejects.toEqual(failing("too_large"));
  });

  test("returns its start with `partial`, compressed or not", async () => {
    await using origin = await endless(Buffer.alloc(65_536, "a"));
    const response = await open()(origin.url, { maxBytes: 100_000, partial: true });
    expect(response.bytes.equals(Buffer.alloc(100_000, "a"))).toBe(true);
    const body = gzipSync(Buffer.alloc(2 ** 20, "b"));
    const packed = origin.show("/packed", { headers: { "content-encoding": "gzip" }, body });
    expect((await open()(packed, { maxBytes: 10, partial: true })).bytes.toString()).toBe("");
    expect((await open()(packed, { maxBytes: 5000, partial: true })).bytes.toString()).toBe("b".repeat(5000));
  });

  test("is rejected if Content-Length exceeds the limit", async () => {
    await using origin = await Origin.start();
    const url = origin.show("/", { headers: { "content-length": "100001" } });
    await expect(open()(url, { maxBytes: 100_000 })).rejects.toEqual(failing("too_large"));
  });

  test.each([
    ["gzip", gzipSync],
    ["br", (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])("is decompressed from %s only up to the limit", async (packing, pack) => {
    await using origin = await Origin.start();
    const body = pack(Buffer.alloc(100 * 2 ** 20));
    const url = origin.show("/", { headers: { "content-encoding": packing }, body });
    const before = process.memoryUsage().rss;
    await expect(open()(url, { maxBytes: 2 ** 20 })).rejects.toEqual(failing("too_large"));
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 2 ** 20);
  });

  test("is aborted after the total time, even if data arrives", async () => {
    await using origin = await Origin.start();
    const url = origin.show("/", (_request, response) => {
      const drip = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(drip));
    });
    await expect(open()(url, { seconds: 0.3 })).rejects.toEqual(failing("too_slow"));
  });

  test.each([
    ["before the first byte", () => {}],
    ["in the middle", (_: unknown, response: ServerResponse) => void response.write("begun")],
  ])("is aborted if it stalls %s", async (_, shows) => {
    await using origin = await Origin.start();
    const url = origin.show("/", shows);
    await expect(open()(url, { idle: 0.1 })).rejects.toEqual(failing("too_slow"));
  });

  test("is aborted by the caller's signal", async () => {
    await using origin = await Origin.start();
    const enough = new AbortController();
    const url = origin.show("/", () => enough.abort(new Error("enough")));
    await expect(open()(url, { signal: enough.signal })).rejects.toThrow("enough");
  });
});

describe("a malformed response", () => {
  const garbled = async (text: string) => {
    const server = createServer((socket) => void socket.on("error", () => {}).end(text));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
    return { url, [Symbol.asyncDispose]: async () => void server.close() };
  };

  test.each([
    ["of another protocol", "SSH-2.0-OpenSSH_9.6\r\n", "bad_answer"],
    ["with endless headers", `HTTP/1.1 200 OK\r\nX: ${"a".repeat(100_000)}\r\n\r\n`, "bad_answer"],
    [
      "that isn't encoded as declared",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nplain",
      "bad_answer",
    ],
    ["with an unknown encoding", "HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\n\r\nplain", "bad_answer"],
    ["that is truncated", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", "unreachable"],
    ["that never begins", "", "unreachable"],
  ] satisfies [string, string, OutgoingReason][])("%s throws an error", async (_, text, reason) => {
    await using server = await garbled(text);
    await expect(open()(server.url)).rejects.toEqual(failing(reason));
  });

  test("an unreachable server throws an error", async () => {
    const origin = await Origin.start();
    const { url } = origin;
    await origin[Symbol.asyncDispose]();
    await expect(open()(url)).rejects.toEqual(failing("unreachable"));
  });
});
