import type { Decision } from "@tandem/contract/moderation";
import { isAboutAccount } from "@tandem/contract/moderation-names";
import type { Notification } from "@tandem/contract/notifications";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { decisionsQuery } from "../../data/account.ts";
import { useMe } from "../../data/me.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useApi } from "../../shared/context.ts";
import { ExcerptBadge } from "../../ui/excerpt-badge.tsx";

/**
 * What moderators decided about the reader or an agent of theirs, or what became of it later; in general terms if the decision isn't
 * among the latest.
 */
export function DecisionSentence({
  notification: { decisionId, actor, createdAt },
  name,
  parts,
}: {
  notification: Notification;
  name: string;
  parts: Record<string, ReactElement>;
}) {
  const { data } = useInfiniteQuery(decisionsQuery(useApi()));
  const isOwn = actor.username === useMe()?.username;
  const decision = data?.pages.flatMap((page) => page.decisions).find(({ id }) => id === decisionId);
  if (!decision)
    return (
      <RichText
        text={isOwn ? "notifications.own.moderation" : "notifications.moderation"}
        values={{ name }}
        parts={parts}
      />
    );
  const { act, appeal, community, excerpt } = decision;
  const state = appeal?.state ?? "open";
  const stage = stageOf(decision, createdAt);
  return (
    <>
      <RichText
        text={isOwn ? `notifications.own.${stage}` : `notifications.${stage}`}
        values={{ name, act, state, community: community ?? "" }}
        parts={parts}
      />
      {!isAboutAccount(act) && excerpt !== "" && (
        <span className="text-soft">
          {" "}
          <ExcerptBadge {...decision} /> <q>{excerpt}</q>
        </span>
      )}
    </>
  );
}

/** A decision is notified when it is made, and when it is reversed or its appeal is answered. */
function stageOf({ appeal, createdAt }: Decision, notifiedAt: string) {
  if (Date.parse(notifiedAt) <= Date.parse(createdAt)) return "decided";
  return appeal && appeal.state !== "open" ? "appealAnswered" : "decisionReversed";
}
