import type { Person } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimHook, letGo } from "./sender.queries.ts";

const NOW = Date.UTC(2026, 5, 1);

describe.each(engines)("whose turn it is to send, on %s", (engine) => {
  let tandem: Tandem;
  let ada: Person;
  beforeAll(async () => {
    tandem = await startTandem(engine);
    ada = await tandem.as.human();
  });
  afterAll(() => tandem.stop());

  /** A webhook with messages that have waited for so long. */
  async function waiting(milliseconds: number): Promise<number> {
    const { webhook } = await ada.createWebhook({ url: "https://hooks.example.org/" });
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

  test("one with much to send doesn't come before those that had no turn yet, however old its messages", async () => {
    const [old, young] = [await waiting(3_600_000), await waiting(1000)];
    const turns: number[] = [];
    for (let now = NOW; now < NOW + 4; now++) {
      const hook = await tandem.storage.write((tx) => claimHook(tx, { now, holder: "me", lease: 1000 }));
      turns.push(hook?.id ?? 0);
      if (hook) await tandem.storage.write((tx) => letGo(tx, hook, now));
    }
    expect(turns).toEqual([old, young, old, young]);
  });
});
