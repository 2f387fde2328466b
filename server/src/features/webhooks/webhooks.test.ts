import { createHmac } from "node:crypto";
import { verifyWebhook } from "@tandem/client/verify-webhook";
import { HOUR } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { Person } from "@tandem/testing/callers";
import { loopback, Origin } from "@tandem/testing/origin";
import { until } from "@tandem/testing/ports";
import { listenToStream } from "@tandem/testing/stream-listener";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { backgroundJobs } from "../../background.ts";
import { sweepOut } from "../../housekeeping.ts";

/** Calls that manage a webhook. */
const onWebhook = (id: number) =>
  [
    ["editWebhook", { id, enabled: false }],
    ["deleteWebhook", { id }],
    ["rotateWebhookSecret", { id }],
    ["testWebhook", { id }],
    ["listDeliveries", { id }],
    ["retryDelivery", { id, deliveryId: 1 }],
  ] as const;

describe.each(engines)("webhooks on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let receiver: Origin;
  let ada: Person;
  let bob: Person;
  let id: number;
  let path: string;
  let serial = 0;
  let passed = 0;
  beforeAll(async () => {
    receiver = await Origin.start();
    tandem = await startTandem(engine, { env: loopback, now: () => Date.now() + passed });
  });
  beforeEach(async () => {
    [ada, bob] = await Promise.all([tandem.as.human(), tandem.as.human()]);
    id = (await ada.createPost({ title: "By ada" })).post.id;
    path = `/hook${serial++}`;
  });
  afterAll(async () => {
    await tandem.stop();
    await receiver[Symbol.asyncDispose]();
  });

  const received = () => receiver.requests.filter((request) => request.path === path);
  const hook = (more: object = {}) => ada.createWebhook({ url: receiver.url + path, ...more });
  const log = async (webhookId: number) => (await ada.listDeliveries({ id: webhookId })).deliveries;
  const settled = (webhookId: number, state: string) =>
    until(async () => (await log(webhookId)).every((delivery) => delivery.state === state));
  /** Advances the clock and runs the background job. */
  const later = async (milliseconds: number) => {
    passed += milliseconds;
    const job = backgroundJobs.find(({ name }) => name === "webhooks");
    await job?.run(tandem.services, new AbortController().signal);
  };

  once("send the notifications that the list shows, signed", async () => {
    receiver.show(path, { status: 204 });
    const { webhook, secret } = await hook();
    await bob.createComment({ id, body: "Said" });
    await until(async () => received().length > 0);
    const [sent] = received();
    const { notifications } = await ada.listNotifications();
    const body = String(sent?.body);
    const headers = sent?.headers as Record<string, string>;
    expect(JSON.parse(body)).toEqual({
      type: "comment",
      timestamp: notifications[0]?.createdAt,
      data: notifications[0],
    });
    // These tests advance the clock; the verifiers tolerate a difference of five minutes.
    if (passed === 0) {
      new Webhook(String(secret)).verify(body, headers);
      expect(await verifyWebhook(body, headers, String(secret))).toEqual(JSON.parse(body));
    }
    const key = Buffer.from(String(secret).slice("whsec_".length), "base64");
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    const signature = createHmac("sha256", key).update(signed).digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${signature}`);
    await settled(webhook.id, "delivered");
    expect(await log(webhook.id)).toMatchObject([
      {
        type: "comment",
        messageId: headers["webhook-id"],
        attempts: 1,
        status: 204,
        error: null,
        nextAt: null,
      },
    ]);
  });

  once("send only the chosen types, for the chosen account, to their own URL", async () => {
    receiver.show(path, { status: 200 });
    const agent = await tandem.as.agent(ada);
    const { webhook } = await hook({ agentId: agent.agent.id, types: ["post_like", "post_like"] });
    expect(webhook).toMatchObject({ agentId: agent.agent.id, types: ["post_like"], state: "unconfirmed" });
    const { post } = await agent.createPost({ title: "By the agent" });
    await bob.createComment({ id: post.id, body: "Said" });
    await bob.createComment({ id, body: "Said to ada" });
    await bob.likePost({ id: post.id });
    await until(async () => received().length > 0);
    await settled(webhook.id, "delivered");
    expect(received().map(({ body }) => JSON.parse(body).type)).toEqual(["post_like"]);
    await ada.deleteAgent({ id: agent.agent.id });
    expect((await ada.listWebhooks()).webhooks).toEqual([]);
  });

  test("muted notifications are neither listed, counted, streamed nor sent", async () => {
    receiver.show(path, { status: 200 });
    const { webhook } = await hook();
    const agent = await tandem.as.agent(bob);
    const key = await tandem.as.key(["comments:write"], bob);
    await ada.chooseNotifications({ people: ["comment"], agents: ["post_like"] });
    await ada.editPreferences({ aiNotifications: "hide" });
    await using line = await listenToStream(ada);
    await agent.createComment({ id, body: "By an agent" });
    await agent.likePost({ id });
    await key.createComment({ id, body: "By a key" });
    await bob.likePost({ id });
    const { comment } = await bob.createComment({ id, body: "By bob" });
    await line.has(3);
    await settled(webhook.id, "delivered");
    const { notifications, unread } = await ada.listNotifications();
    expect([unread, (await ada.countNotifications()).unread]).toEqual([1, 1]);
    expect(notifications.map(({ commentId }) => commentId)).toEqual([comment.id]);
    expect(line.ids).toEqual(notifications.map(({ id }) => id));
    expect(received().map(({ body }) => JSON.parse(body).data.commentId)).toEqual([comment.id]);
  });

  if (runsOnceTests(engine))
    test("retry a failed delivery with the same id and increasing delays, then give up and notify the owner", async () => {
      receiver.show(path, { status: 500 });
      const { webhook } = await hook();
      await bob.createComment({ id, body: "Said" });
      await until(async () => received().length === 1);
      await until(async () => (await log(webhook.id))[0]?.attempts === 1);
      expect(await log(webhook.id)).toMatchObject(
        [{ state: "waiting", status: 500, error: /500/ }].map((delivery) => ({
          ...delivery,
          error: expect.stringMatching(delivery.error),
        })),
      );
      await later(1000);
      expect(received()).toHaveLength(1);
      for (let tries = 2; tries <= 8; tries++) {
        const next = Date.parse(String((await log(webhook.id))[0]?.nextAt)) - tandem.services.now();
        await later(Math.max(0, next) + 1);
        expect(received()).toHaveLength(tries);
      }
      expect(new Set(received().map(({ headers }) => headers["webhook-id"])).size).toBe(1);
      expect(new Set(received().map(({ body }) => body)).size).toBe(1);
      expect(await log(webhook.id)).toMatchObject([{ state: "failed", attempts: 8, nextAt: null }]);
      const { webhooks } = await ada.listWebhooks();
      expect(webhooks).toMatchObject([
        { enabled: false, state: "failing", failingSince: expect.any(String) },
      ]);
      const [latest] = (await ada.listNotifications()).notifications;
      expect(latest).toMatchObject({ type: "webhook_disabled", actor: { username: ada.user.username } });
      await bob.createComment({ id, body: "Not sent" });
      await later(HOUR);
      expect(received()).toHaveLength(8);
      receiver.show(path, { status: 200 });
      await ada.editWebhook({ id: webhook.id, enabled: true });
      const [failed] = await log(webhook.id);
      await ada.retryDelivery({ id: webhook.id, deliveryId: Number(failed?.id) });
      await settled(webhook.id, "delivered");
      expect((await ada.listWebhooks()).webhooks).toMatchObject([{ state: "working", failingSince: null }]);
    });

  once("leave a receiver alone for as long as it asks, with new notifications, too", async () => {
    receiver.show(path, { status: 429, headers: { "retry-after": "1800" } });
    const { webhook } = await hook();
    await bob.createComment({ id, body: "Said" });
    await until(async () => (await log(webhook.id))[0]?.attempts === 1);
    receiver.show(path, { status: 204 });
    await bob.createComment({ id, body: "Also said" });
    await later(HOUR / 3);
    expect(received()).toHaveLength(1);
    await later(HOUR / 3);
    await settled(webhook.id, "delivered");
    expect(received()).toHaveLength(3);
  });

  test("stop sending to a receiver that returns 410, and give up waiting deliveries", async () => {
    receiver.show(path, { status: 410 });
    const { webhook } = await hook();
    await Promise.all(["a", "b", "c"].map((body) => bob.createComment({ id, body })));
    await until(async () => (await ada.listWebhooks()).webhooks[0]?.state === "gone");
    await settled(webhook.id, "failed");
    expect(received()).toHaveLength(1);
    const disabled = await ada.call("testWebhook", { id: webhook.id });
    expect([disabled.status, disabled.body.code]).toEqual([409, "webhook_disabled"]);
  });

  once("don't follow redirects, and time out silent or endless responses", async () => {
    const inside = receiver.show(`${path}/inside`, { status: 200 });
    receiver.show(path, { status: 307, headers: { location: inside } });
    const { webhook } = await hook();
    await bob.createComment({ id, body: "Said" });
    await until(async () => (await log(webhook.id))[0]?.attempts === 1);
    expect((await log(webhook.id))[0]).toMatchObject({
      status: 307,
      error: expect.stringContaining("redirect"),
    });
    expect(receiver.requests.filter((request) => request.path.endsWith("/inside"))).toEqual([]);
    // Only the first kilobyte is read, however slowly the rest would come.
    receiver.show(path, (_, response) => {
      response.writeHead(200);
      response.write("x".repeat(5000));
    });
    const { delivery } = await ada.testWebhook({ id: webhook.id });
    await until(
      async () => (await log(webhook.id)).find(({ id }) => id === delivery.id)?.state === "delivered",
    );
  });

  test("a receiver that never responds doesn't delay others", async () => {
    let answerAtLast = () => {};
    receiver.show(path, (_, response) => {
      answerAtLast = () => response.end();
    });
    const silent = await hook();
    const other = receiver.show(`${path}/other`, { status: 200 });
    const { webhook } = await ada.createWebhook({ url: other });
    await bob.createComment({ id, body: "Said" });
    await settled(webhook.id, "delivered");
    // Nor a webhook that becomes due while the slow one is in progress.
    await ada.testWebhook({ id: webhook.id });
    await settled(webhook.id, "delivered");
    expect(await log(silent.webhook.id)).toMatchObject([{ state: "waiting", attempts: 0 }]);
    // Otherwise later tests would wait for its timeout.
    answerAtLast();
  });

  once("sign with the old and the new secret for a while after rotation", async () => {
    receiver.show(path, { status: 200 });
    const { webhook, secret: old } = await hook();
    const { secret } = await ada.rotateWebhookSecret({ id: webhook.id });
    expect(secret).not.toBe(old);
    const signatures = async () => {
      const before = received().length;
      await ada.testWebhook({ id: webhook.id });
      await until(async () => received().length > before);
      return String(received().at(-1)?.headers["webhook-signature"]).split(" ").length;
    };
    expect(await signatures()).toBe(2);
    passed += limits.webhookSecretHours * HOUR;
    expect(await signatures()).toBe(1);
  });

  test("belong to one person, reject internal addresses, and are limited in number", async () => {
    const addresses = [
      "http://127.0.0.2/",
      "http://169.254.169.254/",
      "http://[::1]/",
      "https://example.org:22/",
    ];
    for (const url of [...addresses, "http://a:b@example.org/"]) {
      const refused = await ada.call("createWebhook", { url });
      expect([url, refused.status, refused.body.field]).toEqual([url, 400, "url"]);
    }
    const { webhook } = await hook();
    const { delivery } = await ada.testWebhook({ id: webhook.id });
    const [mine] = (await bob.createWebhook({ url: receiver.url })).webhook
      ? (await bob.listWebhooks()).webhooks
      : [];
    for (const [name, input] of [
      ...onWebhook(webhook.id),
      ["retryDelivery", { id: mine?.id, deliveryId: delivery.id }],
    ] as const)
      expect([name, (await bob.call(name, input)).status]).toEqual([name, 404]);
    const agent = await tandem.as.agent(bob);
    expect((await ada.call("createWebhook", { url: receiver.url, agentId: agent.agent.id })).status).toBe(
      404,
    );
    const many = Array.from({ length: limits.webhooksPerAccount + 2 }, () =>
      ada.call("createWebhook", { url: receiver.url + path }),
    );
    const codes = (await Promise.all(many)).map(({ status, body }) => body.code ?? status);
    expect(codes.filter((code) => code === "webhook_limit")).toHaveLength(3);
  });

  once("of keys are for their own account, seen by its operator, and end with the key", async () => {
    receiver.show(path, { status: 200 });
    const agent = await tandem.as.agent(ada);
    const { webhook: set } = await hook({ agentId: agent.agent.id });
    const url = receiver.url + path;
    const { webhook, secret } = await agent.createWebhook({ url, types: ["mention"] });
    expect(webhook).toMatchObject({ agentId: agent.agent.id, keyId: agent.keyId });
    expect(secret).toMatch(/^whsec_/);
    // A key neither sees nor changes what a person set up.
    expect((await agent.listWebhooks()).webhooks).toEqual([webhook]);
    expect((await agent.call("editWebhook", { id: set.id, enabled: false })).status).toBe(404);
    expect(await agent.call("createWebhook", { url, agentId: ada.user.id })).toMatchObject({
      status: 400,
      body: { field: "agentId" },
    });
    const poor = await tandem.as.key(["posts:write"], ada);
    expect((await poor.call("createWebhook", { url })).body.code).toBe("insufficient_scope");
    expect((await ada.listWebhooks()).webhooks.map(({ id }) => id)).toEqual([webhook.id, set.id]);
    await bob.createPost({ title: `For @${agent.agent.username}` });
    await until(async () => received().length > 1);
    expect(JSON.parse(received()[0]?.body ?? "").data.excerpt).toContain("For @");
    // The service numbers deliveries and webhooks separately: the second delivery's id differs from the webhook's.
    for (let sent = 0; sent < 2; sent++) await agent.testWebhook({ id: webhook.id });
    const { activity } = await ada.listActivity({ keyId: agent.keyId });
    const entry = (operation: string) => ({ operation, webhookId: webhook.id });
    expect(activity).toMatchObject(["testWebhook", "testWebhook", "createWebhook"].map(entry));
    await ada.revokeKey({ id: agent.keyId });
    expect((await ada.listWebhooks()).webhooks.map(({ id }) => id)).toEqual([set.id]);
  });

  test("of keys are managed by that key only, so that no other can redirect them and outlive its own revocation", async () => {
    const [first, second] = [
      await tandem.as.key(["profile:write"], ada),
      await tandem.as.key(["profile:write"], ada),
    ];
    const { webhook } = await first.createWebhook({ url: receiver.url + path });
    expect((await second.listWebhooks()).webhooks).toEqual([]);
    for (const [name, input] of onWebhook(webhook.id)) {
      const { status, body } = await second.call(name, input);
      expect([name, status, body.error]).toEqual([name, 404, "This key created no webhook with this id."]);
    }
    expect((await first.listWebhooks()).webhooks).toEqual([webhook]);
  });

  test("of a key end when it expires, with their waiting deliveries", async () => {
    receiver.show(path, { status: 500 });
    const expiresAt = new Date(tandem.services.now() + HOUR).toISOString();
    const minted = await ada.mintKey({ scopes: ["profile:write"], expiresAt });
    const { webhook } = await tandem.as
      .bearer(String(minted.secret))
      .createWebhook({ url: receiver.url + path });
    await bob.createComment({ id, body: "Said" });
    await until(async () => (await log(webhook.id))[0]?.attempts === 1);
    await later(HOUR);
    expect(await log(webhook.id)).toMatchObject([{ state: "failed", attempts: 1 }]);
    await sweepOut(tandem.services, new AbortController().signal, 10);
    expect((await ada.listWebhooks()).webhooks).toEqual([]);
  });

  test("of a key that is revoked meanwhile aren't created", async () => {
    const key = await tandem.as.key(["profile:write"], ada);
    const [revoked, ...created] = await Promise.all([
      ada.call("revokeKey", { id: key.keyId }),
      ...Array.from({ length: 5 }, () => key.call("createWebhook", { url: receiver.url + path })),
    ]);
    expect(revoked.status).toBe(200);
    for (const { status } of created) expect([200, 401]).toContain(status);
    expect((await ada.listWebhooks()).webhooks).toEqual([]);
  });

  test("don't quote on a retry what was deleted meanwhile", async () => {
    receiver.show(path, { status: 500 });
    const { webhook } = await hook();
    const { comment } = await bob.createComment({ id, body: "Said" });
    await until(async () => received().length > 0);
    await until(async () => (await log(webhook.id))[0]?.attempts === 1);
    await bob.deleteComment({ id: comment.id });
    receiver.show(path, { status: 200 });
    await later(10_000);
    await settled(webhook.id, "delivered");
    expect(received().map(({ body }) => JSON.parse(body).data.excerpt)).toEqual(["Said", null]);
  });

  once("aren't created for addresses that nothing is ever sent to", async () => {
    await using strict = await startTandem(engine);
    const person = await strict.as.human();
    for (const url of [
      "http://localhost/",
      "https://LOCALHOST.:8080/hook",
      "http://api.localhost/",
      "http://host.invalid/",
      "http://abc.onion/",
      "https://server.local/x",
      "https://redis:8080/x",
    ]) {
      const refused = await person.call("createWebhook", { url });
      expect([url, refused.status, refused.body.field]).toEqual([url, 400, "url"]);
    }
    expect((await person.listWebhooks()).webhooks).toEqual([]);
    // Here an administrator allows addresses that aren't public, and so the names of a network.
    expect(
      (await ada.call("createWebhook", { url: "https://server.local/x" }, { dryRun: true })).status,
    ).toBe(200);
  });

  test("are unconfirmed until something is delivered to their URL", async () => {
    receiver.show(path, { status: 500 });
    const { webhook } = await hook();
    const state = async () => (await ada.listWebhooks()).webhooks.map(({ state }) => state);
    await ada.testWebhook({ id: webhook.id });
    await until(async () => (await log(webhook.id))[0]?.attempts === 1);
    expect([webhook.state, webhook.enabled, await state()]).toEqual(["unconfirmed", true, ["unconfirmed"]]);
    receiver.show(path, { status: 200 });
    await later(10_000);
    await settled(webhook.id, "delivered");
    expect(await state()).toEqual(["working"]);
    await ada.editWebhook({ id: webhook.id, enabled: false });
    expect(await state()).toEqual(["off"]);
    const { webhook: moved } = await ada.editWebhook({
      id: webhook.id,
      enabled: true,
      url: `${webhook.url}?moved`,
    });
    expect(moved.state).toBe("unconfirmed");
  });

  test("don't change by what their former URL answers", async () => {
    const { webhook } = await hook();
    for (const status of [204, 410]) {
      const url = `${webhook.url}?then=${status}`;
      const { url: former } = (await ada.listWebhooks()).webhooks[0] ?? webhook;
      receiver.show(former.slice(receiver.url.length), async (_, response) => {
        await ada.editWebhook({ id: webhook.id, url });
        response.writeHead(status).end();
      });
      await ada.testWebhook({ id: webhook.id });
      await until(async () => (await log(webhook.id))[0]?.status === status);
      expect((await ada.listWebhooks()).webhooks).toMatchObject([{ url, state: "unconfirmed" }]);
    }
  });

  once("send nothing for a dry run", async () => {
    receiver.show(path, { status: 200 });
    const { webhook } = await hook();
    await bob.call("createComment", { id, body: "Never" }, { dryRun: true });
    await bob.createComment({ id, body: "Said" });
    await settled(webhook.id, "delivered");
    expect(received().map(({ body }) => JSON.parse(body).data.commentId)).toHaveLength(1);
  });

  test("deliver many messages once each and in order", async () => {
    receiver.show(path, { status: 200 });
    const { webhook } = await hook();
    const comments = Array.from({ length: 40 }, (_, i) => bob.createComment({ id, body: `${i}` }));
    await Promise.all(comments);
    await until(async () => received().length >= 40);
    await settled(webhook.id, "delivered");
    const ids = received().map(({ body }) => JSON.parse(body).data.id);
    expect(new Set(ids).size).toBe(40);
    expect(received()).toHaveLength(40);
  });
});
