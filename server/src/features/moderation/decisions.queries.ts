import { routeOf } from "@tandem/contract/hints";
import { type Act, communityActs, type Decision, strikeActs } from "@tandem/contract/moderation";
import type { Selectable } from "kysely";
import { notFound } from "../../http/api-error.ts";
import { FOR_GOOD } from "../../http/suspension.ts";
import type { DecisionRow } from "../../storage/schema/moderation.ts";
import type { Db } from "../../storage/storage.ts";

/** A decision with the names of the account that it concerns, and that of the community that decided. */
export type FoundDecision = Selectable<DecisionRow> &
  Record<"username" | "display_name" | "community", string | null>;

/** Decisions with the names of accounts and communities, newest first. */
export function selectDecisions(db: Db) {
  return db
    .selectFrom("decisions as d")
    .leftJoin("users as u", "u.id", "d.user_id")
    .leftJoin("communities as c", "c.id", "d.community_id")
    .selectAll("d")
    .select(["u.username", "u.display_name", "c.name as community"])
    .orderBy("d.id", "desc");
}

/** Throws `not_found`. */
export async function findDecision(db: Db, id: number): Promise<FoundDecision> {
  const row = await selectDecisions(db).where("d.id", "=", id).executeTakeFirst();
  if (!row) throw notFound("decision");
  return row;
}

/** Like {@link findDecision}, and locks it until the transaction ends. */
export async function lockDecision(tx: Db, id: number): Promise<FoundDecision> {
  if (tx.engine.rowLocks)
    await tx.selectFrom("decisions").select("id").where("id", "=", id).forUpdate().execute();
  return findDecision(tx, id);
}

/** A query of the ids of an account and the agents that it operates: it may see their decisions. */
export function accountAndAgents(db: Db, userId: number) {
  return db
    .selectFrom("users")
    .select("id")
    .where((eb) => eb.or([eb("id", "=", userId), eb("operator_id", "=", userId)]));
}

/** The columns that say what a decision is about. */
export type About = Pick<FoundDecision, "post_id" | "comment_id">;

/** The latest decision to remove or hold back this post or comment, whether it was undone or not. */
export function latestAbout(tx: Db, { post_id, comment_id }: About): Promise<FoundDecision | undefined> {
  return selectDecisions(tx)
    .where(comment_id === null ? "d.post_id" : "d.comment_id", "=", comment_id ?? post_id)
    .$if(comment_id === null, (query) => query.where("d.comment_id", "is", null))
    .limit(1)
    .executeTakeFirst();
}

/** The latest decision of a community's moderators to remove this post or comment, whether it was undone or not. */
export function latestByCommunity(
  tx: Db,
  { post_id, comment_id }: About,
  act: Act,
): Promise<FoundDecision | undefined> {
  return selectDecisions(tx)
    .where(comment_id === null ? "d.post_id" : "d.comment_id", "=", comment_id ?? post_id)
    .where("d.act", "=", act)
    .limit(1)
    .executeTakeFirst();
}

/** Whether a decision is a strike on the account that it concerns. */
export function isStrike({ act, user_id }: Pick<FoundDecision, "act" | "user_id">): boolean {
  return user_id !== null && strikeActs.some((strike) => strike === act);
}

/** Whether a community's moderators decided, not the service. */
export function isOfCommunity({ act }: Pick<FoundDecision, "act">): boolean {
  return communityActs.some((each) => each === act);
}

/** Whether the decision was undone or has expired. */
export function hasEnded({ undone_at, until_at }: FoundDecision, now: number): boolean {
  return undone_at !== null || (until_at !== null && until_at <= now);
}

export function asDecision(row: FoundDecision, now: number): Decision {
  const ended = hasEnded(row, now);
  return {
    id: row.id,
    act: row.act,
    community: row.community,
    postId: row.post_id,
    commentId: row.comment_id,
    username: row.username,
    displayName: row.display_name,
    excerpt: row.excerpt,
    excerptProvenance: row.excerpt_provenance,
    excerptProvenanceBasis: row.excerpt_provenance_basis,
    reason: row.reason,
    automated: row.automated === 1,
    strike: isStrike(row),
    until: row.until_at === null || row.until_at >= FOR_GOOD ? null : time(row.until_at),
    stands: !ended,
    appeal: appealOf(row),
    redress: redressOf(row, ended),
    createdAt: time(row.created_at),
  };
}

function appealOf({ appeal, appealed_at, answer, accepted }: FoundDecision): Decision["appeal"] {
  if (appeal === null || appealed_at === null) return null;
  const state = accepted === null ? "open" : accepted === 1 ? "accepted" : "rejected";
  return { text: appeal, state, answer, createdAt: time(appealed_at) };
}

const holds: readonly Act[] = ["hold_post", "hold_comment"];

function redressOf({ act, appealed_at, answered_at }: FoundDecision, ended: boolean): string {
  if (ended) return "This decision is no longer in force. You don't need to do anything.";
  if (answered_at !== null) return "The appeal was answered. You may still have legal remedies.";
  if (appealed_at !== null) return "The appeal is pending.";
  const appeal = `Appeal once, in your own words: ${routeOf("createAppeal")}.`;
  return holds.includes(act) ? `A moderator will review it. ${appeal}` : appeal;
}

function time(at: number): string {
  return new Date(at).toISOString();
}
