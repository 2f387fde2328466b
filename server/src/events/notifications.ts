import type { ApprovableOperation } from "@tandem/contract/approval";
import type { ApprovalState } from "@tandem/contract/drafts";
import type { Notification, NotificationType } from "@tandem/contract/notifications";
import type { Provenance, ProvenanceBasis } from "@tandem/contract/provenance";
import type { Role } from "@tandem/contract/resources";
import { sql } from "kysely";
import type { Db } from "../storage/storage.ts";

interface NotificationWithActor {
  id: number;
  type: NotificationType;
  post_id: number | null;
  comment_id: number | null;
  key_hint: string | null;
  decision_id: number | null;
  draft_id: number | null;
  approval_operation: ApprovableOperation | null;
  approval_state: ApprovalState | null;
  community: string | null;
  by_ai: number;
  opened: number;
  created_at: number;
  username: string;
  display_name: string | null;
  avatar_url: string | null;
  role: Role;
}

/** Notifications with their actors; add your own conditions and order. */
export function selectNotifications(db: Db) {
  return db
    .selectFrom("notifications as n")
    .innerJoin("users as actor", "actor.id", "n.actor_id")
    .leftJoin("communities as c", "c.id", "n.community_id")
    .leftJoin("drafts as d", (join) =>
      join
        .onRef("d.id", "=", "n.draft_id")
        .on("n.type", "=", "approval_wanted")
        .on("d.state", "=", "pending"),
    )
    .leftJoin("draft_decisions as decided", (join) =>
      join.onRef("decided.draft_id", "=", "n.draft_id").on("n.type", "=", "approval_wanted"),
    )
    .select([
      "n.id",
      "n.type",
      "n.key_hint",
      "n.decision_id",
      "n.draft_id",
      "n.by_ai",
      "n.opened",
      "n.created_at",
    ])
    .select((eb) => [
      aboutOrDecided("post_id").as("post_id"),
      aboutOrDecided("comment_id").as("comment_id"),
      eb.fn.coalesce("d.operation", "decided.operation").as("approval_operation"),
      // It may wait again, such as a post that was approved and couldn't be published.
      sql<ApprovalState | null>`coalesce(d.state, decided.decision)`.as("approval_state"),
    ])
    .select("c.name as community")
    .select(["actor.username", "actor.display_name", "actor.avatar_url", "actor.role"]);
}

/** What a notification is about, or else what the request for approval published or was about, once that is decided. */
function aboutOrDecided(column: "post_id" | "comment_id") {
  const [own, decided] = [sql.ref(`n.${column}`), sql.ref(`decided.${column}`)];
  return sql<number | null>`coalesce(${own}, case when d.id is null then ${decided} end)`;
}

/** What a notification or report quotes, and who wrote that; null if it is no one's text. */
export interface Excerpt {
  text: string;
  provenance: Provenance | null;
  provenanceBasis: ProvenanceBasis | null;
}

/** The fields about what a notification or report quotes. */
export const excerptFields = (excerpt: Excerpt | undefined) => ({
  excerpt: excerpt?.text ?? null,
  excerptProvenance: excerpt?.provenance ?? null,
  excerptProvenanceBasis: excerpt?.provenanceBasis ?? null,
});

/** Whether a reader who has read everything up to `readUpTo` hasn't read this notification. */
export const isUnread = (
  { id, opened }: Pick<NotificationWithActor, "id" | "opened">,
  readUpTo: number,
): boolean => id > readUpTo && opened === 0;

/** A notification for a reader who has read everything up to `readUpTo`. */
export function asNotification(
  row: NotificationWithActor,
  readUpTo: number,
  excerpt?: Excerpt,
): Notification {
  return {
    id: row.id,
    type: row.type,
    actor: {
      username: row.username,
      displayName: row.display_name,
      avatarUrl: row.avatar_url,
      isAgent: row.role === "agent",
    },
    byAi: row.by_ai === 1,
    postId: row.post_id,
    commentId: row.comment_id,
    ...excerptFields(excerpt),
    keyHint: row.key_hint,
    decisionId: row.decision_id,
    community: row.community,
    draftId: row.draft_id,
    approval: approvalOf(row),
    read: !isUnread(row, readUpTo),
    createdAt: new Date(row.created_at).toISOString(),
  };
}

function approvalOf({ approval_operation: operation, approval_state: state }: NotificationWithActor) {
  return operation && state && { operation, state };
}
