import { limits } from "@tandem/contract/limits";
import type { CommunityCase } from "@tandem/contract/moderation";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { MAX_ID } from "@tandem/contract/schema";
import type { Selectable } from "kysely";
import { ApiError, notFound } from "../../http/api-error.ts";
import { record } from "../../http/audit.ts";
import type { Call, Handlers } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import type { ReportCaseRow } from "../../storage/schema/moderation.ts";
import type { Db } from "../../storage/storage.ts";
import { assertPermitted, findCommunity, lockCommunity } from "../communities/communities.queries.ts";
import { byTarget, casesOf, latestReasons } from "../moderation/cases.ts";
import {
  closeCase,
  isForAdmins,
  removableComment,
  removablePost,
  remove,
  restore,
  settleInCommunity,
} from "../moderation/decide.ts";
import { describeTargets } from "../moderation/targets.ts";

type Case = Selectable<ReportCaseRow>;
type Resolution = Input<Operations["resolveCommunityReports"]>;

export const communityCases = {
  async listCommunityCases(ctx, { name, limit = limits.page.default, cursor = MAX_ID, state = "open" }) {
    const community = await findCommunity(ctx.read, name, ctx);
    assertPermitted("listCommunityCases", community);
    const rows = await queueOf(ctx.read, community.id, { state, below: cursor, limit: limit + 1 }).execute();
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    return { cases: await asCommunityCases(ctx.read, page), nextCursor };
  },
  resolveCommunityReports: (ctx, input) =>
    ctx.write(async (tx) => {
      await resolve(ctx, tx, input);
      return { cases: await asCommunityCases(tx, await casesOf(tx, [...new Set(input.ids)])) };
    }),
} satisfies Handlers<"listCommunityCases" | "resolveCommunityReports">;

interface Page {
  state: "open" | "resolved";
  below: number;
  limit: number;
}

/** The cases of a community, latest first. */
export function queueOf(db: Db, communityId: number, { state, below, limit }: Page) {
  return db
    .selectFrom("report_cases")
    .selectAll()
    .where("community_id", "=", communityId)
    .where("community_state", "=", state)
    .where("id", "<", below)
    .orderBy("id", "desc")
    .limit(limit);
}

async function resolve(call: Call, tx: Db, { name, ids, action, reason }: Resolution): Promise<void> {
  assertPermitted("resolveCommunityReports", await findCommunity(tx, name, call));
  const unique = [...new Set(ids)];
  const targets = (await casesOf(tx, unique)).toSorted(byTarget);
  // Posts are locked before communities.
  for (const target of targets) await lockTarget(tx, target);
  const community = await lockCommunity(tx, name, call);
  assertPermitted("resolveCommunityReports", community);
  const found = (await casesOf(tx, unique)).filter(({ community_id }) => community_id === community.id);
  if (found.length < unique.length) throw notFound("case");
  const open = found.filter(({ community_state }) => community_state === "open").toSorted(byTarget);
  for (const each of open)
    await resolveCase(tx, each, { action, reason, communityId: community.id, now: call.now });
  await record(
    tx,
    open.map(({ kind, target_id }) => ({
      ...{ caller: call.caller, now: call.now, act: "resolveCommunityReports" },
      ...{ target: `${kind}:${target_id}`, detail: { name: community.name, action, reason } },
    })),
  );
}

async function lockTarget(tx: Db, { kind, target_id }: Case): Promise<void> {
  try {
    if (kind === "post") await removablePost.lock(tx, target_id);
    if (kind === "comment") await removableComment.lock(tx, target_id);
  } catch (error) {
    // It was deleted meanwhile, which resolves its case.
    if (!(error instanceof ApiError) || error.code !== "not_found") throw error;
  }
}

interface Removal {
  action: Resolution["action"];
  reason: string;
  communityId: number;
  now: number;
}

async function resolveCase(tx: Db, reportCase: Case, { action, ...removal }: Removal): Promise<void> {
  const { kind, target_id } = reportCase;
  try {
    if (action === "dismiss") await dismiss(tx, reportCase, removal.now);
    else if (kind === "post") await remove(tx, removablePost, target_id, removal);
    else await remove(tx, removableComment, target_id, removal);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "not_found") throw error;
    await closeCase(tx, kind, target_id, "gone", removal.now);
  }
}

/** Restores the target if it was held back, unless the service's admins have to decide that. */
async function dismiss(tx: Db, { kind, target_id, community_id }: Case, now: number): Promise<void> {
  const [described] = await describeTargets(tx, [{ kind, target_id }]);
  const target = { kind, targetId: target_id, owner: described?.owner ?? null };
  const isToRestore =
    described?.held && !(await isForAdmins(tx, { ...target, communityId: community_id ?? 0 }));
  if (isToRestore && kind === "post") await restore(tx, removablePost, target_id, now, "community");
  if (isToRestore && kind === "comment") await restore(tx, removableComment, target_id, now, "community");
  await settleInCommunity(tx, target, "dismissed", now);
}

async function asCommunityCases(db: Db, rows: readonly Case[]): Promise<CommunityCase[]> {
  const described = await describeTargets(db, rows);
  const ids = rows.map(({ id }) => id);
  const reports = await latestReasons(db, ids).execute(db);
  return rows.map((row, i) => {
    const { target, held } = described[i] as (typeof described)[number];
    const ofCase = reports.rows.filter(({ case_id }) => case_id === row.id);
    return {
      id: row.id,
      target,
      held: held && row.state === "open",
      reportCount: row.reports,
      reasons: ofCase.map(({ reason }) => reason),
      notes: ofCase.map(({ note }) => note),
      state: row.community_state ?? "resolved",
      outcome: row.community_outcome ?? row.outcome,
      forAdmins: row.for_admins === 1,
      illegal: row.illegal === 1,
      createdAt: new Date(row.created_at).toISOString(),
      newestAt: new Date(row.newest_at).toISOString(),
    };
  });
}
