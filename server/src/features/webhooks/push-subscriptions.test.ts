import { createECDH } from "node:crypto";
import { DAY, HOUR, MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { makeAdmin } from "@tandem/testing/admins";
import { type Caller, cookieOf, type Person } from "@tandem/testing/callers";
import { loopback, Origin } from "@tandem/testing/origin";
import { until } from "@tandem/testing/ports";
import { PushSubscriber, vapidOf } from "@tandem/testing/push-service";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { pushSubscriptionOf } from "@tandem/testing/webhook-fixtures";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { backgroundJobs } from "../../background.ts";

const contact = "mailto:porter@tandem.example";

describe.each(engines)("push notifications on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let service: Origin;
  let ada: Person;
  let bob: Person;
  let id: number;
  let browser: PushSubscriber;
  let passed = 0;
  beforeAll(async () => {
    service = await Origin.start();
    const env = { ...loopback, SECURITY_CONTACT: contact };
    tandem = await startTandem(engine, { env, now: () => Date.now() + passed });
  });
  beforeEach(async () => {
    [ada, bob] = await Promise.all([tandem.as.human(), tandem.as.human()]);
    id = (await ada.createPost({ title: "By ada" })).post.id;
    browser = new PushSubscriber(service);
  });
  afterAll(async () => {
    await tandem.stop();
    await service[Symbol.asyncDispose]();
  });

  const subscribe = async (who: Caller = ada, to = browser) =>
    (await who.subscribeToPush(to.subscription)).subscription;
  const list = async (who: Caller = ada) => (await who.listPushSubscriptions()).subscriptions;
  const say = async (body = "Said") => (await bob.createComment({ id, body })).comment.id;
  const logInAgain = async (who: Person) => {
    const { username } = who.user;
    const response = await tandem.as.anonymous().call("logIn", { username, password: who.password });
    return tandem.as.with({ cookie: cookieOf(response) });
  };
  /** Advances the clock and runs the background job. */
  const later = async (milliseconds: number) => {
    passed += milliseconds;
    const job = backgroundJobs.find(({ name }) => name === "webhooks");
    await job?.run(tandem.services, new AbortController().signal);
  };
  const waiting = () =>
    tandem.storage.read
      .selectFrom("webhook_deliveries as d")
      .innerJoin("webhooks as w", "w.id", "d.webhook_id")
      .select("d.id")
      .where("w.user_id", "=", ada.user.id)
      .execute();
  /**
   * Waits until a failed attempt is recorded. The request arrives earlier; advancing the clock in between would schedule the
   * retry after the new time.
   */
  const failed = () => until(async () => (await list())[0]?.failingSince != null);
  /** Notifications added while a push is being sent wait a moment for the next one. */
  const settled = async () => {
    while ((await waiting()).length > 0) await later(3000);
  };

  if (runsOnceTests(engine))
    test("only the browser can read the content; the push service can verify the sender", async () => {
      const { applicationServerKey } = await ada.listPushSubscriptions();
      const made = await subscribe();
      expect(made).toMatchObject({ current: true, failingSince: null });
      expect(await list()).toEqual([made]);
      await say();
      await until(async () => browser.requests.length > 0);
      const [listed] = (await ada.listNotifications()).notifications;
      if (!listed) throw new Error("nothing was listed");
      const { excerpt, excerptProvenance, excerptProvenanceBasis: _, ...notice } = listed;
      expect([excerpt, excerptProvenance]).toEqual(["Said", "human"]);
      const title = { title: "By ada", titleProvenance: "human" };
      expect(browser.messages).toEqual([{ test: false, notices: [{ ...notice, ...title }] }]);
      const [sent] = browser.requests;
      expect(sent?.headers).toMatchObject({
        "content-encoding": "aes128gcm",
        ttl: String(limits.pushHours * 3600),
      });
      expect(sent?.bytes.length).toBeLessThanOrEqual(4096);
      expect(sent?.body).not.toContain("ada");
      if (!sent) throw new Error("nothing came");
      const { claims, key } = vapidOf(sent);
      expect(key).toBe(applicationServerKey);
      expect(claims).toEqual({ aud: service.url, sub: contact, exp: expect.any(Number) });
      const left = Number(claims.exp) * 1000 - tandem.services.now();
      expect([left > 0, left <= DAY]).toEqual([true, true]);
      await settled();
    });

  once("subscriptions and webhooks can't be managed as one another", async () => {
    const mine = await subscribe();
    const { webhook } = await ada.createWebhook({ url: service.url });
    expect((await ada.listWebhooks()).webhooks.map(({ id }) => id)).toEqual([webhook.id]);
    expect((await list()).map(({ id }) => id)).toEqual([mine.id]);
    for (const name of ["testWebhook", "listDeliveries", "rotateWebhookSecret", "deleteWebhook"] as const)
      expect([name, (await ada.call(name, { id: mine.id })).status]).toEqual([name, 404]);
    for (const name of ["testPush", "endPushSubscription"] as const)
      for (const call of [ada.call(name, { id: webhook.id }), bob.call(name, { id: mine.id })])
        expect([name, (await call).status]).toEqual([name, 404]);
    await ada.deleteWebhook({ id: webhook.id });
  });

  test("a subscription can be tested and ended", async () => {
    const { id: mine } = await subscribe();
    await ada.testPush({ id: mine });
    await until(async () => browser.messages.length > 0);
    expect(browser.messages).toEqual([{ test: true, notices: [] }]);
    expect(await ada.endPushSubscription({ id: mine })).toEqual({ ended: true });
    await say();
    await later(0);
    expect([browser.requests.length, await list()]).toEqual([1, []]);
  });

  test("many notifications are combined into few pushes, without duplicates", async () => {
    await subscribe();
    const comments = Array.from({ length: 30 }, (_, i) => say(`${i}`));
    await Promise.all([...comments, bob.likePost({ id })]);
    await settled();
    const pushed = browser.ids;
    const { notifications } = await ada.listNotifications();
    // Notifications that didn't fit are only in the list. All others were pushed, in order.
    expect(new Set(pushed).size).toBe(pushed.length);
    expect(pushed).toEqual(pushed.toSorted((a, b) => a - b));
    expect(pushed.at(-1)).toBe(notifications[0]?.id);
    expect(browser.requests.length).toBeLessThan(31);
    for (const { bytes } of browser.requests) expect(bytes.length).toBeLessThanOrEqual(4096);
  });

  if (runsOnceTests(engine))
    test("messages stay small, however long the content", async () => {
      await subscribe();
      browser.respondWith({ status: 503 });
      const wide = "\u{1f9f5}";
      await bob.editProfile({ displayName: wide.repeat(limits.displayName) });
      const { post } = await ada.createPost({ title: wide.repeat(limits.postTitle) });
      for (let i = 0; i < 12; i++) await bob.createComment({ id: post.id, body: `${i}` });
      await failed();
      browser.respondWith({ status: 201 });
      await later(HOUR);
      const { bytes } = browser.requests.at(-1) ?? { bytes: Buffer.alloc(0) };
      expect(bytes.length).toBeLessThanOrEqual(4096);
      expect(browser.messages.at(-1)?.notices.length).toBeGreaterThan(1);
    });

  once("leave out muted, read and retracted notifications", async () => {
    const agent = await tandem.as.agent(bob);
    await ada.chooseNotifications({ people: ["comment", "post_like"], agents: [] });
    await subscribe();
    await agent.createComment({ id, body: "By an agent" });
    await say();
    await settled();
    expect(browser.messages.map(({ notices }) => notices.map(({ type }) => type))).toEqual([["comment"]]);
    browser.respondWith({ status: 503 });
    await bob.likePost({ id });
    await failed();
    browser.respondWith({ status: 201 });
    await bob.unlikePost({ id });
    await later(HOUR);
    expect([browser.requests.length, (await waiting()).length]).toEqual([2, 0]);
    browser.respondWith({ status: 503 });
    await say("Again");
    await failed();
    browser.respondWith({ status: 201 });
    await ada.markNotificationsRead();
    await later(HOUR);
    expect([browser.requests.length, (await waiting()).length]).toEqual([3, 0]);
    browser.respondWith({ status: 503 });
    for (const text of ["Opened", "Not opened"]) await say(text);
    await failed();
    browser.respondWith({ status: 201 });
    const [unopened, opened] = (await ada.listNotifications({ limit: 2 })).notifications;
    await ada.markNotificationsRead({ ids: [opened?.id ?? 0] });
    await later(HOUR);
    expect(browser.messages.at(-1)?.notices.map((notice) => notice.id)).toEqual([unopened?.id]);
  });

  if (runsOnceTests(engine))
    test.each([404, 410])("a subscription ends when the push service returns %i", async (status) => {
      browser.respondWith({ status });
      await subscribe();
      await say();
      await until(async () => (await list()).length === 0);
      expect(browser.requests).toHaveLength(1);
      expect((await ada.listNotifications()).notifications.map(({ type }) => type)).toEqual(["comment"]);
    });

  if (runsOnceTests(engine))
    test.each([429, 500])(
      "a push that failed with %i is retried later, with the notifications added since",
      async (status) => {
        browser.respondWith({ status });
        await subscribe();
        await say();
        await failed();
        await later(1000);
        expect(browser.requests).toHaveLength(1);
        await say("More");
        await later(1000);
        expect(browser.requests).toHaveLength(1);
        browser.respondWith({ status: 201 });
        await later(4 * HOUR);
        expect(browser.messages.map(({ notices }) => notices.length)).toEqual([1, 2]);
        expect(await list()).toMatchObject([{ failingSince: null }]);
      },
    );

  test("waiting pushes are sent as soon as one succeeds", async () => {
    browser.respondWith({ status: 503 });
    await subscribe();
    await say();
    await failed();
    // Two more attempts; the next retry would be half an hour later.
    await later(6000);
    await later(6 * MINUTE);
    expect(browser.requests).toHaveLength(3);
    browser.respondWith({ status: 201 });
    const [subscription] = await list();
    await ada.testPush({ id: subscription?.id ?? 0 });
    await until(async () => browser.messages.slice(3).some(({ notices }) => notices.length === 1));
  });

  once("a subscription ends after a day without success", async () => {
    browser.respondWith({ status: 500 });
    await subscribe();
    await say();
    await failed();
    for (let hours = 0; hours < 48 && (await list()).length > 0; hours++) await later(HOUR);
    expect([await list(), await waiting()]).toEqual([[], []]);
    expect(browser.requests.length).toBeGreaterThan(4);
  });

  once("a subscription ends with its session, however that ends", async () => {
    const ends: ((session: Caller) => Promise<unknown>)[] = [
      (session) => session.logOut(),
      async (session) => {
        const { sessions } = await session.listSessions();
        await ada.endSession({ id: Number(sessions.find(({ current }) => current)?.id) });
      },
      () => ada.endSession({ others: true }),
      () => ada.changePassword({ currentPassword: ada.password, password: "battery staple" }),
    ];
    for (const end of ends) {
      const session = await logInAgain(ada);
      const here = new PushSubscriber(service);
      await subscribe(session, here);
      await end(session);
      expect(await list()).toEqual([]);
      await say();
      await later(0);
      expect(here.requests).toEqual([]);
    }
  });

  test("nothing is pushed once the session has expired or the account is suspended or deleted", async () => {
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    await subscribe();
    await admin.suspendAccount({ id: ada.user.id, reason: "Noise" });
    await say();
    await settled();
    expect(browser.requests).toEqual([]);
    expect((await list()).length).toBe(1);
    await admin.liftSuspension({ id: ada.user.id });
    await say();
    await settled();
    expect(browser.messages.flatMap(({ notices }) => notices.map(({ type }) => type))).toContain("comment");
    const before = browser.requests.length;
    passed += limits.sessionDays * DAY;
    const { comment } = await (await logInAgain(bob)).createComment({ id, body: "Much later" });
    await settled();
    expect([comment.id > 0, browser.requests.length]).toEqual([true, before]);
    const newSession = await logInAgain(ada);
    await subscribe(newSession, new PushSubscriber(service));
    await newSession.deleteAccount({ password: ada.password });
    const rows = tandem.storage.read.selectFrom("webhooks").select("id").where("owner_id", "=", ada.user.id);
    expect(await rows.execute()).toEqual([]);
  });

  test("a browser belongs to its last signed-in account, and a session to one browser", async () => {
    const first = await subscribe();
    expect(await subscribe()).toEqual(first);
    const other = new PushSubscriber(service);
    const second = await subscribe(ada, other);
    expect(await list()).toEqual([second]);
    await subscribe(bob, other);
    expect([await list(), (await list(bob)).length]).toEqual([[], 1]);
    await say();
    await later(0);
    expect([browser.requests, other.requests]).toEqual([[], []]);
    await Promise.all([ada, bob, ada, bob].map((who) => who.subscribeToPush(other.subscription)));
    expect((await list()).length + (await list(bob)).length).toBe(1);
  });

  once("only people in a session can subscribe", async () => {
    const agent = await tandem.as.agent(ada);
    const [key, session] = [
      await tandem.as.key(undefined, ada),
      await tandem.as.agentSession(ada, agent.agent.id),
    ];
    const input = browser.subscription;
    expect((await key.call("subscribeToPush", input)).body.code).toBe("session_required");
    expect((await session.call("subscribeToPush", input)).body.code).toBe("agent_forbidden");
  });

  if (runsOnceTests(engine))
    test("subscribing requires a public https endpoint and valid keys", async () => {
      const good = pushSubscriptionOf("ada");
      const endpoints = [
        ...[
          "http://push.example.org/",
          "http://127.0.0.2/",
          "https://127.0.0.2/",
          "https://169.254.169.254/",
        ],
        ...[
          "https://[::1]/",
          "https://a:b@push.example.org/",
          "https://push.example.org:22/",
          "ftp://example.org/",
        ],
        ...[
          "javascript:alert(1)",
          "file:///etc/passwd",
          "",
          7,
          null,
          `https://example.org/${"x".repeat(3000)}`,
        ],
        ...["https://example.org/\u{1f9f5}", "https://exa mple.org/"],
      ];
      const points = [
        ...[good.p256dh.slice(1), `${good.p256dh}A`, "A".repeat(100_000), "", 7, null, `${"A".repeat(86)}+`],
        // Not a point on the curve; and one of the right length but marked as compressed.
        ...["A".repeat(87), Buffer.from([4, ...Array(64).fill(1)]).toString("base64url")],
      ];
      const auths = [good.auth.slice(1), `${good.auth}A`, "", 7, null, `${"A".repeat(21)}=`];
      for (const [field, values] of Object.entries({ endpoint: endpoints, p256dh: points, auth: auths }))
        for (const value of values) {
          const refused = await ada.call("subscribeToPush", { ...good, [field]: value });
          expect([field, value, refused.status, refused.body.field]).toEqual([field, value, 400, field]);
        }
      expect(await list()).toEqual([]);
    });

  test("limits the subscriptions of an account", async () => {
    const sessions = [];
    for (let i = 0; i <= limits.pushSubscriptionsPerAccount; i++) sessions.push(await logInAgain(ada));
    const responses = await Promise.all(
      sessions.map((session) => session.call("subscribeToPush", new PushSubscriber(service).subscription)),
    );
    const codes = responses.map(({ status, body }) => body.code ?? status);
    expect(codes.filter((code) => code !== 200)).toEqual(["push_limit"]);
    expect((await list()).length).toBe(limits.pushSubscriptionsPerAccount);
  });

  if (runsOnceTests(engine))
    test("uses the administrator's push key if one is configured", async () => {
      // From the example in RFC 8291.
      const key = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";
      const pair = createECDH("prime256v1");
      pair.setPrivateKey(key, "base64url");
      await using own = await startTandem(engine, { env: { VAPID_PRIVATE_KEY: key } });
      const { applicationServerKey } = await (await own.as.human()).listPushSubscriptions();
      expect(applicationServerKey).toBe(pair.getPublicKey("base64url"));
      const rows = await own.storage.read.selectFrom("push_key").selectAll().execute();
      expect(rows).toEqual([]);
    });
});
