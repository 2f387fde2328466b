import type { Notification } from "@tandem/contract/notifications";
import { TEST_TYPE } from "@tandem/contract/webhooks";
import { excerptFields } from "../../events/notifications.ts";
import type { Db } from "../../storage/storage.ts";
import { excerptsOf } from "../notifications/excerpts.ts";
import type { Hook, Sending } from "./webhooks.queries.ts";

/**
 * The body of a webhook's message. What the notification quotes is added now and not stored, so that a retry doesn't send
 * a text that was deleted meanwhile.
 */
export async function messageBody(
  db: Db,
  { user_id }: Hook,
  { type, payload }: Sending,
  now: number,
): Promise<string> {
  if (type === TEST_TYPE) return payload;
  // Written by `enqueueForWebhooks` (events/outbox.ts).
  const message = JSON.parse(payload) as { data: Notification };
  const { id, postId: post_id, commentId: comment_id } = message.data;
  const excerpt = (await excerptsOf(db, user_id, [{ id, post_id, comment_id }], now)).get(id);
  return JSON.stringify({ ...message, data: { ...message.data, ...excerptFields(excerpt) } });
}
