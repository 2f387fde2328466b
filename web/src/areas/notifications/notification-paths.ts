import type { ApprovableOperation } from "@tandem/contract/approval";
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

/** What changes the profile of who asked. */
const ofProfile: ReadonlySet<ApprovableOperation> = new Set([
  "editProfile",
  "setAvatar",
  "setBanner",
  "deleteBanner",
]);

/**
 * The same for a request that was decided, which is no longer where it waited: what it published or was about, or else what agents and
 * keys did; for a change of the profile and a friend request, who asked.
 */
export function decidedPathOf({
  type,
  postId,
  actor,
  approval,
}: Subject & Pick<Notification, "approval">): string {
  if (type !== "approval_wanted" || (approval && ofProfile.has(approval.operation)))
    return creatorAddress({ platform: "native", author: actor.username });
  return postId === null ? "/agents" : postAddress(postId);
}
