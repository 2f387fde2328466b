import type { Draft } from "@tandem/contract/drafts";
import { limits } from "@tandem/contract/limits";
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
import { AccountNames } from "../../ui/byline.tsx";
import { ExcerptBadge } from "../../ui/excerpt-badge.tsx";
import { Link } from "../../ui/link.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { isLongAge, Time, useNow } from "../../ui/time.tsx";
import { RequestButtons } from "../people/request-buttons.tsx";
import { DecisionSentence } from "./decision-sentence.tsx";
import { DraftRequest } from "./draft-request.tsx";
import type { NotificationGroup } from "./groups.ts";
import { decidedPathOf, pagePathOf } from "./notification-paths.ts";

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

/** The least that a row shows of what it is about, in characters: less says nothing. */
const LEAST_EXCERPT = 8;

/**
 * A notification on one line, or on phones on two: a sentence that links to its subject, and the beginning of what it is about. Without
 * space, what it is about is left out, and the names are cut, the handle first; what was done never is. Sentences that are too long
 * wrap. What asks for a decision has buttons until it is decided, and says then what was decided, and below that on what.
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
  // What the name leaves to the age next to it on phones: too little would put the age on a line of its own.
  const isOld = isLongAge(Date.parse(createdAt), useNow());
  const request = useRequest(latest);
  const isLong = longSentences.has(type);
  // What was decided leaves no space next to it for what it was about.
  const isBelow = type === "approval_wanted" && request === "decided";
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
          className={`min-w-0 flex-1 basis-0 ${isLong || isBelow || excerpt === null ? "" : "max-md:line-clamp-2 max-[23rem]:line-clamp-3"}`}
        >
          <p
            className={`theirs leading-6 md:leading-8 ${isOld ? "[--age:7.5rem]" : "[--age:4.5rem]"} ${isLong ? "" : "md:flex md:items-center md:gap-x-1.5"}`}
          >
            <Time
              isAge
              at={createdAt}
              className="float-end ms-3 text-sm leading-6 text-soft md:order-last md:leading-8 md:ms-auto md:ps-1.5"
            />
            <Link
              to={request === "decided" ? decidedPathOf(latest) : pagePathOf(latest)}
              hash={commentId === null ? undefined : `comment-${commentId}`}
              onClick={open}
              onAuxClick={({ button }) => button === 1 && open()}
              className={`after:absolute after:inset-0 ${isLong ? "" : "md:flex md:items-center md:gap-x-1"} ${read ? "" : "font-medium"}`}
            >
              <Sentence notification={latest} others={actors.length - 1} isDecided={request === "decided"} />
            </Link>
            {!read && <span className="sr-only"> {t("notifications.new")}</span>}
            {excerpt !== null && !isBelow && (
              <>
                {!isSaidToBeAi(latest) && (
                  <>
                    {" "}
                    <ExcerptBadge {...latest} />
                  </>
                )}
                {/* The space lets the line end here. */} <Excerpt text={excerpt} isLong={isLong} />
              </>
            )}
          </p>
          {excerpt !== null && isBelow && (
            <p className="flex min-w-0 items-center gap-x-1.5 leading-6">
              <ExcerptBadge {...latest} />
              <span className="theirs-line min-w-0 text-soft">{excerpt}</span>
            </p>
          )}
        </div>
        <Request
          request={request}
          onDone={() => {
            open();
            item.current?.querySelector("a")?.focus();
          }}
        />
      </div>
    </li>
  );
}

/** What it is about, if there is space for its beginning. */
function Excerpt({ text, isLong }: { text: string; isLong: boolean }) {
  if (isLong) return <span className="theirs text-soft">{text}</span>;
  const characters = Array.from(text);
  const beginning = characters.slice(0, LEAST_EXCERPT).join("");
  return (
    // One line high: an excerpt without space for its beginning moves to the next line, which is cut off.
    <span className="text-soft md:flex md:h-8 md:min-w-0 md:flex-[1_1_0] md:flex-wrap md:overflow-hidden">
      <span className="md:h-8" />
      <span className="max-md:theirs md:theirs-line md:max-w-max md:min-w-[8ch] md:flex-[1_0_8ch]">
        <span className="whitespace-nowrap">{beginning}</span>
        {characters.slice(LEAST_EXCERPT).join("")}
      </span>
    </span>
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
function Sentence({
  notification,
  others,
  isDecided,
}: {
  notification: Notification;
  others: number;
  isDecided: boolean;
}) {
  const { t } = useText();
  const { type, actor, keyHint, community, approval } = notification;
  const name = actor.displayName ?? `@${actor.username}`;
  // What is about a community names that instead of the actor.
  const parts = {
    b: type.startsWith("community_") ? <b className="theirs font-bold" /> : <ActorName {...notification} />,
  };
  if (type === "moderation")
    return <DecisionSentence notification={notification} name={name} parts={parts} />;
  if (isDecided && type === "friend_request")
    return <RichText text="notifications.acceptedRequest" values={{ name }} parts={parts} />;
  if (isDecided)
    return (
      <RichText
        text="notifications.decidedDraft"
        values={{
          name,
          decision: approval?.state ?? "",
          kind: approval ? t(`composer.kind.${approval.operation}`) : "",
        }}
        parts={parts}
      />
    );
  return (
    <RichText
      text={`notifications.${type}`}
      values={{ name, others, key: keyHint ?? "", community: community ?? "" }}
      parts={parts}
    />
  );
}

/** Both names with the mark. On phones, the mark of who asks for a decision may be on the next line: the name needs the space. */
function ActorName({
  type,
  actor: { username, displayName, isAgent },
  byAi,
}: Pick<Notification, "type" | "actor" | "byAi">) {
  const isRequest = type === "approval_wanted" || type === "friend_request";
  return (
    // On phones next to the time. In Arabic also next to the verb, and its mark of an agent is long, so it may be on the next line.
    <span
      className={`inline-flex max-w-[calc(100%-var(--age))] min-w-0 items-center gap-x-1.5 align-bottom leading-6 md:my-1 md:max-w-none md:shrink-[1000000] ${isRequest ? "max-md:contents" : "rtl:max-md:contents"}`}
    >
      <AccountNames
        name={displayName ?? `@${username}`}
        nameClass="font-bold"
        maxClass={
          displayName === null
            ? "max-w-full"
            : `${isRequest ? "max-w-[calc(100%-var(--handle))]" : "max-w-[min(10rem,calc(100%-var(--handle)))]"} md:max-w-[min(14rem,calc(100%-var(--handle)))]`
        }
        handle={displayName === null ? null : username}
        className={`align-bottom ${isRequest ? "max-md:max-w-[calc(100%-var(--age))]" : "rtl:max-md:max-w-[calc(100%-var(--age)-3rem)]"}`}
      />{" "}
      {isAgent && <AgentBadge />}
      {byAi && !isAgent && <ProvenanceBadge provenance="ai_generated" provenanceBasis="stamped" short />}
    </span>
  );
}

/**
 * What the reader is asked to decide, "decided" if it no longer waits for that, or null. A friend request's notification is
 * deleted when the request is declined or the friendship ends, so one that is no longer pending was accepted.
 */
function useRequest({
  type,
  draftId,
  approval,
  actor,
  createdAt,
}: Notification): "decided" | RequestProps | null {
  const api = useApi();
  const isPending = approval?.state === "pending";
  const { data: drafts } = useQuery({ ...pendingDraftsQuery(api), enabled: isPending });
  const { data: requests, dataUpdatedAt } = useQuery({
    ...friendRequestsQuery(api),
    enabled: type === "friend_request",
  });
  if (type === "approval_wanted" && !isPending) return "decided";
  if (isPending && drafts) {
    const draft = drafts.find(({ id }) => id === draftId);
    return draft ? { draft } : "decided";
  }
  if (type !== "friend_request" || !requests) return null;
  const found = requests.incoming.find(({ from }) => from === actor.username);
  if (found) return { requestId: found.id, name: fullName(actor.username, actor.displayName) };
  // A full list may lack older requests, and one that isn't fetched again yet lacks new ones.
  const isListed = requests.incoming.length < limits.longList && dataUpdatedAt > Date.parse(createdAt);
  return isListed ? "decided" : null;
}

type RequestProps = { draft: Draft } | { requestId: number; name: string };

/** The buttons to decide, above the link that covers the line. */
function Request({ request, onDone }: { request: ReturnType<typeof useRequest>; onDone(): void }) {
  const queryClient = useQueryClient();
  const finish = () => {
    onDone();
    void refreshNotifications(queryClient);
  };
  if (request === null || request === "decided") return null;
  if ("draft" in request) return <DraftRequest draft={request.draft} onDone={finish} />;
  const { requestId, name } = request;
  return (
    <div className="relative my-1 flex gap-2 max-md:basis-full md:my-0 md:shrink-0">
      <RequestButtons id={requestId} name={name} size="small" onDone={finish} />
    </div>
  );
}
