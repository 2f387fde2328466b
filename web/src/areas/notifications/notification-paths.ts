import type { Notification, NotificationType } from "@tandem/contract/notifications";
import { communityAddress, creatorAddress, postAddress } from "../../shared/addresses.ts";

const pathsByType: Partial<Record<NotificationType, string>> = {
  friend_request: "/friends",
  key_revoked: "/keys",
  approval_wanted: "/drafts",
  draft_failed: "/drafts",
  webhook_disabled: "/settings/webhooks",
  moderation: "/standing",
};

type Subject = Pick<Notification, "type" | "postId" | "community" | "actor">;

export const NOTIFICATIONS_PATH = "/notifications";

/** Like {@link pagePathOf}, with the hash of the comment. */
export function pathOf(notification: Subject & Pick<Notification, "commentId">): string {
  const { commentId } = notification;
  return pagePathOf(notification) + (commentId === null ? "" : `#comment-${commentId}`);
}

/** The path of the page that a notification is about. */
export function pagePathOf({ type, postId, community, actor }: Subject): string {
  const path = pathsByType[type];
  if (path) return path;
  if (community !== null)
    return communityAddress(community) + (type === "community_reports" ? "/moderation" : "");
  return postId === null
    ? creatorAddress({ platform: "native", author: actor.username })
    : postAddress(postId);
}

/**
 * The same for a request that was decided, which is no longer where it waited: what it published, or else what agents and keys did;
 * for a friend request, who asked.
 */
export function decidedPathOf({ type, postId, actor }: Subject): string {
  if (type !== "approval_wanted") return creatorAddress({ platform: "native", author: actor.username });
  return postId === null ? "/agents" : postAddress(postId);
}
