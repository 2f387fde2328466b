import { tokenHash } from "@tandem/server/http/credential";
import type { Storage } from "@tandem/server/storage/storage";
import type { AgentCaller, Person } from "./callers.ts";

export interface WebhookFixtures {
  id: number;
  deliveryId: number;
  /** The push subscription of their session. */
  browserId: number;
}

/** A browser's push subscription, different for each name, with the key of RFC 8291's example. */
export const pushSubscriptionOf = (name: string) => ({
  endpoint: `https://push.example.org/send/${name}`,
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
});

/**
 * Replaces a person's webhooks with one webhook, one push subscription and a failed delivery. Nothing is sent to them. The
 * webhook is the agent's, and created with its key, if there is one.
 */
export async function makeWebhook(
  storage: Storage,
  person: Person,
  { agent, now = Date.now() }: { agent?: AgentCaller; now?: number } = {},
): Promise<WebhookFixtures> {
  const { id: owner } = person.user;
  const { endpoint, p256dh, auth } = pushSubscriptionOf(person.user.username);
  const common = {
    owner_id: owner,
    user_id: owner,
    state: "working",
    // Leased forever, so that nothing is sent.
    holder: "test",
    lease_ends_at: Number.MAX_SAFE_INTEGER,
    created_at: now,
  } as const;
  const hook = {
    ...common,
    ...(agent && { user_id: agent.agent.id, key_id: agent.keyId }),
    url: "https://example.org/hook",
    secret: `whsec_${Buffer.alloc(32).toString("base64")}`,
  };
  const tried = {
    attempts: 1,
    status: 500,
    error: "The receiver responded with status 500.",
    tried_at: now,
    created_at: now,
  };
  return storage.write(async (tx) => {
    await tx.deleteFrom("webhooks").where("owner_id", "=", owner).execute();
    const session = await tx
      .selectFrom("sessions")
      .select("id as session_id")
      .where("token_hash", "=", tokenHash(String(person.options.headers?.cookie?.split("=")[1])))
      .executeTakeFirstOrThrow();
    const browser = { ...common, ...session, url: endpoint, secret: auth, public_key: p256dh };
    const { id } = await tx.insertInto("webhooks").values(hook).returning("id").executeTakeFirstOrThrow();
    const { id: browserId } = await tx
      .insertInto("webhooks")
      .values(browser)
      .returning("id")
      .executeTakeFirstOrThrow();
    const delivery = await tx
      .insertInto("webhook_deliveries")
      .values({ webhook_id: id, message_id: "msg_1", type: "test", payload: "{}", state: "failed", ...tried })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { id, deliveryId: delivery.id, browserId };
  });
}
