import { setTimeout as after } from "node:timers/promises";
import type { AgentCaller } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { drawPicture } from "@tandem/testing/pictures";
import { engines, startTandem } from "@tandem/testing/tandem";
import { startTcpProxy } from "@tandem/testing/tcp-proxy";
import { testOnce } from "@tandem/testing/test-once";
import { blockWrites } from "@tandem/testing/write-lock";
import { describe, expect, test } from "vitest";
import { createClient } from "./create-client.ts";
import type { ClientOptions } from "./request.ts";
import { outcome } from "./tandem-error.ts";

/** A client with the default options, and the requests that it sends. */
function recordingClient({ options: { baseUrl, key = "" } }: AgentCaller, more: Partial<ClientOptions> = {}) {
  const sent: { method: string; key: string | null }[] = [];
  const { fetch = globalThis.fetch, ...rest } = more;
  const counted: typeof fetch = (url, init) => {
    sent.push({
      method: String(init?.method),
      key: new Headers(init?.headers).get("idempotency-key"),
    });
    return fetch(url, init);
  };
  return { sent, client: createClient({ baseUrl, key, ...rest, fetch: counted }) };
}

/** A fetch that sends every request, but loses the first few responses. */
function losingFetch(responses: number): typeof fetch {
  let lost = 0;
  return async (url, init) => {
    const response = await fetch(url, init);
    if (lost >= responses) return response;
    lost += 1;
    await response.text();
    throw new TypeError("connection lost");
  };
}

describe.each(engines)("after a lost response, on %s", (engine) => {
  const once = testOnce(engine);
  once("a write is retried with the same key and executed once", async () => {
    await using tandem = await startTandem(engine);
    const agent = await tandem.as.agent();
    const { client, sent } = recordingClient(agent, { fetch: losingFetch(2) });
    const { post } = await client.createPost({ title: "Once" });
    expect((await agent.listPosts()).posts.map(({ id }) => id)).toEqual([post.id]);
    expect(sent.length).toBe(3);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    await client.createPost({ title: "Twice" });
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
    expect((await agent.readOwnKey()).acceptedWrites).toBe(2);
  });

  test("retries don't change counts", async () => {
    await using tandem = await startTandem(engine);
    const agent = await tandem.as.agent();
    const { post } = await agent.createPost({ title: "Much looked at" });
    const { client, sent } = recordingClient(agent, { fetch: losingFetch(9) });
    await Promise.all(Array.from({ length: 12 }, () => client.viewPost({ id: post.id })));
    expect(sent.length).toBe(12 + 9);
    expect((await agent.readPost({ id: post.id })).post.viewCount).toBe(12);
  });

  once("an upload is retried", async () => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    const agent = await tandem.as.agent(person);
    const { client, sent } = recordingClient(agent, { fetch: losingFetch(2) });
    const picture = await drawPicture();
    const pieces = async function* () {
      yield picture.subarray(0, 9);
      yield picture.subarray(9);
    };
    const { post } = await client.createPost({ title: "A picture", image: pieces() });
    expect((await agent.listPosts()).posts.map(({ id }) => id)).toEqual([post.id]);
    expect([sent.length, new Set(sent.map(({ key }) => key)).size]).toEqual([3, 1]);
  });
});

describe("a retry", () => {
  test("of a write in progress returns the first request's response", async () => {
    await using tandem = await startTandem("sqlite");
    const agent = await tandem.as.agent();
    const { client, sent } = recordingClient(agent);
    await using held = await blockWrites(tandem.storage);
    const calls = [1, 2].map(() => client.createPost({ title: "Once" }, { idempotencyKey: "same" }));
    while (sent.length < 3) await after(10);
    await held.release();
    const [first, second] = await Promise.all(calls);
    expect(first).toEqual(second);
  });

  test("waits as long as the rate limit says, but not longer than maxWait or an abort", async () => {
    // The clock stands still until the remaining wait is known.
    const clock = stoppedClock();
    let since = Number.POSITIVE_INFINITY;
    const now = () => clock.now() + Math.max(0, Date.now() - since);
    const env = { LIMIT_TIERS_PROBATION_WRITES: "2" };
    await using tandem = await startTandem("sqlite", { env, now });
    const agent = await tandem.as.agent();
    const { client, sent } = recordingClient(agent);
    for (const title of ["One", "Two"]) await client.createPost({ title });
    // The wait would exceed maxWait, so the call fails immediately.
    const short = await outcome(client.createPost({ title: "Three" }, { maxWait: 5 }));
    expect(short).toMatchObject({ ok: false, error: { code: "rate_limited", status: 429 } });
    expect(sent.length).toBe(3);
    const stop = new AbortController();
    const stopped = client.createPost({ title: "Three" }, { signal: stop.signal }).catch((error) => error);
    while (sent.length < 4) await after(10);
    stop.abort(new Error("enough"));
    expect(await stopped).toMatchObject({ message: "enough" });
    clock.pass(58_500);
    since = Date.now();
    const third = performance.now();
    expect((await client.createPost({ title: "Three" })).post.title).toBe("Three");
    expect(performance.now() - third).toBeGreaterThan(400);
    expect(sent.length).toBe(6);
    // With a maxWait of 0, a call is a single request without an idempotency key.
    const withoutRetries = recordingClient(agent, { maxWait: 0 });
    await withoutRetries.client.createPost({ title: "Four" });
    const refused = await outcome(withoutRetries.client.createPost({ title: "Five" }));
    expect([refused.ok, withoutRetries.sent]).toEqual([
      false,
      [
        { method: "POST", key: null },
        { method: "POST", key: null },
      ],
    ]);
  });

  test("bridges an outage, for reads and for writes with a key", async () => {
    await using tandem = await startTandem("sqlite");
    const agent = await tandem.as.agent();
    await using line = await startTcpProxy(tandem.baseUrl);
    const { client, sent } = recordingClient(agent, { baseUrl: line.url });
    await line.disconnect();
    const calls = [client.listPosts(), client.createPost({ title: "Through" })] as const;
    while (sent.length < 4) await after(10);
    await line.reconnect();
    const [, { post }] = await Promise.all(calls);
    expect(post.title).toBe("Through");
    await line.disconnect();
    const before = sent.length;
    // The log-in may have been executed, and has no key to retry it with.
    const logIn = await outcome(client.logIn({ username: "ada", password: "correct horse" }));
    expect(logIn).toMatchObject({ ok: false, error: { code: "unreachable", status: 0, field: undefined } });
    expect(sent.length).toBe(before + 1);
    const timedOut = await outcome(client.listPosts({}, { maxWait: 0.6 }));
    expect(timedOut.ok).toBe(false);
    await line.reconnect();
  });

  test("waits as long as a busy service or its proxy says", async () => {
    const responses = [
      new Response("<h1>Bad gateway</h1>", { status: 502 }),
      new Response("{}", { status: 503, headers: { "retry-after": "1" } }),
      new Response("", { status: 503, headers: { "retry-after": new Date(Date.now() + 900).toUTCString() } }),
      Response.json({ posts: [], nextCursor: null }),
    ];
    let requests = 0;
    const fetch: typeof globalThis.fetch = async () => {
      const response = responses[requests++];
      if (!response) throw new TypeError("connection refused");
      return response;
    };
    const began = performance.now();
    const client = createClient({ baseUrl: "http://tandem.example/", fetch });
    expect(await client.listPosts()).toEqual({ posts: [], nextCursor: null });
    expect([requests, performance.now() - began > 1000]).toEqual([4, true]);
    expect(await outcome(client.listPosts({}, { maxWait: 0 }))).toMatchObject({
      error: { code: "unreachable" },
    });
  });

  test("isn't attempted if the request itself is invalid", async () => {
    const bad = createClient({ baseUrl: "http://127.0.0.1:1", headers: { "not a name": "x" } });
    await expect(bad.listPosts()).rejects.toThrow(/header name/i);
  });

  /** A service that always gives the same response, and the times of the requests. */
  function fakeService(response: () => Response | Promise<Response>) {
    const requestTimes: number[] = [];
    const fetch: typeof globalThis.fetch = async () => {
      requestTimes.push(performance.now());
      return response();
    };
    return { requestTimes, client: createClient({ baseUrl: "http://tandem.example", fetch }) };
  }

  test.each([
    [200, "<h1>Please log in to this network</h1>"],
    [301, ""],
    [404, "<h1>Not found</h1>"],
  ])("isn't attempted if another server responds, with %d", async (status, page) => {
    const { requestTimes, client } = fakeService(() => new Response(page, { status }));
    const lost = await outcome(client.createPost({ title: "To nobody" }));
    expect(lost).toMatchObject({ ok: false, error: { status, code: "unreachable" } });
    expect([requestTimes.length, !lost.ok && lost.error.hint]).toEqual([
      1,
      expect.stringContaining("baseUrl"),
    ]);
  });

  test("with a wait longer than the longest timer doesn't fire immediately", async () => {
    const later = { status: 429, headers: { "retry-after": String(2 ** 31) } };
    const { requestTimes, client } = fakeService(() =>
      Response.json({ error: "", code: "rate_limited" }, later),
    );
    const signal = AbortSignal.timeout(300);
    await expect(client.createPost({ title: "x" }, { maxWait: Infinity, signal })).rejects.toThrow("timeout");
    expect(requestTimes.length).toBe(1);
    const never = await outcome(client.createPost({ title: "x" }, { maxWait: Number.NaN }));
    expect([never.ok, requestTimes.length]).toEqual([false, 2]);
  });

  test("counts time without a response as waiting", async () => {
    const silent = fakeService(async () => {
      await after(300);
      throw new TypeError("connection refused");
    });
    const lost = await outcome(silent.client.listPosts({}, { maxWait: 0.4 }));
    expect([lost.ok, silent.requestTimes.length]).toEqual([false, 1]);
  });
});
