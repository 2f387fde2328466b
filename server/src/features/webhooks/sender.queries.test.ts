import { HOUR } from "@tandem/contract/durations";
import type { Person } from "@tandem/testing/callers";
import { waitsForLock } from "@tandem/testing/locks";
import { until } from "@tandem/testing/ports";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enqueue } from "../../events/outbox.ts";
import { claim } from "../../jobs/queue.ts";
import { notTo, releaseHook, webhookQueue } from "./sender.queries.ts";
import { senderOf } from "./sender.ts";
import type { Destination, Hook } from "./webhooks.queries.ts";

const NOW = Date.UTC(2026, 5, 1);

describe.each(engines)("claiming webhooks on %s", (engine) => {
  let tandem: Tandem;
  let ada: Person;
  beforeAll(async () => {
    tandem = await startTandem(engine);
    // The tests claim webhooks themselves.
    await senderOf(tandem.services).stop();
    ada = await tandem.as.human();
  });
  afterAll(() => tandem.stop());

  async function claimOne(now: number, full: readonly Destination[] = []): Promise<Hook | null> {
    const also = notTo(full);
    const [hook = null] = await tandem.storage.write((tx) =>
      claim(tx, webhookQueue, { now, limit: 1, also }),
    );
    return hook;
  }

  /** A webhook with messages that have waited this long. */
  async function waiting(milliseconds: number, url = "https://hooks.example.org/"): Promise<number> {
    const { webhook } = await ada.createWebhook({ url });
    const at = NOW - milliseconds;
    await tandem.storage.write(async (tx) => {
      const row = { webhook_id: webhook.id, type: "test", payload: "{}", state: "waiting" } as const;
      for (const message_id of ["msg_1", "msg_2"])
        await tx
          .insertInto("webhook_deliveries")
          .values({ ...row, message_id, due_at: at, created_at: at })
          .execute();
      await tx.updateTable("webhooks").set({ due_at: at }).where("id", "=", webhook.id).execute();
    });
    return webhook.id;
  }

  test("alternates between webhooks, even if one has many old messages", async () => {
    const [old, young] = [await waiting(HOUR), await waiting(1000)];
    const turns: number[] = [];
    for (let now = NOW; now < NOW + 4; now++) {
      const hook = await claimOne(now);
      turns.push(hook?.id ?? 0);
      if (hook) await tandem.storage.write((tx) => releaseHook(tx, hook, now));
    }
    expect(turns).toEqual([old, young, old, young]);
  });

  test("skips webhooks of a destination that is at its limit", async () => {
    const busy = await waiting(HOUR, "https://BUSY.example.org:443?to=me");
    const free = await waiting(1000, "https://busy.example.org.example.net/");
    const full = [{ origin: "https://busy.example.org", kind: "server" }] as const;
    const claimed = async (places: readonly Destination[]) => (await claimOne(NOW, places))?.id;
    expect(await claimed(full)).toBe(free);
    expect(await claimed(full)).not.toBe(busy);
    expect(await claimed([{ ...full[0], kind: "browser" }])).toBe(busy);
    for (const id of [busy, free]) await ada.deleteWebhook({ id });
  });

  test("schedules a message that is added during the release", async () => {
    const { webhook } = await ada.createWebhook({ url: "https://hooks.example.org/" });
    const { storage } = tandem;
    const add = (at: number) =>
      storage.write((tx) => enqueue(tx, [webhook.id], [{ type: "test", at, data: {} }]));
    await add(NOW - 7_200_000);
    const hook = await claimOne(NOW);
    if (hook?.id !== webhook.id) throw new Error("another was claimed");
    let added = false;
    let adding: Promise<unknown> = Promise.resolve();
    await storage.write(async (tx) => {
      await tx.deleteFrom("webhook_deliveries").where("webhook_id", "=", hook.id).execute();
      await releaseHook(tx, hook, NOW);
      adding = add(NOW - HOUR).then(() => {
        added = true;
      });
      // On PostgreSQL, wait until the concurrent write blocks on the lock.
      if (engine === "postgres") await until(async () => added || (await waitsForLock(storage)));
    });
    await adding;
    const { due_at } = await storage.read
      .selectFrom("webhooks")
      .select("due_at")
      .where("id", "=", hook.id)
      .executeTakeFirstOrThrow();
    expect(due_at).toBe(NOW - HOUR);
  });
});
