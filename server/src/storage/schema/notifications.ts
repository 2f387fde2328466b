import type { NotificationType } from "@tandem/contract/notifications";
import type { Delivery, DeliveryState, StoredWebhookState } from "@tandem/contract/webhooks";
import type { Generated } from "kysely";

export interface NotificationRow {
  id: Generated<number>;
  user_id: number;
  type: NotificationType;
  actor_id: number;
  post_id: number | null;
  comment_id: number | null;
  /** The hint of a revoked key, in notifications about it. */
  key_hint: string | null;
  /** The moderator's decision, in notifications about one. */
  decision_id: Generated<number | null>;
  /** The draft, in notifications about one. */
  draft_id: Generated<number | null>;
  /** The community, in notifications about one. */
  community_id: Generated<number | null>;
  /** Whether a key or agent caused it. */
  by_ai: Generated<number>;
  /** Whether it was marked as read by itself. It is also read if its id is at most the account's `read_upto`. */
  opened: Generated<number>;
  created_at: number;
}

/** A target for notifications: a user's server, or a browser by way of its push service. */
export interface WebhookRow {
  id: Generated<number>;
  /** The person who is responsible for it. */
  owner_id: number;
  /** The account whose notifications are sent: the owner, or an agent of the owner. */
  user_id: number;
  url: string;
  /** Comma-separated; null for all. */
  types: string | null;
  /** The shared secret: signs deliveries to a server; for a browser, its `auth` secret for the encryption of pushes. */
  secret: string;
  /** The secret before a rotation, valid until `old_secret_until`. */
  old_secret: string | null;
  old_secret_until: number | null;
  state: StoredWebhookState;
  failing_since: number | null;
  /** When the URL first took a message; null until then. Of a browser, always null. */
  confirmed_at: Generated<number | null>;
  /** When the first of its deliveries is due; null if none is waiting. */
  due_at: number | null;
  holder: string | null;
  lease_ends_at: number | null;
  created_at: number;
  /** The key that created it, with which it is deleted; null if a session did. */
  key_id: Generated<number | null>;
  /** A browser's session, with which the subscription is deleted; null for a server. */
  session_id: Generated<number | null>;
  /** A browser's public key (P-256) for the encryption of pushes, in base64url; null for a server. */
  public_key: Generated<string | null>;
}

/** A notification to deliver to one webhook. */
export interface DeliveryRow {
  id: Generated<number>;
  webhook_id: number;
  message_id: string;
  type: Delivery["type"];
  /** The body, the same in every attempt. For a browser it has the id of the first notification to include. */
  payload: string;
  state: DeliveryState;
  attempts: Generated<number>;
  /** When it is tried next; null once it was delivered or has failed. */
  due_at: number | null;
  status: number | null;
  error: string | null;
  tried_at: number | null;
  created_at: number;
}
