import { setTimeout as after } from "node:timers/promises";
import type { AgentCaller } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { drawPicture } from "@tandem/testing/pictures";
import { engines, startTandem } from "@tandem/testing/tandem";
import { startTcpProxy } from "@tandem/testing/tcp-proxy";
import { blockWrites } from "@tandem/testing/write-lock";
import { describe, expect, test } from "vitest";
import { createClient } from "./client.ts";
import type { ClientOptions } from "./request.ts";
import { outcome } from "./tandem-error.ts";

/** A client such as anybody makes, and the requests that it sends. */
function patient({ options: { baseUrl, key = "" } }: AgentCaller, more: Partial<ClientOptions> = {}) {
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

/** Carries each request, and loses the answers to the first few. */
function losing(answers: number): typeof fetch {
  let lost = 0;
  return async (url, init) => {
    const response = await fetch(url, init);
    if (lost >= answers) return response;
    lost += 1;
    await response.text();
    throw new TypeError("the line broke");
  };
}

describe.each(engines)("an answer that is lost, on %s", (engine) => {
  test("is asked for again under one key, and the write is done once", async () => {
    await using tandem = await startTandem(engine);
    const agent = await tandem.as.agent();
    const { client, sent } = patient(agent, { fetch: losing(2) });
    const { post } = await client.createPost({ title: "Once" });
    expect((await agent.listPosts()).posts.map(({ id }) => id)).toEqual([post.id]);
    expect(sent.length).toBe(3);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    await client.createPost({ title: "Twice" });
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
    expect((await agent.readOwnKey()).acceptedWrites).toBe(2);
  });

  test("changes no count, however many are lost", async () => {
    await using tandem = await startTandem(engine);
    const agent = await tandem.as.agent();
    const { post } = await agent.createPost({ title: "Much looked at" });
    const { client, sent } = patient(agent, { fetch: losing(9) });
    await Promise.all(Array.from({ length: 12 }, () => client.viewPost({ id: post.id })));
    expect(sent.length).toBe(12 + 9);
    expect((await agent.readPost({ id: post.id })).post.viewCount).toBe(12);
  });

  test("of an upload is asked for again, for it can be sent again", async () => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    const agent = await tandem.as.agent(person);
    const { client, sent } = patient(agent, { fetch: losing(2) });
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

describe("waiting", () => {
  test("for a write that is under way under the same key ends with its answer", async () => {
    await using tandem = await startTandem("sqlite");
    const agent = await tandem.as.agent();
    const { client, sent } = patient(agent);
    await using held = await blockWrites(tandem.storage);
    const calls = [1, 2].map(() => client.createPost({ title: "Once" }, { idempotencyKey: "same" }));
    while (sent.length < 3) await after(10);
    await held.release();
    const [first, second] = await Promise.all(calls);
    expect(first).toEqual(second);
  });

  test("lasts as long as a limit says, and no longer than one likes", async () => {
    // Time stands still until it is known how much of it is left to wait.
    const clock = stoppedClock();
    let since = Number.POSITIVE_INFINITY;
    const now = () => clock.now() + Math.max(0, Date.now() - since);
    const env = { LIMIT_TIERS_PROBATION_WRITES: "2" };
    await using tandem = await startTandem("sqlite", { env, now });
    const agent = await tandem.as.agent();
    const { client, sent } = patient(agent);
    for (const title of ["One", "Two"]) await client.createPost({ title });
    // So much to wait would be too much: it isn't begun.
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
    // Where there is no waiting, a call is one request, with nothing in it that one didn't send.
    const rash = patient(agent, { maxWait: 0 });
    await rash.client.createPost({ title: "Four" });
    const refused = await outcome(rash.client.createPost({ title: "Five" }));
    expect([refused.ok, rash.sent]).toEqual([
      false,
      [
        { method: "POST", key: null },
        { method: "POST", key: null },
      ],
    ]);
  });

  test("bridges a gap in which nobody answers, for reads and for writes that have a key", async () => {
    await using tandem = await startTandem("sqlite");
    const agent = await tandem.as.agent();
    await using line = await startTcpProxy(tandem.baseUrl);
    const { client, sent } = patient(agent, { baseUrl: line.url });
    await line.disconnect();
    const calls = [client.listPosts(), client.createPost({ title: "Through" })] as const;
    while (sent.length < 4) await after(10);
    await line.reconnect();
    const [, { post }] = await Promise.all(calls);
    expect(post.title).toBe("Through");
    await line.disconnect();
    const before = sent.length;
    // Nobody knows whether it was done, and a log-in has no key under which to ask.
    const logIn = await outcome(client.logIn({ username: "ada", password: "correct horse" }));
    expect(logIn).toMatchObject({ ok: false, error: { code: "unreachable", status: 0, field: undefined } });
    expect(sent.length).toBe(before + 1);
    const given = await outcome(client.listPosts({}, { maxWait: 0.6 }));
    expect(given.ok).toBe(false);
    await line.reconnect();
  });

  test("is as long as a busy service or what stands before it asks for", async () => {
    const answers = [
      new Response("<h1>Bad gateway</h1>", { status: 502 }),
      new Response("{}", { status: 503, headers: { "retry-after": "1" } }),
      new Response("", { status: 503, headers: { "retry-after": new Date(Date.now() + 900).toUTCString() } }),
      Response.json({ posts: [], nextCursor: null }),
    ];
    let requests = 0;
    const fetch: typeof globalThis.fetch = async () => {
      const answer = answers[requests++];
      if (!answer) throw new TypeError("nobody is there");
      return answer;
    };
    const began = performance.now();
    const client = createClient({ baseUrl: "http://tandem.example/", fetch });
    expect(await client.listPosts()).toEqual({ posts: [], nextCursor: null });
    expect([requests, performance.now() - began > 1000]).toEqual([4, true]);
    expect(await outcome(client.listPosts({}, { maxWait: 0 }))).toMatchObject({
      error: { code: "unreachable" },
    });
  });

  test("is of no use where the request itself is wrong", async () => {
    const client = createClient({ baseUrl: "nowhere" });
    await expect(client.listPosts()).rejects.toThrow("Invalid URL");
    const local = createClient({ baseUrl: "localhost:3000" });
    await expect(local.listPosts()).rejects.toThrow("baseUrl begins with http:// or https://");
    const bad = createClient({ baseUrl: "http://127.0.0.1:1", headers: { "not a name": "x" } });
    await expect(bad.listPosts()).rejects.toThrow(/header name/i);
  });

  /** A service that answers always the same, and when it was asked. */
  function always(answer: () => Response | Promise<Response>) {
    const asked: number[] = [];
    const fetch: typeof globalThis.fetch = async () => {
      asked.push(performance.now());
      return answer();
    };
    return { asked, client: createClient({ baseUrl: "http://tandem.example", fetch }) };
  }

  test.each([
    [200, "<h1>Please log in to this network</h1>"],
    [301, ""],
    [404, "<h1>Not found</h1>"],
  ])("is of no use where something else answers, with %d", async (status, page) => {
    const { asked, client } = always(() => new Response(page, { status }));
    const lost = await outcome(client.createPost({ title: "To nobody" }));
    expect(lost).toMatchObject({ ok: false, error: { status, code: "unreachable" } });
    expect([asked.length, !lost.ok && lost.error.hint]).toEqual([1, expect.stringContaining("baseUrl")]);
  });

  test("for longer than a timer runs doesn't end at once", async () => {
    const later = { status: 429, headers: { "retry-after": String(2 ** 31) } };
    const { asked, client } = always(() => Response.json({ error: "", code: "rate_limited" }, later));
    const signal = AbortSignal.timeout(300);
    await expect(client.createPost({ title: "x" }, { maxWait: Infinity, signal })).rejects.toThrow("timeout");
    expect(asked.length).toBe(1);
    const never = await outcome(client.createPost({ title: "x" }, { maxWait: Number.NaN }));
    expect([never.ok, asked.length]).toEqual([false, 2]);
  });

  test("counts the time in which nobody answered", async () => {
    const silent = always(async () => {
      await after(300);
      throw new TypeError("nobody is there");
    });
    const lost = await outcome(silent.client.listPosts({}, { maxWait: 0.4 }));
    expect([lost.ok, silent.asked.length]).toEqual([false, 1]);
  });
});
