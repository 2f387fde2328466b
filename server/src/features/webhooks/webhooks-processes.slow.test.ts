import { createClient } from "@tandem/client/create-client";
import { type Caller, Callers } from "@tandem/testing/callers";
import { loopback, Origin } from "@tandem/testing/origin";
import { until } from "@tandem/testing/ports";
import { createDatabase } from "@tandem/testing/postgres";
import { startProcess } from "@tandem/testing/process";
import { PushSubscriber } from "@tandem/testing/push-service";
import { temporaryDirectory } from "@tandem/testing/storage";
import { engines } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

const MESSAGES = 24;

describe.each(engines)("webhooks with several processes on %s", (engine) => {
  test("sends each message once, and one at a time, whichever process wrote it", async () => {
    await using database = engine === "postgres" ? await createDatabase() : null;
    await using directory = await temporaryDirectory();
    await using receiver = await Origin.start();
    const env = { ...loopback, ...(database && { DATABASE_URL: database.url }) };
    await using first = await startProcess(directory.path, env);
    await using second = await startProcess(directory.path, env);
    let [under, most] = [0, 0];
    const url = receiver.show("/hook", (_, response) => {
      under += 1;
      most = Math.max(most, under);
      setTimeout(() => {
        under -= 1;
        response.writeHead(204).end();
      }, 5);
    });
    const as = new Callers(first.address);
    const [ada, bob] = [await as.human(), await as.human()];
    const { webhook } = await ada.createWebhook({ url });
    const browser = new PushSubscriber(receiver);
    // Both processes use the same key, whichever created it.
    const [here, there] = await Promise.all(
      [ada, at(second.address, ada)].map((caller) => caller.listPushSubscriptions()),
    );
    expect(here?.applicationServerKey).toBe(there?.applicationServerKey);
    await ada.subscribeToPush(browser.subscription);
    const { post } = await ada.createPost({ title: "By ada" });
    const places = [bob, at(second.address, bob)];
    const comments = Array.from({ length: MESSAGES }, (_, i) =>
      (places[i % 2] ?? bob).createComment({ id: post.id, body: `${i}` }),
    );
    await Promise.all(comments);
    const log = async () => (await ada.listDeliveries({ id: webhook.id, limit: 50 })).deliveries;
    await until(async () => (await log()).every(({ state }) => state === "delivered"));
    const hooked = receiver.requests.filter(({ path }) => path === "/hook");
    const sent = hooked.map(({ headers }) => String(headers["webhook-id"]));
    expect(sent.toSorted()).toEqual((await log()).map(({ messageId }) => messageId).toSorted());
    expect([sent.length, most]).toEqual([MESSAGES, 1]);
    // Each notification appears once, though one message may contain several.
    const { notifications } = await ada.listNotifications();
    await until(async () => browser.ids.includes(notifications[0]?.id ?? 0));
    expect(new Set(browser.ids).size).toBe(browser.ids.length);
  });
});

/** The same caller, calling another process. */
function at(address: string, caller: Caller): Caller {
  const options = { ...caller.options, baseUrl: address };
  return { ...caller, ...createClient(options), options };
}
