import type { Act, Outcome, TargetKind } from "@tandem/contract/moderation";
import { firstTier } from "@tandem/contract/tiers";
import { notFound } from "../../http/api-error.ts";
import { fromFragment } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import * as comments from "../comments/moderation-removal.ts";
import { tellOfDecision } from "../notifications/notifications.queries.ts";
import * as posts from "../posts/moderation-removal.ts";
import { increment } from "../shared/daily-stats.ts";
import { type About, type Decided, findDecision, latestAbout } from "./decisions.queries.ts";

/** So much of what a decision is about stands with it, in code points. */
const EXCERPT = 200;

/** What a decision rests on. */
export interface Ground {
  reason: string;
  /** Whether it is only held back until a moderator has looked at it. */
  held?: boolean;
  now: number;
}

interface Judged {
  id: number;
  removed: number;
  made_with: number | null;
}

/** What can be taken away and brought back: what posts and comments have of their own. */
interface Removable<T extends Judged> {
  kind: Exclude<TargetKind, "account">;
  acts: { remove: Act; hold: Act };
  lock(tx: Db, id: number): Promise<T>;
  about(item: T): About;
  excerpt(item: T): string;
  owner(tx: Db, item: T): Promise<number | null>;
  removeForModeration(tx: Db, item: T): Promise<void>;
  restore(tx: Db, item: T): Promise<void>;
}

export const removablePost: Removable<posts.JudgedPost> = {
  ...posts,
  kind: "post",
  acts: { remove: "remove_post", hold: "hold_post" },
  lock: posts.lockForModeration,
  about: ({ id }) => ({ post_id: id, comment_id: null }),
  owner: posts.ownerOf,
  excerpt({ fragment }) {
    const { title, body } = fromFragment(fragment);
    return title ?? body ?? "";
  },
};

export const removableComment: Removable<comments.JudgedComment> = {
  ...comments,
  kind: "comment",
  acts: { remove: "remove_comment", hold: "hold_comment" },
  lock: comments.lockForModeration,
  about: ({ id, post_id }) => ({ post_id, comment_id: id }),
  owner: async (_, { user_id }) => user_id,
  excerpt: ({ body }) => body,
};

/**
 * Takes something away, or holds it back; tells its author why, and counts a strike against the key that made it. What
 * was removed already stays so. Gives back the decision that stands then. Throws `not_found`.
 */
export async function remove<T extends Judged>(
  tx: Db,
  what: Removable<T>,
  id: number,
  { reason, held = false, now }: Ground,
): Promise<Decided> {
  const item = await what.lock(tx, id);
  const before = item.removed === 1 ? await latestAbout(tx, what.about(item)) : undefined;
  if (before && (held || before.act === what.acts.remove)) return before;
  if (before) await end(tx, before, now);
  else await what.removeForModeration(tx, item);
  if (!held) await closeCase(tx, what.kind, id, "removed", now);
  return decide(tx, {
    ...what.about(item),
    act: held ? what.acts.hold : what.acts.remove,
    user_id: await what.owner(tx, item),
    excerpt: excerptOf(what.excerpt(item)),
    reason,
    automated: held ? 1 : 0,
    key_id: held ? null : await strike(tx, item.made_with),
    until_at: null,
    created_at: now,
  });
}

/** Brings back what was taken away, and takes back the strike. What is there stays so. Throws `not_found`. */
export async function restore<T extends Judged>(
  tx: Db,
  what: Removable<T>,
  id: number,
  now: number,
): Promise<Decided> {
  const item = await what.lock(tx, id);
  const before = await latestAbout(tx, what.about(item));
  if (!before) throw notFound(`removed ${what.kind}`);
  if (item.removed === 0) return before;
  await what.restore(tx, item);
  await closeCase(tx, what.kind, id, "dismissed", now);
  return undo(tx, before, now);
}

/** Settles the open case of a target, if there is one. */
export async function closeCase(
  tx: Db,
  kind: TargetKind,
  targetId: number,
  outcome: Outcome,
  now: number,
): Promise<void> {
  await tx
    .updateTable("report_cases")
    .set({ state: "resolved", outcome, resolved_at: now })
    .where("kind", "=", kind)
    .where("target_id", "=", targetId)
    .where("state", "=", "open")
    .execute();
}

type NewDecision = Omit<
  Decided,
  "id" | "username" | "undone_at" | "appeal" | "appealed_at" | "answer" | "answered_at" | "accepted"
>;

/** Notes a decision, and tells those concerned: the account, and who operates it. */
export async function decide(tx: Db, decision: NewDecision): Promise<Decided> {
  const { id } = await tx.insertInto("decisions").values(decision).returning("id").executeTakeFirstOrThrow();
  const decided = await findDecision(tx, id);
  await tell(tx, decided, decision.created_at);
  await increment(tx, "decisions", decision.created_at);
  return decided;
}

/** Ends a decision, and tells those concerned. */
export async function undo(tx: Db, decided: Decided, now: number): Promise<Decided> {
  await end(tx, decided, now);
  await tell(tx, decided, now);
  return { ...decided, undone_at: now };
}

async function end(tx: Db, { id, key_id }: Decided, now: number): Promise<void> {
  await tx.updateTable("decisions").set({ undone_at: now }).where("id", "=", id).execute();
  if (key_id === null) return;
  await tx
    .updateTable("keys")
    .set((eb) => ({ strikes: eb("strikes", "-", 1) }))
    .where("id", "=", key_id)
    .where("strikes", ">", 0)
    .execute();
}

/** Tells whom a decision concerns of it, or that it has changed. */
export async function tell(tx: Db, { id, user_id }: Decided, now: number): Promise<void> {
  if (user_id === null) return;
  const account = await tx
    .selectFrom("users")
    .select("operator_id")
    .where("id", "=", user_id)
    .executeTakeFirst();
  const operator = account?.operator_id ?? null;
  const to = operator === null ? [user_id] : [user_id, operator];
  await tellOfDecision(tx, { id, concerned: user_id, to }, now);
}

/** A strike puts a key back on probation (decisions: graduation). Gives back the key, if it is still there. */
async function strike(tx: Db, keyId: number | null): Promise<number | null> {
  if (keyId === null) return null;
  const struck = await tx
    .updateTable("keys")
    .set((eb) => ({ strikes: eb("strikes", "+", 1), tier: firstTier }))
    .where("id", "=", keyId)
    .returning("id")
    .executeTakeFirst();
  return struck?.id ?? null;
}

export function excerptOf(text: string): string {
  const points = [...text];
  return points.length > EXCERPT ? `${points.slice(0, EXCERPT - 1).join("")}…` : text;
}
