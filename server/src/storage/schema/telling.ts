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

/** Where notifications are sent: a server of somebody's own, or a browser, by way of its push service. */
export interface WebhookRow {
  id: Generated<number>;
  /** Who looks after it. */
  owner_id: number;
  /** Whose notifications are sent: the owner's, or those of an agent of the owner's. */
  user_id: number;
  url: string;
  /** Comma-separated; null for all. */
  types: string | null;
  /** What it shares with us: what its messages are signed with; of a browser, a part of what they are encrypted with. */
  secret: string;
  old_secret: string | null;
  old_secret_until: number | null;
  state: WebhookState;
  failing_since: number | null;
  /** When the first of its deliveries is due; null if none is waiting. */
  due_at: number | null;
  holder: string | null;
  lease_ends_at: number | null;
  created_at: number;
  /** Of a browser, the session that it is signed in by, and with which it goes; null for a server. */
  session_id: Generated<number | null>;
  /** Of a browser, the key that its messages are encrypted for (P-256), in base64url. */
  public_key: Generated<string | null>;
}

export interface DeliveryRow {
  id: Generated<number>;
  webhook_id: number;
  message_id: string;
  type: Delivery["type"];
  /** The body, as every try sends it; for a browser, from which notification on it is told what is new. */
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
