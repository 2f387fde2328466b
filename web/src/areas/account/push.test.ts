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
function playService({ endpoint, p256dh, auth }: PushSubscriber["subscription"]): void {
  const unsubscribe = async () => {
    localStorage.removeItem("subscribed");
    return true;
  };
  const made = { endpoint, toJSON: () => ({ endpoint, keys: { p256dh, auth } }), unsubscribe };
  const subscribed = () => localStorage.getItem("subscribed") !== null;
  Object.assign(PushManager.prototype, {
    getSubscription: async () => (subscribed() ? made : null),
    subscribe: async ({ applicationServerKey }: PushSubscriptionOptionsInit) => {
      localStorage.setItem("subscribed", String(applicationServerKey));
      return made;
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
  const list = async () => (await ada.listPushSubscriptions()).subscriptions;

  /** Visits as Ada, with notifications allowed and a push service. */
  async function come(options: VisitorOptions = {}): Promise<Visitor> {
    const visitor = await visit(tandem, ada, { ...withWorker, ...options });
    await visitor.page.context().grantPermissions(["notifications"], { origin: tandem.baseUrl });
    await visitor.page.addInitScript(playService, device.subscription);
    await visitor.open(section);
    return visitor;
  }

  async function switchOn({ page }: Visitor): Promise<void> {
    await button(page, "Turn on for this device").click();
    await page.getByRole("main").getByText("Push notifications are on for this device.").waitFor();
  }

  /** Delivers a push message to the service worker, decrypted, as the browser would. */
  async function deliver({ page }: Visitor, message: PushMessage | undefined | "nonsense"): Promise<void> {
    const line = await page.context().newCDPSession(page);
    const found = new Promise<string>((resolve) => {
      line.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        const [own] = registrations;
        if (own) resolve(own.registrationId);
      });
    });
    await line.send("ServiceWorker.enable");
    const data = message === "nonsense" ? message : JSON.stringify(message);
    const registrationId = await found;
    await line.send("ServiceWorker.deliverPushMessage", { origin: tandem.baseUrl, registrationId, data });
    await line.detach();
  }

  const shown = ({ page }: Visitor) =>
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

  const told = async (visitor: Visitor) => (await shown(visitor)).map(({ title }) => title).sort();

  test("are turned on and off in the settings, and arrive while no page is open", async () => {
    await using visitor = await come({ ...phone, colorScheme: "light" });
    const { page } = visitor;
    expect([await list(), await visitor.axeViolations()]).toEqual([[], []]);
    await switchOn(visitor);
    expect(await visitor.axeViolations()).toEqual([]);
    expect(await list()).toMatchObject([{ current: true }]);
    const { applicationServerKey } = await ada.listPushSubscriptions();
    expect(await page.evaluate(() => localStorage.getItem("subscribed"))).toBe(applicationServerKey);
    await button(page, "Send test").click();
    await until(async () => device.messages.length === 1);
    await deliverUntil(visitor, device.messages[0], async () =>
      (await told(visitor)).includes("Notifications work on this device"),
    );
    await visitor.open(section);
    await button(page, "Turn off").click();
    await button(page, "Turn on for this device").waitFor();
    expect([await list(), await page.evaluate(() => localStorage.length)]).toEqual([[], 0]);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("say what happened, group similar events, and open the right page", async () => {
    const [{ post }, eve] = [await ada.createPost({ title: "On looms" }), await tandem.as.human()];
    await using visitor = await come({ colorScheme: "dark" });
    await button(visitor.page, "Turn on for this device").waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await switchOn(visitor);
    const [b, e] = [bob.user.username, eve.user.username];
    const { comment } = await bob.createComment({ id: post.id, body: "Well said." });
    await until(async () => device.messages.length === 1);
    await deliverUntil(visitor, device.messages[0], async () => (await shown(visitor)).length === 1);
    expect(await shown(visitor)).toEqual([
      {
        title: `${b} commented on your post`,
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
      async () => (await told(visitor)).join() === `${e} and 1 other commented on your post`,
    );
    await eve.requestFriend({ username: ada.user.username });
    await until(async () => device.messages.length === 3);
    await deliverUntil(visitor, device.messages[2], async () => (await shown(visitor)).length === 2);
    expect(await told(visitor)).toContain(`${e} sent you a friend request`);
    await deliverUntil(visitor, "nonsense", async () =>
      (await told(visitor)).includes("You have a new notification"),
    );
    expect(await pressed(visitor, `${e} sent you a friend request`)).toEqual([`${tandem.baseUrl}/friends`]);
    expect(await told(visitor)).not.toContain(`${e} sent you a friend request`);
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
    const { post } = await ada.createPost({ title: "Vom Weben" });
    await using visitor = await come();
    await visitor.open("/settings/appearance");
    await visitor.page.getByRole("radio", { name: "Deutsch" }).check();
    await visitor.page.locator("html[lang=de][data-alive]").waitFor();
    await visitor.open(section);
    await button(visitor.page, "Auf diesem Gerät einschalten").click();
    await visitor.page.getByRole("main").getByText("Push-Mitteilungen sind auf diesem Gerät an.").waitFor();
    await bob.likePost({ id: post.id });
    await until(async () => device.messages.length === 1);
    const liked = `${bob.user.username} gefällt dein Beitrag`;
    await deliverUntil(visitor, device.messages[0], async () => (await told(visitor)).join() === liked);
  });

  test("resubscribe when the browser drops the subscription", async () => {
    await using visitor = await come();
    await switchOn(visitor);
    const [before] = await list();
    const other = new PushSubscriber(service);
    const [worker] = visitor.page.context().serviceWorkers();
    await worker?.evaluate(({ endpoint, p256dh, auth }) => {
      const made = { endpoint, toJSON: () => ({ endpoint, keys: { p256dh, auth } }) };
      Object.assign(PushManager.prototype, {
        getSubscription: async () => null,
        subscribe: async () => made,
      });
      dispatchEvent(new Event("pushsubscriptionchange"));
    }, other.subscription);
    await until(async () => {
      const [now] = await list();
      return now !== undefined && now.id !== before?.id;
    });
    await ada.testPush({ id: Number((await list())[0]?.id) });
    await until(async () => other.messages.length === 1);
    expect(device.messages).toEqual([]);
  });

  test("stop on this device when logging out, and can be removed from other devices", async () => {
    const { username } = ada.user;
    const answer = await tandem.as.anonymous().call("logIn", { username, password: ada.password });
    const phoneOfHers = tandem.as.with({
      cookie: String(answer.headers.getSetCookie()[0]?.split(";")[0]),
    });
    await phoneOfHers.subscribeToPush(new PushSubscriber(service).subscription);
    await using visitor = await come();
    const { page } = visitor;
    await switchOn(visitor);
    expect((await list()).length).toBe(2);
    await page.getByRole("button", { name: /^Remove / }).click();
    await until(async () => (await list()).length === 1);
    const subscribed = () => page.evaluate(() => localStorage.getItem("subscribed"));
    const leave = async (by: string) => {
      await visitor.open("/settings");
      await page.getByRole("main").getByRole("button", { name: by }).click();
      await page.waitForURL(`${tandem.baseUrl}/`);
      await page.locator("html[data-alive]").waitFor();
    };
    // Leaving an agent's session returns to the operator's, which is still subscribed.
    const { agent } = await tandem.as.agent(ada);
    const headers = { origin: tandem.baseUrl };
    await page.request.post(`${tandem.baseUrl}/api/agents/${agent.id}/session`, { headers });
    await leave("Switch back to your account");
    expect([(await list()).length, (await subscribed()) !== null]).toEqual([1, true]);
    await leave("Log out");
    expect(await subscribed()).toBe(null);
    expect((await phoneOfHers.listPushSubscriptions()).subscriptions).toEqual([]);
  });

  test("explain why they couldn't be turned on, and leave no subscription behind", async () => {
    await using visitor = await come();
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
    expect(await list()).toEqual([]);
    // With the browser's own push service, which tests can't reach.
    const bare = await page.context().newPage();
    await bare.goto(tandem.baseUrl + section);
    await button(bare, "Turn on for this device").click();
    await bare.getByRole("status").getByText("Your browser couldn't set this up.").waitFor();
    expect(await list()).toEqual([]);
  });

  test("aren't offered where the browser doesn't support them or blocks them", async () => {
    await using deaf = await visit(tandem, ada);
    await deaf.page.addInitScript(() => Reflect.deleteProperty(window, "PushManager"));
    await deaf.open(section);
    await deaf.page.getByText("This browser doesn't support push notifications").waitFor();
    const told = await deaf.page.context().newPage();
    await told.addInitScript(() => {
      Object.defineProperty(Notification, "permission", { get: () => "denied" });
    });
    await told.goto(tandem.baseUrl + section);
    await told.getByText("You blocked notifications in this browser").waitFor();
    expect(await button(told, "Turn on for this device").count()).toBe(0);
    const agent = await tandem.as.agent(ada);
    await using robot = await visit(tandem, await tandem.as.agentSession(ada, agent.agent.id));
    await robot.open(section);
    await robot.page.getByRole("heading", { name: "Notify me about" }).waitFor();
    expect(await robot.page.getByText("Push notifications").count()).toBe(0);
  });
});
