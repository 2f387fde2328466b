import { createClient } from "@tandem/client/client";
import { type Caller, Callers } from "@tandem/testing/callers";
import { loopback, Origin } from "@tandem/testing/origin";
import { until } from "@tandem/testing/ports";
import { createDatabase } from "@tandem/testing/postgres";
import { serveIn } from "@tandem/testing/process";
import { temporaryDirectory } from "@tandem/testing/storage";
import { engines } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

const MESSAGES = 24;

describe.each(engines)("webhooks of several processes on %s", (engine) => {
  test("whoever wrote it, each message is sent once, and one at a time", async () => {
    await using database = engine === "postgres" ? await createDatabase() : null;
    await using directory = await temporaryDirectory();
    await using receiver = await Origin.start();
    const env = { ...loopback, ...(database && { DATABASE_URL: database.url }) };
    await using first = await serveIn(directory.path, env);
    await using second = await serveIn(directory.path, env);
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
    const { post } = await ada.createPost({ title: "By ada" });
    const places = [bob, at(second.address, bob)];
    const said = Array.from({ length: MESSAGES }, (_, i) =>
      (places[i % 2] ?? bob).createComment({ id: post.id, body: `${i}` }),
    );
    await Promise.all(said);
    const log = async () => (await ada.listDeliveries({ id: webhook.id, limit: 50 })).deliveries;
    await until(async () => (await log()).every(({ state }) => state === "delivered"));
    const sent = receiver.asked.map(({ headers }) => String(headers["webhook-id"]));
    expect(sent.toSorted()).toEqual((await log()).map(({ messageId }) => messageId).toSorted());
    expect([sent.length, most]).toEqual([MESSAGES, 1]);
  });
});

/** The same caller, asking another process. */
function at(address: string, caller: Caller): Caller {
  const options = { ...caller.options, baseUrl: address };
  return { ...caller, ...createClient(options), options };
}
