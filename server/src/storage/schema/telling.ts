import type { NotificationType } from "@tandem/contract/notifications";
import type { Delivery, DeliveryState, WebhookState } from "@tandem/contract/webhooks";
import type { Generated } from "kysely";

export interface NotificationRow {
  id: Generated<number>;
  user_id: number;
  type: NotificationType;
  actor_id: number;
  post_id: number | null;
  comment_id: number | null;
  /** Null but for a key that was revoked. */
  key_hint: string | null;
  /** Null but for what a moderator decided. */
  decision_id: Generated<number | null>;
  /** Null but for what became of a draft. */
  draft_id: Generated<number | null>;
  created_at: number;
}

export interface WebhookRow {
  id: Generated<number>;
  /** Who looks after it. */
  owner_id: number;
  /** Whose notifications are sent: the owner's, or those of an agent of the owner's. */
  user_id: number;
  url: string;
  /** Comma-separated; null for all. */
  types: string | null;
  secret: string;
  old_secret: string | null;
  old_secret_until: number | null;
  state: WebhookState;
  failing_since: number | null;
  /** When the first of its deliveries is due; null while none waits. */
  due_at: number | null;
  /** Who sends just now, and until when nobody else does. */
  holder: string | null;
  held_until: number | null;
  created_at: number;
}

export interface DeliveryRow {
  id: Generated<number>;
  webhook_id: number;
  message_id: string;
  type: Delivery["type"];
  /** The body, as every try sends it. */
  payload: string;
  state: DeliveryState;
  attempts: Generated<number>;
  /** When it is tried next; null once it isn't any more. */
  due_at: number | null;
  status: number | null;
  error: string | null;
  tried_at: number | null;
  created_at: number;
}
