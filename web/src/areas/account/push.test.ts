import type { PushMessage } from "@tandem/contract/push";
import type { Person } from "@tandem/testing/callers";
import { loopback, Origin } from "@tandem/testing/origin";
import { until } from "@tandem/testing/ports";
import { PushSubscriber } from "@tandem/testing/push-service";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, type Visitor, type VisitorOptions, visit } from "@tandem/testing/visitor";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

/** A language that is played would be put in the place of the one that the worker asks for. */
const withWorker = { fullBrowser: true, serviceWorkers: "allow", locale: undefined } as const;
const section = "/settings/notifications";

/* What there is where the worker runs, which parts of this are sent to. */
declare const registration: ServiceWorkerRegistration;
declare const clients: { openWindow(address: string): Promise<null> };
declare const NotificationEvent: new (
  name: string,
  init: { notification: Notification | undefined },
) => Event;

/**
 * Plays the browser's own push service, which can't be reached from here: it gives out the subscription that the test's
 * service knows, and remembers that it did.
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

describe("notices on this device", () => {
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

  /** Ada, whose browser may show notices, and has a push service. */
  async function come(options: VisitorOptions = {}): Promise<Visitor> {
    const visitor = await visit(tandem, ada, { ...withWorker, ...options });
    await visitor.page.context().grantPermissions(["notifications"], { origin: tandem.baseUrl });
    await visitor.page.addInitScript(playService, device.subscription);
    await visitor.open(section);
    return visitor;
  }

  async function switchOn({ page }: Visitor): Promise<void> {
    await button(page, "Show notices on this device").click();
    await page.getByRole("main").getByText("Notices come to this device.").waitFor();
  }

  /** Hands the worker what was pushed, as the browser does that has decrypted it. */
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
  /** Delivers until it shows: what the inspector hands over while the worker begins is lost, and the same again changes nothing. */
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

  test("are switched on by a press, come while nobody looks, and are switched off", async () => {
    await using visitor = await come({ ...phone, colorScheme: "light" });
    const { page } = visitor;
    expect([await list(), await visitor.axeViolations()]).toEqual([[], []]);
    await switchOn(visitor);
    expect(await visitor.axeViolations()).toEqual([]);
    expect(await list()).toMatchObject([{ current: true }]);
    const { applicationServerKey } = await ada.listPushSubscriptions();
    expect(await page.evaluate(() => localStorage.getItem("subscribed"))).toBe(applicationServerKey);
    await button(page, "Send a test").click();
    await until(async () => device.messages.length === 1);
    await deliverUntil(visitor, device.messages[0], async () =>
      (await told(visitor)).includes("Notices reach this device"),
    );
    await visitor.open(section);
    await button(page, "Turn off").click();
    await button(page, "Show notices on this device").waitFor();
    expect([await list(), await page.evaluate(() => localStorage.length)]).toEqual([[], 0]);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("say who did what to what, what belongs together as one, and lead there", async () => {
    const [{ post }, eve] = [await ada.createPost({ title: "On looms" }), await tandem.as.human()];
    await using visitor = await come({ colorScheme: "dark" });
    await button(visitor.page, "Show notices on this device").waitFor();
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
      async () => (await told(visitor)).join() === `${e} and one more commented on your post`,
    );
    await eve.requestFriend({ username: ada.user.username });
    await until(async () => device.messages.length === 3);
    await deliverUntil(visitor, device.messages[2], async () => (await shown(visitor)).length === 2);
    expect(await told(visitor)).toContain(`${e} would like to be friends`);
    await deliverUntil(visitor, "nonsense", async () =>
      (await told(visitor)).includes("There is something new"),
    );
    expect(await pressed(visitor, `${e} would like to be friends`)).toEqual([`${tandem.baseUrl}/friends`]);
    expect(await told(visitor)).not.toContain(`${e} would like to be friends`);
  });

  /** The addresses that a press on what is shown opens; a browser opens none without a finger. */
  async function pressed({ page }: Visitor, title: string): Promise<string[]> {
    const [worker] = page.context().serviceWorkers();
    if (!worker) throw new Error("there is no worker");
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

  test("speak the reader's language", async () => {
    const { post } = await ada.createPost({ title: "Vom Weben" });
    await using visitor = await come();
    await visitor.open("/settings/appearance");
    await visitor.page.getByRole("radio", { name: "Deutsch" }).check();
    await visitor.page.locator("html[lang=de][data-alive]").waitFor();
    await visitor.open(section);
    await button(visitor.page, "Hinweise auf diesem Gerät zeigen").click();
    await visitor.page.getByRole("main").getByText("Hinweise kommen auf dieses Gerät.").waitFor();
    await bob.likePost({ id: post.id });
    await until(async () => device.messages.length === 1);
    const liked = `${bob.user.username} gefällt dein Beitrag`;
    await deliverUntil(visitor, device.messages[0], async () => (await told(visitor)).join() === liked);
  });

  test("are made anew when the browser lets its subscription go", async () => {
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

  test("end here with the log-out, and elsewhere by a press", async () => {
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
    // Out of an agent's session one comes back to one's own, where they still come.
    const { agent } = await tandem.as.agent(ada);
    const headers = { origin: tandem.baseUrl };
    await page.request.post(`${tandem.baseUrl}/api/agents/${agent.id}/session`, { headers });
    await leave("Be yourself again");
    expect([(await list()).length, (await subscribed()) !== null]).toEqual([1, true]);
    await leave("Log out");
    expect(await subscribed()).toBe(null);
    expect((await phoneOfHers.listPushSubscriptions()).subscriptions).toEqual([]);
  });

  test("that can't be had say why, and leave nothing behind", async () => {
    await using visitor = await come();
    const { page } = visitor;
    await page.route("**/api/push/subscriptions", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 500, json: { error: "The fault is ours.", code: "internal" } })
        : route.fallback(),
    );
    await button(page, "Show notices on this device").click();
    await page.getByRole("status").getByText("Something went wrong on our side").waitFor();
    await button(page, "Show notices on this device").waitFor();
    await until(async () => (await page.evaluate(() => localStorage.getItem("subscribed"))) === null);
    expect(await list()).toEqual([]);
    // The browser's own push service, which isn't there.
    const bare = await page.context().newPage();
    await bare.goto(tandem.baseUrl + section);
    await button(bare, "Show notices on this device").click();
    await bare.getByRole("status").getByText("Your browser couldn't arrange it.").waitFor();
    expect(await list()).toEqual([]);
  });

  test("aren't offered where the browser can't, or was told not to", async () => {
    await using deaf = await visit(tandem, ada);
    await deaf.page.addInitScript(() => Reflect.deleteProperty(window, "PushManager"));
    await deaf.open(section);
    await deaf.page.getByText("This browser can't show notices of ours").waitFor();
    const told = await deaf.page.context().newPage();
    await told.addInitScript(() => {
      Object.defineProperty(Notification, "permission", { get: () => "denied" });
    });
    await told.goto(tandem.baseUrl + section);
    await told.getByText("You told this browser to show no notices").waitFor();
    expect(await button(told, "Show notices on this device").count()).toBe(0);
    const agent = await tandem.as.agent(ada);
    await using robot = await visit(tandem, await tandem.as.agentSession(ada, agent.agent.id));
    await robot.open(section);
    await robot.page.getByRole("heading", { name: "What you are told of" }).waitFor();
    expect(await robot.page.getByText("Notices on this device").count()).toBe(0);
  });
});
