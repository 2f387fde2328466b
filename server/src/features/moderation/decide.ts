import type { Act, ContentKind, Outcome, TargetKind } from "@tandem/contract/moderation";
import { type RawBuilder, sql } from "kysely";
import type { Excerpt } from "../../events/notifications.ts";
import { ApiError } from "../../http/api-error.ts";
import type { Db } from "../../storage/storage.ts";
import * as comments from "../comments/moderation-removal.ts";
import { notifyDecision } from "../notifications/notifications.queries.ts";
import * as posts from "../posts/moderation-removal.ts";
import { increment } from "../shared/daily-stats.ts";
import { clearVersions } from "../versions/clear-versions.ts";
import {
  type About,
  type FoundDecision,
  findDecision,
  isOfCommunity,
  isStrike,
  latestAbout,
  latestByCommunity,
} from "./decisions.queries.ts";
import { markedExcerpt, postExcerpt, quoting } from "./excerpts.ts";
import { updateLastStrike } from "./strikes.ts";

export interface Removal {
  reason: string;
  /** Whether it is only held back until a moderator has reviewed it. */
  held?: boolean;
  /** The id of the community whose moderators remove it. */
  communityId?: number;
  now: number;
}

export interface Moderated {
  id: number;
  removed: number;
}

/** Something that can be removed and restored: the parts in which posts and comments differ. */
export interface Removable<T extends Moderated> {
  kind: ContentKind;
  acts: { remove: Act; hold: Act; inCommunity: Act };
  lock(tx: Db, id: number): Promise<T>;
  about(item: T): About;
  excerpt(item: T): Excerpt;
  owner(tx: Db, item: T): Promise<number | null>;
  removeForModeration(tx: Db, item: T): Promise<void>;
  restore(tx: Db, item: T): Promise<void>;
}

export const removablePost: Removable<posts.ModeratedPost> = {
  ...posts,
  kind: "post",
  acts: { remove: "remove_post", hold: "hold_post", inCommunity: "community_remove_post" },
  lock: posts.lockForModeration,
  about: ({ id }) => ({ post_id: id, comment_id: null }),
  owner: posts.ownerOf,
  excerpt: ({ fragment }) => postExcerpt(fragment),
};

export const removableComment: Removable<comments.ModeratedComment> = {
  ...comments,
  kind: "comment",
  acts: { remove: "remove_comment", hold: "hold_comment", inCommunity: "community_remove_comment" },
  lock: comments.lockForModeration,
  about: ({ id, post_id }) => ({ post_id, comment_id: id }),
  owner: async (_, { user_id }) => user_id,
  excerpt: ({ body, is_ai }) => markedExcerpt(body, is_ai),
};

/**
 * Removes a post or comment, or holds it back, and notifies its author. A removal also clears its earlier versions, which
 * restoring doesn't bring back, and is a strike on the account; one by a community's moderators does neither. If it is already
 * removed, nothing changes, except that a removal replaces a hold, and one by the service also a community's. A community's
 * removal doesn't replace a hold that the service's admins have to decide about. Returns the decision that is in force. Throws
 * `not_found`, and `forbidden` if a community removes what admins restored on appeal.
 */
export async function remove<T extends Moderated>(
  tx: Db,
  what: Removable<T>,
  id: number,
  { reason, held = false, communityId, now }: Removal,
): Promise<FoundDecision> {
  const item = await what.lock(tx, id);
  const act = what.acts[held ? "hold" : communityId === undefined ? "remove" : "inCommunity"];
  const before = item.removed === 1 ? await latestAbout(tx, what.about(item)) : undefined;
  if (before && (held || before.act === what.acts.remove || before.act === act)) return before;
  const owner = await what.owner(tx, item);
  if (communityId !== undefined) {
    await assertNotOverruled(tx, what, item);
    if (before && (await isForAdmins(tx, { kind: what.kind, targetId: id, owner, communityId }))) {
      await settleInCommunity(tx, { kind: what.kind, targetId: id, owner }, "removed", now);
      return before;
    }
  }
  if (before) await endDecision(tx, before, now);
  else await what.removeForModeration(tx, item);
  if (act === what.acts.remove) {
    await clearVersions(tx, what.kind, id, { by: "moderator", now });
    await closeCase(tx, what.kind, id, "removed", now);
  }
  if (act === what.acts.inCommunity)
    await settleInCommunity(tx, { kind: what.kind, targetId: id, owner }, "removed", now);
  return recordDecision(tx, {
    ...what.about(item),
    act,
    community_id: communityId ?? null,
    user_id: owner,
    ...quoting(what.excerpt(item)),
    reason,
    automated: held ? 1 : 0,
    until_at: null,
    created_at: now,
  });
}

async function assertNotOverruled<T extends Moderated>(tx: Db, what: Removable<T>, item: T): Promise<void> {
  const before = await latestByCommunity(tx, what.about(item), what.acts.inCommunity);
  if (before?.accepted === 1)
    throw new ApiError(
      "forbidden",
      `The service's admins restored this ${what.kind} on appeal. Report it if it breaks another rule.`,
    );
}

/**
 * Restores what was removed, and withdraws the strike. Does nothing if it is already visible. Throws `not_found`.
 * @param by who restores it: a community's moderators don't close a case that is open for admins
 */
export async function restore<T extends Moderated>(
  tx: Db,
  what: Removable<T>,
  id: number,
  now: number,
  by: "service" | "community" = "service",
): Promise<FoundDecision> {
  const item = await what.lock(tx, id);
  const before = await latestAbout(tx, what.about(item));
  if (!before) throw new ApiError("not_found", `This ${what.kind} was never removed.`);
  if (item.removed === 0) return before;
  const owner = await what.owner(tx, item);
  await what.restore(tx, item);
  if (by === "service") await closeCase(tx, what.kind, id, "dismissed", now);
  else await settleInCommunity(tx, { kind: what.kind, targetId: id, owner }, "dismissed", now);
  return undoDecision(tx, before, now);
}

/** Resolves the open case of a target, if there is one. */
export async function closeCase(
  tx: Db,
  kind: TargetKind,
  targetId: number,
  outcome: Outcome,
  now: number,
): Promise<void> {
  await tx
    .updateTable("report_cases")
    .set({ state: "resolved", outcome, resolved_at: now, community_state: resolvedInCommunity })
    .where("kind", "=", kind)
    .where("target_id", "=", targetId)
    .where("state", "=", "open")
    .execute();
}

const resolvedInCommunity = sql<"resolved" | null>`case when community_id is not null then 'resolved' end`;

/** A post or comment, and the account that it belongs to; null if it was imported. */
interface Owned {
  kind: TargetKind;
  targetId: number;
  owner: number | null;
}

/**
 * Whether the service's admins have to decide about it, not a community's moderators alone: a report says so, or its author is
 * one of them by now.
 */
export async function isForAdmins(
  tx: Db,
  { kind, targetId, owner, communityId }: Owned & { communityId: number },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 where ${runs(owner, sql`${communityId}`)} or exists (
      select 1 from report_cases
      where kind = ${kind} and target_id = ${targetId} and state = 'open' and for_admins = 1
    )`.execute(tx);
  return rows.length > 0;
}

/** Whether an account is the owner or a moderator of a community. */
const runs = (userId: number | null, communityId: RawBuilder<unknown>) => sql<boolean>`exists (
  select 1 from community_members m
  where m.community_id = ${communityId} and m.user_id = ${userId ?? 0} and m.role in ('owner', 'moderator')
)`;

/** Resolves the open case of a target for its community's moderators, and for the service's admins unless it is for them. */
export async function settleInCommunity(
  tx: Db,
  { kind, targetId, owner }: Owned,
  outcome: Outcome,
  now: number,
): Promise<void> {
  const forAdmins = sql<boolean>`(for_admins = 1 or ${runs(owner, sql.ref("report_cases.community_id"))})`;
  const unlessForAdmins = <T>(value: T, column: string) =>
    sql<T>`case when ${forAdmins} then ${sql.ref(column)} else ${value} end`;
  await tx
    .updateTable("report_cases")
    .set({ community_state: "resolved", community_outcome: outcome })
    .set({
      for_admins: sql<number>`case when ${forAdmins} then 1 else 0 end`,
      state: unlessForAdmins("resolved" as const, "state"),
      outcome: unlessForAdmins(outcome, "outcome"),
      resolved_at: unlessForAdmins(now, "resolved_at"),
    })
    .where("kind", "=", kind)
    .where("target_id", "=", targetId)
    .where("state", "=", "open")
    .where("community_state", "=", "open")
    .execute();
}

type NewDecision = Omit<
  FoundDecision,
  | "id"
  | "username"
  | "display_name"
  | "community"
  | "undone_at"
  | "appeal"
  | "appealed_at"
  | "answer"
  | "answered_at"
  | "accepted"
>;

/** Stores a decision, with its strike, and notifies the account and its operator unless `silent`. */
export async function recordDecision(tx: Db, decision: NewDecision, silent = false): Promise<FoundDecision> {
  const { id } = await tx.insertInto("decisions").values(decision).returning("id").executeTakeFirstOrThrow();
  const recorded = await findDecision(tx, id);
  if (!silent) await notifyConcerned(tx, recorded, decision.created_at);
  // After the notifications, which lock several accounts in order.
  if (recorded.user_id !== null && isStrike(recorded)) await updateLastStrike(tx, recorded.user_id);
  if (!isOfCommunity(decision)) await increment(tx, "decisions", decision.created_at);
  await increment(tx, `decisions/${decision.act}`, decision.created_at);
  return recorded;
}

/** Ends a decision, withdraws its strike, and notifies the account and its operator unless `silent`. */
export async function undoDecision(
  tx: Db,
  decision: FoundDecision,
  now: number,
  silent = false,
): Promise<FoundDecision> {
  await endDecision(tx, decision, now);
  if (!silent) await notifyConcerned(tx, decision, now);
  if (decision.user_id !== null && isStrike(decision)) await updateLastStrike(tx, decision.user_id);
  await increment(tx, isOfCommunity(decision) ? "decisions/community_undone" : "decisions/undone", now);
  return { ...decision, undone_at: now };
}

export async function endDecision(tx: Db, { id }: FoundDecision, now: number): Promise<void> {
  await tx.updateTable("decisions").set({ undone_at: now }).where("id", "=", id).execute();
}

/** Notifies the account that a new or changed decision concerns, and its operator. */
export async function notifyConcerned(tx: Db, { id, user_id }: FoundDecision, now: number): Promise<void> {
  if (user_id === null) return;
  const account = await tx
    .selectFrom("users")
    .select("operator_id")
    .where("id", "=", user_id)
    .executeTakeFirst();
  const operator = account?.operator_id ?? null;
  const to = operator === null ? [user_id] : [user_id, operator];
  await notifyDecision(tx, { id, concerned: user_id, to }, now);
}
