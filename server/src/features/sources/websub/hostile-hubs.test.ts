import { DAY, HOUR, MINUTE, SECOND } from "@tandem/contract/durations";
import { type ImportSetup, startImports } from "@tandem/testing/import-setup";
import { Origin } from "@tandem/testing/origin";
import { sendRequest } from "@tandem/testing/raw-http";
import { WebSubHub } from "@tandem/testing/websub-hub";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../../config.ts";
import { askHubs, takesPushes } from "./ask-hub.ts";

const BASE_URL = "https://tandem.example";

describe("WebSub, with hubs and strangers that misbehave", () => {
  let world: ImportSetup;
  let hub: WebSubHub;
  beforeAll(async () => {
    world = await startImports("sqlite", { BASE_URL });
    hub = await WebSubHub.start({ serviceUrl: world.tandem.baseUrl, now: () => world.clock.now });
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await hub[Symbol.asyncDispose]();
  });

  let feeds = 0;
  const atom = (hubUrl: string, self: string) =>
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>Weekly</title><link rel="hub" href="${hubUrl}"/><link rel="self" href="${self}"/>
    <entry><id>tag:${self}</id><title>One</title><link href="https://example.org/one"/><updated>2026-01-01T00:00:00Z</updated></entry></feed>`;
  /** Adds a source whose feed names this hub. */
  const add = async (
    hubUrl: string,
    {
      self = (url: string) => url,
      headers = {},
    }: { self?: (url: string) => string; headers?: Record<string, string> } = {},
  ) => {
    const path = `/${++feeds}.xml`;
    const url = world.origin.url + path;
    world.origin.show(path, { headers, body: atom(hubUrl, self(url)) });
    const { source } = await world.admin.addSource({ url });
    await world.poll();
    return { id: source.id, url, path };
  };
  const ask = async () => {
    await askHubs(world.tandem.services);
    await hub.settled();
  };
  const rowOf = (id: number) =>
    world.tandem.storage.read
      .selectFrom("hub_subscriptions")
      .selectAll()
      .where("source_id", "=", id)
      .executeTakeFirst();
  const pushOf = async (id: number) =>
    (await world.admin.listSources()).sources.find((one) => one.id === id)?.push;
  const subscribed = async () => {
    const { id, url, path } = await add(hub.url);
    await ask();
    const subscriber = [...hub.subscribers.values()].find(({ topic }) => topic === url);
    if (!subscriber) throw new Error("the hub verified nothing");
    const visits = () => world.origin.requests.filter((request) => request.path === path).length;
    return { id, ...subscriber, visits };
  };

  test("only what was asked for is verified", async () => {
    const { id, callback, topic } = await subscribed();
    const asked = {
      "hub.mode": "subscribe",
      "hub.topic": topic,
      "hub.challenge": "x",
      "hub.lease_seconds": "60",
    };
    const statuses = async (changes: Record<string, string>, at = callback) =>
      (await hub.call(at, { ...asked, ...changes })).status;
    // Nothing is asked for any more.
    expect(await statuses({})).toBe(404);
    expect(await statuses({ "hub.mode": "unsubscribe" })).toBe(404);
    await world.tandem.storage.write((tx) =>
      tx.updateTable("hub_subscriptions").set({ asked: "subscribe" }).where("source_id", "=", id).execute(),
    );
    expect(await statuses({ "hub.topic": `${topic}?` })).toBe(404);
    expect(await statuses({ "hub.mode": "publish" })).toBe(404);
    expect(await statuses({ "hub.challenge": "" })).toBe(404);
    expect(await statuses({}, `${callback}x`)).toBe(404);
    expect((await fetch(hub.reach(callback))).status).toBe(404);
    const answer = await hub.call(callback, { ...asked, "hub.challenge": "<b>&" });
    expect([answer.status, await answer.text()]).toEqual([200, "<b>&"]);
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("unsigned, forged and late announcements are accepted and ignored; all algorithms of the Recommendation count", async () => {
    const { callback, secret, visits } = await subscribed();
    const before = visits();
    const signed = hub.signature(secret, "news");
    const forged = [
      undefined,
      hub.signature("guessed", "news"),
      `sha256=${"0".repeat(64)}`,
      signed.slice(0, -2),
    ];
    const odd = [
      `md5=${"0".repeat(32)}`,
      "sha256=",
      "sha256",
      signed.replace("sha256", "sha512"),
      "x".repeat(4000),
    ];
    for (const signature of [...forged, ...odd])
      expect((await hub.post(callback, "news", signature)).status).toBe(202);
    expect((await hub.post(callback, "other news", signed)).status).toBe(202);
    await world.tandem.services.afterResponse.idle();
    expect(visits()).toBe(before);
    for (const [i, algorithm] of ["sha1", "sha256", "sha384", "sha512"].entries()) {
      hub.algorithm = algorithm;
      world.clock.now += 2 * MINUTE;
      expect((await hub.post(callback, "", hub.signature(secret, ""))).status).toBe(202);
      await world.tandem.services.afterResponse.idle();
      expect(visits()).toBe(before + i + 1);
    }
    hub.algorithm = "sha256";
    world.clock.now += 11 * DAY;
    expect((await hub.post(callback, "news", signed)).status).toBe(202);
    await world.tandem.services.afterResponse.idle();
    expect(visits()).toBe(before + 4);
  });

  test("a body that is too long is refused, and one for an unknown callback isn't read", async () => {
    const { callback, visits } = await subscribed();
    const before = visits();
    expect((await hub.post(callback, "x".repeat(5 * 2 ** 20))).status).toBe(413);
    const unknown = await sendRequest(world.tandem.baseUrl, {
      method: "POST",
      path: "/websub/unknown",
      headers: { "content-length": "1000000", "content-type": "text/xml" },
    });
    expect(unknown.status).toBe(404);
    expect(visits()).toBe(before);
  });

  test("a denied subscription isn't asked for again for a week", async () => {
    const { id, callback, topic } = await subscribed();
    expect(
      (await hub.call(callback, { "hub.mode": "denied", "hub.topic": "https://other.example/" })).status,
    ).toBe(404);
    expect(await pushOf(id)).toBe("active");
    const denied = { "hub.mode": "denied", "hub.topic": topic, "hub.reason": "because" };
    expect((await hub.call(callback, denied)).status).toBe(200);
    expect(await pushOf(id)).toBe("none");
    const before = hub.asked.length;
    world.clock.now += 6 * DAY;
    await ask();
    expect(hub.asked.filter((sent) => sent.get("hub.topic") === topic)).toHaveLength(1);
    world.clock.now += 1.1 * DAY;
    await ask();
    expect(hub.asked.length).toBeGreaterThan(before);
    expect(await pushOf(id)).toBe("active");
  });

  test("a hub that never verifies is left alone for a while, and disturbs no visit", async () => {
    await using silent = await WebSubHub.start({
      serviceUrl: world.tandem.baseUrl,
      now: () => world.clock.now,
    });
    silent.verifies = false;
    const { id } = await add(silent.url);
    expect(await pushOf(id)).toBe("pending");
    for (let i = 0; i < 10; i++) {
      await askHubs(world.tandem.services);
      world.clock.now += HOUR + 1;
    }
    expect(silent.asked).toHaveLength(4);
    expect(await pushOf(id)).toBe("none");
    expect((await world.admin.listSources()).sources[0]).toMatchObject({ state: "working", failures: 0 });
  });

  test("hubs' redirects and refusals are respected, and those at private addresses aren't asked", async () => {
    const other = world.origin.show("/moved-hub", { status: 202 });
    const requests = (path: string) => world.origin.requests.filter((request) => request.path === path);
    const moved = await add(world.origin.show("/hub1", { status: 308, headers: { location: other } }));
    const lost = await add(world.origin.show("/hub2", { status: 302, headers: { location: other } }));
    await using full = await Origin.start();
    const busy = await add(full.show("/hub3", { status: 503, headers: { "retry-after": "3000" } }));
    const hidden = await add("http://10.0.0.1/hub");
    await ask();
    const asked = [requests("/moved-hub"), requests("/hub2"), full.requests];
    expect(asked.map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(requests("/moved-hub")[0]?.body).toBe(requests("/hub1")[0]?.body);
    const waits = await Promise.all(
      [moved, lost, busy, hidden].map(async ({ id }) => Number((await rowOf(id))?.due_at) - world.clock.now),
    );
    expect(waits[0]).toBe(HOUR);
    expect(Math.min(...waits)).toBeGreaterThan(7 * MINUTE);
    expect(waits[2]).toBeGreaterThanOrEqual(3000 * SECOND);
  });

  test("a feed can't subscribe us to what another site's feed is called, and its headers go first", async () => {
    const stranger = await add(hub.url, { self: () => "https://victim.example/feed.xml" });
    expect(await rowOf(stranger.id)).toBeUndefined();
    const link = `<https://hub.example/a,b>; title="x; rel=self"; rel="other hub", </self.xml>; rel=self`;
    const { id } = await add("https://other-hub.example/", { headers: { link } });
    expect(await rowOf(id)).toMatchObject({
      hub: "https://hub.example/a,b",
      topic: `${world.origin.url}/self.xml`,
    });
    const json = `{"version": "https://jsonfeed.org/version/1.1", "title": "Weekly", "items": [],
      "hubs": [{"type": "rssCloud", "url": "https://cloud.example/"}, {"type": "WebSub", "url": "https://json-hub.example/"}]}`;
    const url = world.origin.show("/feed.json", {
      headers: { "content-type": "application/feed+json" },
      body: json,
    });
    const { source } = await world.admin.addSource({ url });
    await world.poll();
    expect(await rowOf(source.id)).toMatchObject({ hub: "https://json-hub.example/", topic: url });
  });

  test.each([
    [BASE_URL, "1", true],
    [BASE_URL, "0", false],
    ["http://tandem.example", "1", false],
    ["https://localhost", "1", false],
    ["https://tandem.localhost:8443", "1", false],
    ["https://127.0.0.1", "1", false],
    ["https://[::1]", "1", false],
    ["https://10.1.2.3", "1", false],
    ["https://93.184.215.14", "1", true],
  ])("with the public URL %s and WEBSUB=%s, hubs can reach it: %s", (baseUrl, WEBSUB, expected) => {
    const config = readConfig({ BASE_URL: baseUrl, WEBSUB });
    expect(takesPushes({ ...world.tandem.services, config, baseUrl })).toBe(expected);
  });
});
