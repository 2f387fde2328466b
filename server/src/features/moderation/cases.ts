import { limits } from "@tandem/contract/limits";
import {
  isPossible,
  type ProfilePicture,
  type ReportCase,
  resolutionNames,
  targetKinds,
} from "@tandem/contract/moderation";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { MAX_ID } from "@tandem/contract/schema";
import type { Selectable } from "kysely";
import { sql } from "kysely";
import { ApiError, invalid, notFound } from "../../http/api-error.ts";
import { record } from "../../http/audit.ts";
import type { Call, Handlers } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import { deleteOrphans } from "../../media/delete-orphans.ts";
import type { DecisionRow, ReportCaseRow } from "../../storage/schema/moderation.ts";
import type { Db } from "../../storage/storage.ts";
import { closeReported, removeReportedPicture } from "./community-decisions.ts";
import { closeCase, removableComment, removablePost, remove, restore } from "./decide.ts";
import { NoSuchPicture, removePicture } from "./picture-removals.ts";
import { endOf, suspend } from "./suspensions.ts";
import { describeTargets, type TargetRef } from "./targets.ts";

type Case = Selectable<ReportCaseRow>;
type Resolution = Input<Operations["resolveReports"]>;

export const cases = {
  async listCases(ctx, { limit = limits.page.default, cursor = MAX_ID, state = "open", kind, forAdmins }) {
    const rows = await ctx.read
      .selectFrom("report_cases")
      .selectAll()
      .where("state", "=", state)
      .where("id", "<", cursor)
      .$if(kind !== undefined, (query) => query.where("kind", "=", kind as Case["kind"]))
      .$if(forAdmins === 1, (query) => query.where("for_admins", "=", 1))
      .orderBy("id", "desc")
      .limit(limit + 1)
      .execute();
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    return { cases: await asCases(ctx.read, page), nextCursor };
  },
  async resolveReports(ctx, input) {
    const response = await ctx.write(async (tx) => {
      await resolveCases(ctx, tx, input);
      return { cases: await asCases(tx, await casesOf(tx, [...new Set(input.ids)])) };
    });
    ctx.services.afterResponse.run("deletions", () => deleteOrphans(ctx.services));
    return response;
  },
} satisfies Handlers<"listCases" | "resolveReports">;

/** Resolves cases, in the order of their targets, to avoid deadlocks. */
export async function resolveCases(call: Call, tx: Db, resolution: Resolution): Promise<void> {
  const ids = [...new Set(resolution.ids)];
  const found = await casesOf(tx, ids);
  if (found.length < ids.length) throw notFound("case");
  const open = found.filter(({ state }) => state === "open");
  for (const reportCase of open.toSorted(byTarget)) await resolveCase(call, tx, reportCase, resolution);
  const { action, reason } = resolution;
  await record(
    tx,
    open.map(({ kind, target_id }) => ({
      ...{ caller: call.caller, now: call.now, act: action },
      ...{ target: `${kind}:${target_id}`, detail: { reason } },
    })),
  );
}

export function casesOf(tx: Db, ids: number[]): Promise<Case[]> {
  return tx
    .selectFrom("report_cases")
    .selectAll()
    .where(sql<boolean>`id in (${tx.engine.oneOf(ids)})`)
    .orderBy("id")
    .execute();
}

export function byTarget(a: TargetRef, b: TargetRef): number {
  return targetKinds.indexOf(a.kind) - targetKinds.indexOf(b.kind) || a.target_id - b.target_id;
}

async function resolveCase({ now }: Call, tx: Db, reportCase: Case, resolution: Resolution): Promise<void> {
  const { kind, target_id } = reportCase;
  const { action, reason } = resolution;
  if (!isPossible(action, kind))
    throw invalid("action", `The target is a ${kind}. Possible are ${resolutionsFor(kind).join(", ")}.`);
  try {
    if (action === "dismiss") await dismiss(tx, reportCase, now);
    else if (action === "remove") await removeTarget(tx, reportCase, reason, now);
    else if (action === "remove_avatar") await removePictureOf(tx, target_id, "avatar", { reason, now });
    else if (action === "remove_banner") await removePictureOf(tx, target_id, "banner", { reason, now });
    else if (action === "remove_picture") await removeReportedPicture(tx, target_id, { reason, now });
    else if (action === "close") await closeReported(tx, target_id, { reason, now });
    else await suspendOwner(tx, reportCase, resolution, now);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "not_found") throw error;
    await closeCase(tx, kind, target_id, "gone", now);
  }
}

const resolutionsFor = (kind: Case["kind"]) => resolutionNames.filter((each) => isPossible(each, kind));

/** Restores the target if it was held back. */
async function dismiss(tx: Db, { kind, target_id }: Case, now: number): Promise<void> {
  const [described] = await describeTargets(tx, [{ kind, target_id }]);
  if (described?.held && kind === "post") await restore(tx, removablePost, target_id, now);
  if (described?.held && kind === "comment") await restore(tx, removableComment, target_id, now);
  await closeCase(tx, kind, target_id, "dismissed", now);
}

async function removeTarget(tx: Db, { kind, target_id }: Case, reason: string, now: number): Promise<void> {
  if (kind === "post") await remove(tx, removablePost, target_id, { reason, now });
  if (kind === "comment") await remove(tx, removableComment, target_id, { reason, now });
}

async function removePictureOf(
  tx: Db,
  userId: number,
  picture: ProfilePicture,
  removal: { reason: string; now: number },
): Promise<void> {
  try {
    await removePicture(tx, userId, picture, removal);
  } catch (error) {
    // So that the case of an account that exists doesn't count as one of a deleted account.
    if (error instanceof NoSuchPicture) throw invalid("action", error.message);
    throw error;
  }
  await closeCase(tx, "account", userId, "removed", removal.now);
}

async function suspendOwner(
  tx: Db,
  { kind, target_id }: Case,
  { reason, until }: Resolution,
  now: number,
): Promise<void> {
  const owner = await ownerOf(tx, kind, target_id);
  if (owner === null)
    throw invalid(
      "action",
      "Imported from another platform: there is no account to suspend. Remove it instead.",
    );
  await suspend(tx, owner, { reason, until: endOf(until, now), now });
  await closeCase(tx, kind, target_id, "suspended", now);
  await removeIfHeldBack(tx, { kind, target_id }, { reason, now });
}

/** If the target was held back automatically, the moderator's decision to remove it replaces that. */
async function removeIfHeldBack(
  tx: Db,
  { kind, target_id }: TargetRef,
  removal: { reason: string; now: number },
): Promise<void> {
  const [described] = await describeTargets(tx, [{ kind, target_id }]);
  if (!described?.held) return;
  if (kind === "post") await remove(tx, removablePost, target_id, removal);
  if (kind === "comment") await remove(tx, removableComment, target_id, removal);
}

async function ownerOf(tx: Db, kind: Case["kind"], id: number): Promise<number | null> {
  if (kind === "account") return id;
  if (kind === "comment") return (await removableComment.lock(tx, id)).user_id;
  return removablePost.owner(tx, await removablePost.lock(tx, id));
}

async function asCases(db: Db, rows: readonly Case[]): Promise<ReportCase[]> {
  const described = await describeTargets(db, rows);
  const communities = await communityNames(db, rows);
  const [reports, decisions] = [
    await latestReasons(
      db,
      rows.map(({ id }) => id),
    ).execute(db),
    await latestDecisions(db, [...new Set(described.flatMap(({ owner }) => owner ?? []))]).execute(db),
  ];
  return rows.map((row, i) => {
    const { target, owner, held } = described[i] as (typeof described)[number];
    const ofCase = reports.rows.filter(({ case_id }) => case_id === row.id);
    return {
      id: row.id,
      target,
      held: held && row.state === "open",
      reportCount: row.reports,
      reasons: ofCase.map(({ reason }) => reason),
      notes: ofCase.map(({ note }) => note),
      reporters: ofCase.map(({ reporter }) => reporter),
      reporterDisplayNames: ofCase.map(({ display_name }) => display_name),
      pastDecisions: decisions.rows
        .filter(({ user_id }) => user_id === owner)
        .map(({ id, act, undone_at, created_at }) => ({
          id,
          act,
          undone: undone_at !== null,
          createdAt: new Date(created_at).toISOString(),
        })),
      state: row.state,
      outcome: row.outcome,
      community: communities.get(row.community_id ?? 0) ?? null,
      communityOutcome: row.community_outcome,
      forAdmins: row.for_admins === 1,
      illegal: row.illegal === 1,
      createdAt: new Date(row.created_at).toISOString(),
      newestAt: new Date(row.newest_at).toISOString(),
    };
  });
}

async function communityNames(db: Db, rows: readonly Case[]): Promise<Map<number, string>> {
  const ids = [...new Set(rows.flatMap(({ community_id }) => community_id ?? []))];
  if (ids.length === 0) return new Map();
  const found = await db.selectFrom("communities").select(["id", "name"]).where("id", "in", ids).execute();
  return new Map(found.map(({ id, name }) => [id, name]));
}

/**
 * The latest reasons of each of these cases, with notes, and who gave them. Starts from the ids: if it started from the table of cases,
 * PostgreSQL would read all of them.
 */
export function latestReasons(db: Db, ids: number[]) {
  return sql<{
    case_id: number;
    reason: string;
    note: string | null;
    reporter: string;
    display_name: string | null;
  }>`
    select r.case_id, r.reason, r.note, u.username as reporter, u.display_name from (${db.engine.oneOf(ids)}) as c
      join reports r on r.id in (
        select x.id from reports x where x.case_id = c.id order by x.id desc limit ${sql.lit(limits.reasonsShown)}
      )
      join users u on u.id = r.reporter_id
    order by r.id desc`;
}

type PastDecisionRow = Pick<Selectable<DecisionRow>, "id" | "act" | "undone_at" | "created_at"> & {
  user_id: number;
};

/** The service's latest decisions about each of these accounts, newest first. */
export function latestDecisions(db: Db, userIds: number[]) {
  return sql<PastDecisionRow>`
    select d.id, d.user_id, d.act, d.undone_at, d.created_at from (${db.engine.oneOf(userIds)}) as author
      join decisions d on d.id in (
        select x.id from decisions x where x.user_id = author.id and x.community_id is null order by x.id desc limit ${sql.lit(limits.pastDecisions)}
      )
    order by d.id desc`;
}
