import type { Notification, NotificationType } from "@tandem/contract/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import {
  AtSign,
  BadgeCheck,
  ChartBarBig,
  ClipboardCheck,
  Crown,
  Flag,
  Heart,
  KeyRound,
  MessageCircle,
  Quote,
  Repeat2,
  Reply,
  Scale,
  Shield,
  TriangleAlert,
  UserCheck,
  UserPlus,
  Webhook,
} from "lucide-react";
import { type ComponentType, useRef } from "react";
import { pendingDraftsQuery } from "../../data/agents.ts";
import { markAsRead, refreshNotifications } from "../../data/notifications.ts";
import { friendRequestsQuery } from "../../data/people.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import { AgentBadge } from "../../ui/agent-badge.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { ExcerptBadge } from "../../ui/excerpt-badge.tsx";
import { Link } from "../../ui/link.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { Time } from "../../ui/time.tsx";
import { RequestButtons } from "../people/request-buttons.tsx";
import { DecisionSentence } from "./decision-sentence.tsx";
import { DraftRequest } from "./draft-request.tsx";
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
  repost: Repeat2,
  mention: AtSign,
  quote: Quote,
  poll_closed: ChartBarBig,
  community_owner: Crown,
  community_moderator: Shield,
  community_approval: BadgeCheck,
  community_reports: Flag,
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
const MAX_AVATARS = 3;

/**
 * A notification on one line, or on phones on two: a sentence that links to its subject, and the beginning of what it is about. Without
 * space, first the handle is cut, then the rest of the names, and what it is about is left out; what was done never is. Sentences that are
 * too long wrap. What asks for a decision has buttons.
 */
export function NotificationItem({ group: { ids, latest, actors, read } }: { group: NotificationGroup }) {
  const { t } = useText();
  const api = useApi();
  const queryClient = useQueryClient();
  const open = () => {
    if (!read) void markAsRead(api, queryClient, ids);
  };
  const item = useRef<HTMLLIElement>(null);
  const { type, commentId, excerpt, createdAt } = latest;
  const Icon = icons[type];
  const color = warnings.has(type) ? "text-danger" : type.endsWith("_like") ? "text-like" : "text-accent";
  const isLong = longSentences.has(type);
  // With its mark and its count, it fills two lines of a phone, so what it is about goes below.
  const isWide = latest.actor.isAgent && actors.length > 1;
  return (
    <li
      ref={item}
      className={`relative flex animate-[appear_0.2s] gap-3 py-2.5 ps-4 pe-4 transition hover:bg-sunken ${read ? "" : "bg-accent-soft/40"}`}
    >
      {!read && (
        <span
          aria-hidden="true"
          className="absolute start-1 top-5.5 size-2 rounded-full bg-accent forced-color-adjust-none"
        />
      )}
      <span className="relative flex shrink-0 items-start sm:gap-3">
        {/* On phones, at the corner of the picture. */}
        <span
          className={`grid shrink-0 place-items-center max-sm:absolute max-sm:top-5 max-sm:-end-1.5 max-sm:z-3 max-sm:size-5 max-sm:rounded-full max-sm:bg-surface sm:h-8 sm:w-5 ${color}`}
        >
          <Icon className="size-3.5 sm:size-4.5" aria-hidden="true" />
        </span>
        <Avatars actors={actors} />
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-0.5">
        <div
          className={`min-w-0 flex-1 basis-0 ${isLong || excerpt === null ? "" : isWide ? "max-md:line-clamp-3" : "max-md:line-clamp-2 max-[23rem]:line-clamp-3"}`}
        >
          <p
            className={`theirs leading-6 md:leading-8 ${isLong ? "" : "md:flex md:items-center md:gap-x-1.5"}`}
          >
            <Time
              isAge
              at={createdAt}
              className="float-end ms-3 text-sm leading-6 text-soft md:order-last md:leading-8 md:ms-auto md:ps-1.5"
            />
            <Link
              to={pagePathOf(latest)}
              hash={commentId === null ? undefined : `comment-${commentId}`}
              onClick={open}
              onAuxClick={({ button }) => button === 1 && open()}
              className={`after:absolute after:inset-0 ${isLong ? "" : "md:flex md:items-center md:gap-x-1"} ${read ? "" : "font-medium"}`}
            >
              <Sentence notification={latest} others={actors.length - 1} />
            </Link>
            {!read && <span className="sr-only"> {t("notifications.new")}</span>}
            {excerpt !== null && (
              <>
                {!isSaidToBeAi(latest) && (
                  <>
                    {" "}
                    <ExcerptBadge {...latest} />
                  </>
                )}
                {/* The space lets the line end here. */}{" "}
                <span
                  className={`text-soft ${isLong ? "theirs" : "max-md:theirs md:theirs-line md:min-w-0 md:flex-[1_1_0]"}`}
                >
                  {excerpt}
                </span>
              </>
            )}
          </p>
        </div>
        <Request
          notification={latest}
          onDone={() => {
            open();
            item.current?.querySelector("a")?.focus();
          }}
        />
      </div>
    </li>
  );
}

/** What is told in more than who did what, so that it may not fit on a line. */
const longSentences: ReadonlySet<NotificationType> = new Set([
  "key_revoked",
  "draft_failed",
  "community_owner",
  "community_moderator",
  "community_approval",
  "community_reports",
  "webhook_disabled",
  "moderation",
]);

/** What the actor wrote by doing it, so that the mark of the actor covers it. */
const writings: ReadonlySet<NotificationType> = new Set(["comment", "reply", "mention", "quote"]);

/** Whether the sentence says that AI wrote what it quotes. */
const isSaidToBeAi = ({ type, actor, byAi }: Notification) => (byAi || actor.isAgent) && writings.has(type);

/** Pictures of those who did it, the latest in front. */
function Avatars({ actors }: Pick<NotificationGroup, "actors">) {
  return (
    <span className="flex shrink-0 self-start">
      {actors.slice(0, MAX_AVATARS).map(({ username, displayName, avatarUrl, isAgent }, index) => (
        <span
          key={username}
          className={`relative rounded-full ring-2 ring-surface ${index > 0 ? "-ms-4 max-sm:hidden" : ""} ${["z-2", "z-1", "z-0"][index]}`}
        >
          <Avatar name={displayName ?? username} src={avatarUrl} isAgent={isAgent} size="small" />
        </span>
      ))}
    </span>
  );
}

/** Who did what, with the mark of an agent next to its name. */
function Sentence({ notification, others }: { notification: Notification; others: number }) {
  const { type, actor, keyHint, community } = notification;
  const name = actor.displayName ?? `@${actor.username}`;
  // What is about a community names that instead of the actor.
  const parts = {
    b: type.startsWith("community_") ? <b className="theirs font-bold" /> : <ActorName {...notification} />,
  };
  if (type === "moderation")
    return <DecisionSentence notification={notification} name={name} parts={parts} />;
  return (
    <RichText
      text={`notifications.${type}`}
      values={{ name, others, key: keyHint ?? "", community: community ?? "" }}
      parts={parts}
    />
  );
}

function ActorName({
  actor: { username, displayName, isAgent },
  byAi,
}: Pick<Notification, "actor" | "byAi">) {
  return (
    <>
      {/* The handle is cut first, and left out if not even three letters have space. On phones, the time is next to them, in Arabic also the verb. */}
      <span className="inline-grid h-6 max-w-[calc(100%-4.5rem)] grid-cols-[minmax(min-content,max-content)_minmax(0,max-content)] overflow-hidden align-bottom leading-6 md:max-w-none md:shrink-[1000000] rtl:max-md:max-w-[calc(100%-7.5rem)]">
        <b className="theirs-line max-w-40 font-bold md:max-w-56">{displayName ?? `@${username}`}</b>
        {displayName !== null && (
          <>
            {" "}
            <span className="flex flex-wrap">
              <span className="h-6" />
              <span className="theirs-line max-w-max min-w-[4ch] flex-[1_0_4ch] ps-1.5 font-normal text-soft">
                @{username}
              </span>
            </span>
          </>
        )}
      </span>
      {isAgent && (
        <>
          {" "}
          <AgentBadge />
        </>
      )}
      {byAi && !isAgent && (
        <>
          {" "}
          <ProvenanceBadge provenance="ai_generated" provenanceBasis="stamped" short />
        </>
      )}
    </>
  );
}

/** What the reader is asked to decide, above the link that covers the line. */
function Request({ notification, onDone }: { notification: Notification; onDone(): void }) {
  const { t } = useText();
  const api = useApi();
  const queryClient = useQueryClient();
  const { type, draftId, actor } = notification;
  const { data: drafts } = useQuery({ ...pendingDraftsQuery(api), enabled: type === "approval_wanted" });
  const { data: requests } = useQuery({ ...friendRequestsQuery(api), enabled: type === "friend_request" });
  const draft = type === "approval_wanted" ? drafts?.find(({ id }) => id === draftId) : undefined;
  const request =
    type === "friend_request" ? requests?.incoming.find(({ from }) => from === actor.username) : undefined;
  const finish = () => {
    onDone();
    void refreshNotifications(queryClient);
  };
  if (draft) return <DraftRequest draft={draft} onDone={finish} />;
  if (type === "approval_wanted" && drafts)
    return <span className="text-sm text-soft">{t("notifications.notPending")}</span>;
  if (!request) return null;
  const name = fullName(actor.username, actor.displayName);
  return (
    <div className="relative my-1 flex gap-2 max-md:basis-full md:my-0 md:shrink-0">
      <RequestButtons id={request.id} name={name} size="small" onDone={finish} />
    </div>
  );
}
