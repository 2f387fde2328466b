import type { PushMessage } from "@tandem/contract/push";
import type { Person } from "@tandem/testing/callers";
import { loopback, Origin } from "@tandem/testing/origin";
import { until } from "@tandem/testing/ports";
import { PushSubscriber } from "@tandem/testing/push-service";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, type Visitor, type VisitorOptions, visit } from "@tandem/testing/visitor";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

/** An emulated locale would override the language that the service worker asks for. */
const withWorker = { fullBrowser: true, serviceWorkers: "allow", locale: undefined } as const;
const section = "/settings/notifications";

/* Globals of the service worker, where some of the functions below run. */
declare const registration: ServiceWorkerRegistration;
declare const clients: { openWindow(address: string): Promise<null> };
declare const NotificationEvent: new (
  name: string,
  init: { notification: Notification | undefined },
) => Event;

/**
 * Replaces the browser's push service, which tests can't reach: returns the given subscription, and remembers in
 * `localStorage` that it did.
 */
function fakePushService({ endpoint, p256dh, auth }: PushSubscriber["subscription"]): void {
  const unsubscribe = async () => {
    localStorage.removeItem("subscribed");
    return true;
  };
  const subscription = { endpoint, toJSON: () => ({ endpoint, keys: { p256dh, auth } }), unsubscribe };
  const subscribed = () => localStorage.getItem("subscribed") !== null;
  Object.assign(PushManager.prototype, {
    getSubscription: async () => (subscribed() ? subscription : null),
    subscribe: async ({ applicationServerKey }: PushSubscriptionOptionsInit) => {
      localStorage.setItem("subscribed", String(applicationServerKey));
      return subscription;
    },
  });
}

describe("push notifications", () => {
  let tandem: Tandem;
  let service: Origin;
  let ada: Person;
  let bob: Person;
  let device: PushSubscriber;
  beforeAll(async () => {
    service = await Origin.start();
    tandem = await startTandem("sqlite", { env: loopback });
  });
  beforeEach(async () => {
    [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    device = new PushSubscriber(service);
  });
  afterAll(async () => {
    await tandem.stop();
    await service[Symbol.asyncDispose]();
  });

  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const subscriptions = async () => (await ada.listPushSubscriptions()).subscriptions;

  /** Visits as Ada, with notifications allowed and a push service. */
  async function visitSettings(options: VisitorOptions = {}): Promise<Visitor> {
    const visitor = await visit(tandem, ada, { ...withWorker, ...options });
    await visitor.page.context().grantPermissions(["notifications"], { origin: tandem.baseUrl });
    await visitor.page.addInitScript(fakePushService, device.subscription);
    await visitor.open(section);
    return visitor;
  }

  async function turnOn({ page }: Visitor): Promise<void> {
    await button(page, "Turn on for this device").click();
    await page.getByRole("main").getByText("Push notifications are on for this device.").waitFor();
  }

  /** Delivers a push message to the service worker, decrypted, as the browser would. */
  async function deliver({ page }: Visitor, message: PushMessage | undefined | "nonsense"): Promise<void> {
    const devTools = await page.context().newCDPSession(page);
    const registrationFound = new Promise<string>((resolve) => {
      devTools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        // Those of earlier tests are listed, too.
        const own = registrations.find(({ isDeleted }) => !isDeleted);
        if (own) resolve(own.registrationId);
      });
    });
    await devTools.send("ServiceWorker.enable");
    const data = message === "nonsense" ? message : JSON.stringify(message);
    const registrationId = await registrationFound;
    await devTools.send("ServiceWorker.deliverPushMessage", { origin: tandem.baseUrl, registrationId, data });
    await devTools.detach();
  }

  const shownNotifications = ({ page }: Visitor) =>
    page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (!active) return [];
      const registration = await navigator.serviceWorker.ready;
      const all = await registration.getNotifications();
      return all.map(({ title, body, tag, data }) => ({ title, body, tag, to: data.to }));
    });
  /** Delivers until it is shown: messages sent by DevTools while the worker starts are lost, and repeating one changes nothing. */
  const deliverUntil = (
    visitor: Visitor,
    message: PushMessage | undefined | "nonsense",
    isShown: () => Promise<boolean>,
  ) =>
    until(async () => {
      await deliver(visitor, message);
      return isShown();
    });

  const shownTitles = async (visitor: Visitor) =>
    (await shownNotifications(visitor)).map(({ title }) => title).sort();

  test("are turned on and off in the settings, and arrive while no page is open", async () => {
    await using visitor = await visitSettings({ ...phone, colorScheme: "light" });
    const { page } = visitor;
    expect([await subscriptions(), await visitor.axeViolations()]).toEqual([[], []]);
    await turnOn(visitor);
    expect(await visitor.axeViolations()).toEqual([]);
    expect(await subscriptions()).toMatchObject([{ current: true }]);
    const { applicationServerKey } = await ada.listPushSubscriptions();
    expect(await page.evaluate(() => localStorage.getItem("subscribed"))).toBe(applicationServerKey);
    await button(page, "Send test").click();
    await until(async () => device.messages.length === 1);
    await deliverUntil(visitor, device.messages[0], async () =>
      (await shownTitles(visitor)).includes("Notifications work on this device"),
    );
    await visitor.open(section);
    await button(page, "Turn off").click();
    await button(page, "Turn on for this device").waitFor();
    expect([await subscriptions(), await page.evaluate(() => localStorage.length)]).toEqual([[], 0]);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("describe what happened, group similar events, and open the right page", async () => {
    const [{ post }, eve] = [await ada.createPost({ title: "On looms" }), await tandem.as.human()];
    await using visitor = await visitSettings({ colorScheme: "dark" });
    await button(visitor.page, "Turn on for this device").waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await turnOn(visitor);
    const [b, e] = [bob.user.username, eve.user.username];
    const { comment } = await bob.createComment({ id: post.id, body: "Well said." });
    await until(async () => device.messages.length === 1);
    await deliverUntil(
      visitor,
      device.messages[0],
      async () => (await shownNotifications(visitor)).length === 1,
    );
    expect(await shownNotifications(visitor)).toEqual([
      {
        title: `@${b} commented on your post`,
        body: "On looms",
        tag: `comment,${post.id},false`,
        to: `/posts/${post.id}#comment-${comment.id}`,
      },
    ]);
    await eve.createComment({ id: post.id, body: "Indeed." });
    await until(async () => device.messages.length === 2);
    await deliverUntil(
      visitor,
      device.messages[1],
      async () => (await shownTitles(visitor)).join() === `@${e} and 1 other commented on your post`,
    );
    await eve.requestFriend({ username: ada.user.username });
    await until(async () => device.messages.length === 3);
    await deliverUntil(
      visitor,
      device.messages[2],
      async () => (await shownNotifications(visitor)).length === 2,
    );
    expect(await shownTitles(visitor)).toContain(`@${e} wants to be friends`);
    await deliverUntil(visitor, "nonsense", async () =>
      (await shownTitles(visitor)).includes("You have a new notification"),
    );
    expect(await pressed(visitor, `@${e} wants to be friends`)).toEqual([`${tandem.baseUrl}/friends`]);
    expect(await shownTitles(visitor)).not.toContain(`@${e} wants to be friends`);
  });

  /** The addresses that a click on a notification opens. Opening is stubbed: browsers require a real click. */
  async function pressed({ page }: Visitor, title: string): Promise<string[]> {
    const [worker] = page.context().serviceWorkers();
    if (!worker) throw new Error("no service worker");
    return worker.evaluate(async (wanted) => {
      const opened: string[] = [];
      let done = () => {};
      const opening = new Promise<void>((resolve) => {
        done = resolve;
      });
      clients.openWindow = async (address) => {
        opened.push(address);
        done();
        return null;
      };
      const all = await registration.getNotifications();
      const notification = all.find((one) => one.title === wanted);
      dispatchEvent(new NotificationEvent("notificationclick", { notification }));
      await opening;
      return opened;
    }, title);
  }

  test("use the account's language", async () => {
    const { post } = await ada.createPost({ title: "Vom Weben", provenance: "ai_generated" });
    await using visitor = await visitSettings();
    await visitor.open("/settings/appearance");
    await visitor.page.getByRole("radio", { name: "Deutsch" }).check();
    await visitor.page.locator("html[lang=de][data-alive]").waitFor();
    await visitor.open(section);
    await button(visitor.page, "Auf diesem Gerät einschalten").click();
    await visitor.page.getByRole("main").getByText("Push-Mitteilungen sind auf diesem Gerät an.").waitFor();
    await bob.likePost({ id: post.id });
    await until(async () => device.messages.length === 1);
    const liked = `@${bob.user.username} gefällt dein Beitrag`;
    await deliverUntil(
      visitor,
      device.messages[0],
      async () => (await shownTitles(visitor)).join() === liked,
    );
    expect(await shownNotifications(visitor)).toMatchObject([{ body: "Vom Weben (KI-generiert)" }]);
  });

  test("resubscribe when the browser drops the subscription", async () => {
    await using visitor = await visitSettings();
    await turnOn(visitor);
    const [before] = await subscriptions();
    const other = new PushSubscriber(service);
    const [worker] = visitor.page.context().serviceWorkers();
    await worker?.evaluate(({ endpoint, p256dh, auth }) => {
      const subscription = { endpoint, toJSON: () => ({ endpoint, keys: { p256dh, auth } }) };
      Object.assign(PushManager.prototype, {
        getSubscription: async () => null,
        subscribe: async () => subscription,
      });
      dispatchEvent(new Event("pushsubscriptionchange"));
    }, other.subscription);
    await until(async () => {
      const [now] = await subscriptions();
      return now !== undefined && now.id !== before?.id;
    });
    await ada.testPush({ id: Number((await subscriptions())[0]?.id) });
    await until(async () => other.messages.length === 1);
    expect(device.messages).toEqual([]);
  });

  test("stop on this device when logging out, and can be removed from other devices", async () => {
    const { username } = ada.user;
    const response = await tandem.as.anonymous().call("logIn", { username, password: ada.password });
    const phoneOfHers = tandem.as.with({
      cookie: String(response.headers.getSetCookie()[0]?.split(";")[0]),
    });
    await phoneOfHers.subscribeToPush(new PushSubscriber(service).subscription);
    await using visitor = await visitSettings();
    const { page } = visitor;
    await turnOn(visitor);
    expect((await subscriptions()).length).toBe(2);
    await page.getByRole("button", { name: /^Remove / }).click();
    await until(async () => (await subscriptions()).length === 1);
    const subscribed = () => page.evaluate(() => localStorage.getItem("subscribed"));
    await visitor.open("/settings");
    await page.getByRole("main").getByRole("button", { name: "Log out" }).click();
    await page.waitForURL(`${tandem.baseUrl}/`);
    await page.locator("html[data-alive]").waitFor();
    expect(await subscribed()).toBe(null);
    expect((await phoneOfHers.listPushSubscriptions()).subscriptions).toEqual([]);
  });

  test("stop on this device when acting as an agent: the agent's browser isn't the operator's", async () => {
    const agent = await tandem.as.agent(ada);
    await using visitor = await visitSettings();
    const { page } = visitor;
    await turnOn(visitor);
    await visitor.open(`/agents/${agent.agent.id}`);
    await page.getByRole("button", { name: "Act as this agent" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Act as this agent" }).click();
    await page.getByText(`You're acting as @${agent.agent.username}`).waitFor();
    expect(await page.evaluate(() => localStorage.getItem("subscribed"))).toBe(null);
    const rows = tandem.storage.read.selectFrom("webhooks").where("user_id", "=", ada.user.id);
    expect(await rows.select("id").execute()).toEqual([]);
  });

  test("explain why they couldn't be turned on, and leave no subscription behind", async () => {
    await using visitor = await visitSettings();
    const { page } = visitor;
    await page.route("**/api/push/subscriptions", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 500, json: { error: "The fault is ours.", code: "internal" } })
        : route.fallback(),
    );
    await button(page, "Turn on for this device").click();
    await page.getByRole("status").getByText("Something went wrong on our side").waitFor();
    await button(page, "Turn on for this device").waitFor();
    await until(async () => (await page.evaluate(() => localStorage.getItem("subscribed"))) === null);
    expect(await subscriptions()).toEqual([]);
    // With the browser's own push service, which tests can't reach.
    const realBrowserTab = await page.context().newPage();
    await realBrowserTab.goto(tandem.baseUrl + section);
    await button(realBrowserTab, "Turn on for this device").click();
    await realBrowserTab.getByRole("status").getByText("Your browser couldn't set this up.").waitFor();
    expect(await subscriptions()).toEqual([]);
  });

  test("aren't offered where the browser doesn't support them or blocks them", async () => {
    await using unsupported = await visit(tandem, ada);
    await unsupported.page.addInitScript(() => Reflect.deleteProperty(window, "PushManager"));
    await unsupported.open(section);
    await unsupported.page.getByText("This browser doesn't support push notifications").waitFor();
    const blocked = await unsupported.page.context().newPage();
    await blocked.addInitScript(() => {
      Object.defineProperty(Notification, "permission", { get: () => "denied" });
    });
    await blocked.goto(tandem.baseUrl + section);
    await blocked.getByText("You blocked notifications in this browser").waitFor();
    expect(await button(blocked, "Turn on for this device").count()).toBe(0);
    const agent = await tandem.as.agent(ada);
    await using agentVisitor = await visit(tandem, await tandem.as.agentSession(ada, agent.agent.id));
    await agentVisitor.open(section);
    await agentVisitor.page.getByRole("heading", { name: "Notify me about" }).waitFor();
    expect(await agentVisitor.page.getByText("Push notifications").count()).toBe(0);
  });
});
