import { untilCollected } from "@tandem/testing/garbage";
import { temporaryDirectory } from "@tandem/testing/storage";
import { engines, startTandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { endings, serve } from "./serve.ts";

describe.each(engines)("a service that has stopped, on %s", (engine) => {
  /** Serves requests of every kind. */
  async function serveOnce(): Promise<WeakRef<object>> {
    await using tandem = await startTandem(engine);
    const [person, agent] = [await tandem.as.human(), await tandem.as.agent()];
    const { post } = await agent.createPost({ title: "On looms" });
    await person.likePost({ id: post.id });
    await person.call("notificationStream");
    for (const path of ["/metrics", "/readyz", "/api/openapi.json", "/developers.md", `/posts/${post.id}`])
      await (await fetch(tandem.baseUrl + path)).text();
    return new WeakRef(tandem.services);
  }

  test("leaves nothing in memory", async () => {
    await untilCollected(await serveOnce());
  });
});

test("a service that has stopped removes its signal handlers", async () => {
  await using directory = await temporaryDirectory();
  const listeners = () => endings.map((signal) => process.listenerCount(signal));
  const before = listeners();
  const service = await serve(readConfig({ PORT: "0", DATA_DIR: directory.path, LOG_LEVEL: "silent" }));
  expect(listeners()).toEqual(before.map((count) => count + 1));
  await service.stop();
  expect(listeners()).toEqual(before);
});
