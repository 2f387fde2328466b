import type { Storage } from "@tandem/server/storage/storage";
import type { Person } from "./callers.ts";

export interface Hooked {
  id: number;
  deliveryId: number;
}

/** Makes a person a webhook, their only one, that nobody sends from, and a delivery that has failed. */
export async function makeWebhook(storage: Storage, { user }: Person, now = Date.now()): Promise<Hooked> {
  const hook = {
    owner_id: user.id,
    user_id: user.id,
    url: "https://example.org/hook",
    secret: `whsec_${Buffer.alloc(32).toString("base64")}`,
    state: "working",
    // In another's hands, for good.
    holder: "nobody",
    held_until: Number.MAX_SAFE_INTEGER,
    created_at: now,
  } as const;
  const tried = {
    attempts: 1,
    status: 500,
    error: "It was answered with 500.",
    tried_at: now,
    created_at: now,
  };
  return storage.write(async (tx) => {
    await tx.deleteFrom("webhooks").where("owner_id", "=", user.id).execute();
    const { id } = await tx.insertInto("webhooks").values(hook).returning("id").executeTakeFirstOrThrow();
    const delivery = await tx
      .insertInto("webhook_deliveries")
      .values({ webhook_id: id, message_id: "msg_1", type: "test", payload: "{}", state: "failed", ...tried })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { id, deliveryId: delivery.id };
  });
}
