import type { Notification, NotificationType } from "@tandem/contract/notifications";
import { creatorAddress, postAddress } from "../../shared/addresses.ts";

const own: Partial<Record<NotificationType, string>> = {
  friend_request: "/friends",
  key_revoked: "/keys",
  approval_wanted: "/drafts",
  draft_failed: "/drafts",
  webhook_disabled: "/settings/webhooks",
  moderation: "/standing",
};

/** Where all of them are. */
export const NOTICES = "/notifications";

/** The same as {@link placeOf}, down to the comment that it is about. */
export function addressOf(notice: Notification): string {
  const { commentId } = notice;
  return placeOf(notice) + (commentId === null ? "" : `#comment-${commentId}`);
}

/** Where the thing is that a notice tells of. */
export function placeOf({ type, postId, actor }: Notification): string {
  const place = own[type];
  if (place) return place;
  return postId === null
    ? creatorAddress({ platform: "native", author: actor.username })
    : postAddress(postId);
}
