import type { NotificationType } from "@tandem/contract/notifications";
import { useQuery } from "@tanstack/react-query";
import {
  AtSign,
  ClipboardCheck,
  Heart,
  KeyRound,
  MessageCircle,
  Reply,
  Scale,
  TriangleAlert,
  UserCheck,
  UserPlus,
  Webhook,
} from "lucide-react";
import type { ComponentType } from "react";
import { postQuery } from "../../data/posts.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { AgentBadge } from "../../ui/agent-badge.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Link } from "../../ui/link.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { Time } from "../../ui/time.tsx";
import { useNearViewport } from "../../ui/use-near-viewport.ts";
import type { NotificationGroup } from "./groups.ts";
import { pagePathOf } from "./notification-paths.ts";

const icons: Record<NotificationType, ComponentType<{ className?: string; "aria-hidden"?: "true" }>> = {
  friend_request: UserPlus,
  friend_accept: UserCheck,
  comment: MessageCircle,
  reply: Reply,
  post_like: Heart,
  comment_like: Heart,
  key_revoked: KeyRound,
  approval_wanted: ClipboardCheck,
  draft_failed: TriangleAlert,
  mention: AtSign,
  webhook_disabled: Webhook,
  moderation: Scale,
};

const warnings: ReadonlySet<NotificationType> = new Set([
  "key_revoked",
  "draft_failed",
  "webhook_disabled",
  "moderation",
]);

/** The most avatars to show in a group. */
const MAX_AVATARS = 4;

/** A notification, as a sentence that links to its subject. */
export function NotificationItem({ group: { latest, actors, read } }: { group: NotificationGroup }) {
  const { t } = useText();
  const { type, postId, commentId, excerpt, createdAt, keyHint } = latest;
  const [actor] = actors;
  const Icon = icons[type];
  const iconClass = warnings.has(type)
    ? "bg-danger-soft text-danger"
    : type.endsWith("_like")
      ? "bg-person-soft text-like"
      : "bg-accent-soft text-accent";
  return (
    <li
      className={`relative flex animate-[appear_0.2s] gap-3 p-4 transition hover:bg-sunken ${read ? "" : "bg-accent-soft/40"}`}
    >
      <span className={`grid size-9 shrink-0 place-items-center rounded-full ${iconClass}`}>
        <Icon className="size-4.5" aria-hidden="true" />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <div className="flex items-center gap-1.5">
          {actors.slice(0, MAX_AVATARS).map(({ username, displayName, avatarUrl, isAgent }) => (
            <Avatar
              key={username}
              name={displayName ?? username}
              src={avatarUrl}
              isAgent={isAgent}
              size="small"
            />
          ))}
          {actor?.isAgent && actors.length === 1 && <AgentBadge />}
          {latest.byAi && !actor?.isAgent && (
            <ProvenanceBadge provenance="ai_generated" provenanceBasis="stamped" short />
          )}
          <Time at={createdAt} className="ms-auto text-sm text-soft" />
        </div>
        <p className="theirs">
          <Link
            to={pagePathOf(latest)}
            hash={commentId === null ? undefined : `comment-${commentId}`}
            className={`after:absolute after:inset-0 ${read ? "" : "font-medium"}`}
          >
            <RichText
              text={`notifications.${type}`}
              values={{
                name: actor?.displayName ?? actor?.username ?? "",
                others: actors.length - 1,
                key: keyHint ?? "",
              }}
              parts={{ b: <b className="font-bold" /> }}
            />
          </Link>
          {!read && <span className="sr-only"> {t("notifications.new")}</span>}
        </p>
        {excerpt !== null && <p className="theirs line-clamp-2 text-soft">{excerpt}</p>}
        {postId !== null && commentId !== null && <PostTitle postId={postId} />}
      </div>
      {!read && <span aria-hidden="true" className="mt-1 size-2.5 shrink-0 rounded-full bg-accent" />}
    </li>
  );
}

/** The post that a comment is on, loaded when the notification is near the viewport. Its line is reserved. */
function PostTitle({ postId }: { postId: number }) {
  const [ref, isNear] = useNearViewport<HTMLParagraphElement>();
  const { data: post } = useQuery({ ...postQuery(useApi(), postId), enabled: isNear });
  return (
    <p ref={ref} className="theirs line-clamp-1 min-h-5 text-sm text-soft">
      {post && (post.title ?? post.body)}
    </p>
  );
}
