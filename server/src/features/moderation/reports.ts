import { limits } from "@tandem/contract/limits";
import { type Report, targetFields } from "@tandem/contract/moderation";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { MAX_ID } from "@tandem/contract/schema";
import type { LimitTable } from "@tandem/contract/tiers";
import type { Selectable } from "kysely";
import { excerptFields } from "../../events/notifications.ts";
import { invalid, notFound } from "../../http/api-error.ts";
import { record } from "../../http/audit.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import type { ReportCaseRow } from "../../storage/schema/moderation.ts";
import type { Db } from "../../storage/storage.ts";
import { countAttempt } from "../accounts/throttle.ts";
import { lockComment } from "../comments/comments.queries.ts";
import { findOwned } from "../communities/members.queries.ts";
import { lockPost } from "../posts/posts.queries.ts";
import { increment } from "../shared/daily-stats.ts";
import { removableComment, removablePost, remove } from "./decide.ts";
import { notifyModerators } from "./notify-moderators.ts";
import { FULL_WEIGHT, isInGoodStanding, weightOf } from "./standing.ts";
import { describeTargets, type TargetRef } from "./targets.ts";

type Case = Selectable<ReportCaseRow>;

export const reports = {
  createReport: (ctx, input) =>
    ctx.write(async (tx) => ({ report: await fileReport(ctx, tx, targetIn(input), input) })),
  async listReports(ctx, { limit = limits.page.default, cursor = MAX_ID }) {
    const rows = await selectReports(ctx.read)
      .where("r.reporter_id", "=", ctx.caller.userId)
      .where("r.id", "<", cursor)
      .orderBy("r.id", "desc")
      .limit(limit + 1)
      .execute();
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    return { reports: await asReports(ctx.read, page), nextCursor };
  },
} satisfies Handlers<"createReport" | "listReports">;

type ReportInput = Input<Operations["createReport"]>;
type TargetField = { field: keyof typeof targetFields; value: string | number };

const fieldNames = Object.keys(targetFields) as TargetField["field"][];

/** The one field that is given. Throws `invalid_input` if none is, or more than one. */
function targetIn(input: ReportInput): TargetField {
  const targets = fieldNames.flatMap((field) => {
    const value = input[field];
    return value == null ? [] : [{ field, value }];
  });
  const [target, second] = targets;
  if (!target) throw invalid("postId", `Send one of ${fieldNames.join(", ")}.`);
  if (second) throw invalid(second.field, `Send only one of ${fieldNames.join(", ")}.`);
  return target;
}

async function fileReport(ctx: SignedIn, tx: Db, field: TargetField, input: ReportInput): Promise<Report> {
  const { caller, now } = ctx;
  const { id, owner, community } = await findTarget(tx, field);
  if (owner === caller.userId)
    throw invalid(field.field, "You can't report yourself, what you published or a community that you own.");
  const target: TargetRef = { kind: targetFields[field.field], target_id: id };
  const { reason, note = null, illegal = false, toAdmins = false } = input;
  const { holding } = ctx.services.config.limits;
  const place = community === null ? null : await placeOf(tx, community, owner);
  const report = { reporterId: caller.userId, reason, note, illegal, toAdmins, place, now };
  const { caseId, recent } = await addReport(tx, target, report, holding);
  if (recent !== null) {
    await countAttempt(ctx, tx, {
      what: "reports",
      counters: [{ name: "reportsPerAccount", of: String(caller.userId) }],
    });
    await holdBack(ctx, tx, { ...target, owner }, recent);
    await increment(tx, "reports", now);
  }
  const [response] = await asReports(
    tx,
    await selectReports(tx)
      .where("r.case_id", "=", caseId)
      .where("r.reporter_id", "=", caller.userId)
      .execute(),
  );
  return response as Report;
}

interface NewReport {
  reporterId: number;
  reason: string;
  note: string | null;
  /** Whether the reporter thinks that it is illegal. */
  illegal?: boolean;
  /** Whether the reporter wants admins to review it, too. */
  toAdmins?: boolean;
  /** The community of this service that the target is in. */
  place?: Place | null;
  now: number;
}

interface Place {
  communityId: number;
  /** Whether its moderators can't be expected to decide on their own. */
  needsAdmins: boolean;
}

/** Moderators don't decide alone about one of them, nor in a closed community, which may have none. */
async function placeOf(tx: Db, name: string, authorId: number | null): Promise<Place> {
  const { id, closed_at, author_role } = await tx
    .selectFrom("communities as c")
    .leftJoin("community_members as m", (join) =>
      join.onRef("m.community_id", "=", "c.id").on("m.user_id", "=", authorId ?? 0),
    )
    .select(["c.id", "c.closed_at", "m.role as author_role"])
    .where("c.name", "=", name)
    .executeTakeFirstOrThrow();
  const isStaff = author_role === "owner" || author_role === "moderator";
  return { communityId: id, needsAdmins: isStaff || closed_at !== null };
}

type Holding = LimitTable["holding"];

interface OwnedTarget extends TargetRef {
  /** Null for imported posts. */
  owner: number | null;
}

/**
 * Adds a report to the target's open case. `recent` is the weight of the reports that count towards holding the target back,
 * in hundredths; null if the account has reported it before.
 */
export async function addReport(
  tx: Db,
  target: TargetRef,
  report: NewReport,
  holding: Holding,
): Promise<{ caseId: number; recent: number | null }> {
  const { reporterId, reason, note, now } = report;
  const { isNew, ...open } = await openCase(tx, target, report);
  const { place = null } = report;
  if (isNew && place) await notifyModerators(tx, { id: open.id, ...place, reporterId, now });
  const added = await tx
    .insertInto("reports")
    .values({ case_id: open.id, reporter_id: reporterId, reason, note, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return { caseId: open.id, recent: added ? await countReport(tx, open, report, holding) : null };
}

/** The target's id and owner. Locks a post or comment, so that it can't be removed meanwhile. Throws `not_found`. */
async function findTarget(
  tx: Db,
  { field, value }: TargetField,
): Promise<{ id: number; owner: number | null; community: string | null }> {
  if (field === "postId") {
    const { id, user_id: owner, community } = await lockPost(tx, Number(value));
    return { id, owner, community };
  }
  if (field === "commentId") {
    const { id, user_id: owner, community } = await lockComment(tx, Number(value));
    return { id, owner, community };
  }
  const key = String(value).toLowerCase();
  // Reports of a community are for the service's admins: its own moderators can't be expected to decide about it.
  if (field === "community") return { ...(await findOwned(tx, key)), community: null };
  const account = await tx
    .selectFrom("users")
    .select("id")
    .where("username_key", "=", key)
    .executeTakeFirst();
  if (!account) throw notFound("account");
  return { id: account.id, owner: account.id, community: null };
}

/** Locks the open case of a target, and creates it if there is none, in this transaction. */
async function openCase(
  tx: Db,
  target: TargetRef,
  { place = null, now }: Pick<NewReport, "place" | "now">,
  isNew = false,
): Promise<Case & { isNew: boolean }> {
  const open = await tx
    .selectFrom("report_cases")
    .selectAll()
    .where("kind", "=", target.kind)
    .where("target_id", "=", target.target_id)
    .where("state", "=", "open")
    .$if(tx.engine.rowLocks, (query) => query.forUpdate())
    .executeTakeFirst();
  if (open) return { ...open, isNew };
  const times = { created_at: now, newest_at: now, recent_since: now };
  const added = await tx
    .insertInto("report_cases")
    .values({
      ...{ ...target, ...times, state: "open", reports: 0, recent: 0 },
      community_id: place?.communityId ?? null,
      community_state: place ? "open" : null,
      for_admins: place === null || place.needsAdmins ? 1 : 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  // Read again: another report may have opened the case meanwhile.
  return openCase(tx, target, { place, now }, added !== undefined);
}

/** Counts a report. Returns the weight of recent reports, this one included, in hundredths. */
async function countReport(
  tx: Db,
  open: Case,
  { reporterId, illegal = false, toAdmins = false, now }: NewReport,
  holding: Holding,
): Promise<number> {
  const weight = await weightOf(tx, reporterId, holding, now);
  const windowEnded = now - open.recent_since >= holding.seconds * 1000;
  const recent = (windowEnded ? 0 : open.recent) + weight;
  await tx
    .updateTable("report_cases")
    .set({
      reports: open.reports + 1,
      newest_at: now,
      recent,
      recent_since: windowEnded ? now : open.recent_since,
      for_admins: illegal || toAdmins ? 1 : open.for_admins,
      illegal: illegal ? 1 : open.illegal,
    })
    .where("id", "=", open.id)
    .execute();
  return recent;
}

/**
 * Holds back what reports of enough weight say within a short time, until a moderator has reviewed it; but never what an
 * account in good standing published, nor what a moderator has reviewed before.
 */
async function holdBack(
  { now, services }: SignedIn,
  tx: Db,
  target: OwnedTarget,
  recent: number,
): Promise<void> {
  const { holding } = services.config.limits;
  const { kind, target_id: id, owner } = target;
  if (
    kind === "account" ||
    kind === "community" ||
    holding.reports === 0 ||
    recent < holding.reports * FULL_WEIGHT
  )
    return;
  if (owner !== null && (await isInGoodStanding(tx, owner, services.config.limits, now))) return;
  if (await wasReviewed(tx, target)) return;
  const reason = `Several people reported it within ${holding.seconds} seconds.`;
  const removal = { reason, held: true, now };
  if (kind === "post") await remove(tx, removablePost, id, removal);
  else await remove(tx, removableComment, id, removal);
  await record(tx, [{ caller: null, act: "hold", target: `${kind}:${id}`, detail: { reason }, now }]);
}

async function wasReviewed(tx: Db, { kind, target_id }: TargetRef): Promise<boolean> {
  const before = await tx
    .selectFrom("report_cases")
    .select("id")
    .where("kind", "=", kind)
    .where("target_id", "=", target_id)
    .where("state", "=", "resolved")
    .limit(1)
    .executeTakeFirst();
  return before !== undefined;
}

function selectReports(db: Db) {
  return db
    .selectFrom("reports as r")
    .innerJoin("report_cases as c", "c.id", "r.case_id")
    .select(["r.id", "r.reason", "r.note", "r.created_at", "c.kind", "c.target_id", "c.state", "c.outcome"]);
}

type ReportView = Awaited<ReturnType<ReturnType<typeof selectReports>["execute"]>>[number];

/** A reporter doesn't see the excerpt of what was held back or removed. */
async function asReports(db: Db, rows: readonly ReportView[]): Promise<Report[]> {
  const described = await describeTargets(db, rows);
  return rows.map(({ id, reason, note, state, outcome, created_at }, i) => {
    const { target, removed } = described[i] as (typeof described)[number];
    const visible = removed ? { ...target, ...excerptFields(undefined) } : target;
    return {
      id,
      target: visible,
      reason,
      note,
      state,
      outcome,
      createdAt: new Date(created_at).toISOString(),
    };
  });
}
