import { limits } from "@tandem/contract/limits";
import type { ReportCase } from "@tandem/contract/moderation";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { MAX_ID } from "@tandem/contract/schema";
import type { Selectable } from "kysely";
import { sql } from "kysely";
import { ApiError, invalid, notFound } from "../../http/api-error.ts";
import { record } from "../../http/audit.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import type { ReportCaseRow } from "../../storage/schema/moderation.ts";
import type { Db } from "../../storage/storage.ts";
import { closeCase, removableComment, removablePost, remove, restore } from "./decide.ts";
import { endOf, suspend } from "./suspensions.ts";
import { describe, type Named } from "./targets.ts";

type Case = Selectable<ReportCaseRow>;
type Verdict = Input<Operations["resolveReports"]>;

export const cases = {
  async listCases(ctx, { limit = limits.page.default, cursor = MAX_ID, state = "open", kind }) {
    const rows = await ctx.read
      .selectFrom("report_cases")
      .selectAll()
      .where("state", "=", state)
      .where("id", "<", cursor)
      .$if(kind !== undefined, (query) => query.where("kind", "=", kind as Case["kind"]))
      .orderBy("id", "desc")
      .limit(limit + 1)
      .execute();
    const page = rows.slice(0, limit);
    const next = rows.length > limit ? (page.at(-1)?.id ?? null) : null;
    return { cases: await asCases(ctx.read, page), nextCursor: ctx.nextPage(next) };
  },
  resolveReports: (ctx, input) => ctx.write((tx) => resolve(ctx, tx, input)),
} satisfies Handlers<"listCases" | "resolveReports">;

/** Settles cases, in one order of their targets so that two who settle the same don't wait for each other. */
async function resolve(ctx: SignedIn, tx: Db, verdict: Verdict) {
  const ids = [...new Set(verdict.ids)];
  const found = await casesOf(tx, ids);
  if (found.length < ids.length) throw notFound("case");
  const open = found.filter(({ state }) => state === "open");
  for (const one of open.toSorted(byTarget)) await settle(ctx, tx, one, verdict);
  const { action, reason } = verdict;
  await record(
    tx,
    open.map(({ kind, target_id }) => ({
      ...{ caller: ctx.caller, now: ctx.now, act: action },
      ...{ target: `${kind}:${target_id}`, detail: { reason } },
    })),
  );
  return { cases: await asCases(tx, await casesOf(tx, ids)) };
}

function casesOf(tx: Db, ids: number[]): Promise<Case[]> {
  return tx
    .selectFrom("report_cases")
    .selectAll()
    .where(sql<boolean>`id in (${tx.engine.oneOf(ids)})`)
    .orderBy("id")
    .execute();
}

function byTarget(a: Case, b: Case): number {
  return a.kind.localeCompare(b.kind) || a.target_id - b.target_id;
}

async function settle(ctx: SignedIn, tx: Db, one: Case, verdict: Verdict): Promise<void> {
  const { now } = ctx;
  const { kind, target_id } = one;
  try {
    if (verdict.action === "dismiss") await dismiss(tx, one, now);
    else if (verdict.action === "remove") await removeTarget(tx, one, verdict.reason, now);
    else await suspendOwner(tx, one, verdict, now);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "not_found") throw error;
    await closeCase(tx, kind, target_id, "gone", now);
  }
}

/** What was held back is shown again. */
async function dismiss(tx: Db, { kind, target_id }: Case, now: number): Promise<void> {
  const [described] = await describe(tx, [{ kind, target_id }]);
  if (described?.removed && kind === "post") await restore(tx, removablePost, target_id, now);
  if (described?.removed && kind === "comment") await restore(tx, removableComment, target_id, now);
  await closeCase(tx, kind, target_id, "dismissed", now);
}

async function removeTarget(tx: Db, { kind, target_id }: Case, reason: string, now: number): Promise<void> {
  if (kind === "account")
    throw invalid("action", "An account can't be removed for a report; it can be suspended.");
  if (kind === "post") await remove(tx, removablePost, target_id, { reason, now });
  else await remove(tx, removableComment, target_id, { reason, now });
}

async function suspendOwner(
  tx: Db,
  { kind, target_id }: Case,
  { reason, until }: Verdict,
  now: number,
): Promise<void> {
  const owner = kind === "account" ? target_id : await ownerOf(tx, kind, target_id);
  if (owner === null)
    throw invalid("action", "What came from another platform has no account here that could be suspended.");
  await suspend(tx, owner, { reason, until: endOf(until, now), now });
  await closeCase(tx, kind, target_id, "suspended", now);
  await removeHeld(tx, { kind, target_id }, { reason, now });
}

/** What was held back has been looked at by then: it stays away, and no longer by itself. */
async function removeHeld(tx: Db, named: Named, ground: { reason: string; now: number }): Promise<void> {
  const [described] = await describe(tx, [named]);
  if (!described?.removed) return;
  if (named.kind === "post") await remove(tx, removablePost, named.target_id, ground);
  if (named.kind === "comment") await remove(tx, removableComment, named.target_id, ground);
}

async function ownerOf(tx: Db, kind: "post" | "comment", id: number): Promise<number | null> {
  if (kind === "comment") return (await removableComment.lock(tx, id)).user_id;
  return removablePost.owner(tx, await removablePost.lock(tx, id));
}

async function asCases(db: Db, rows: readonly Case[]): Promise<ReportCase[]> {
  const described = await describe(db, rows);
  const reasons = await reasonsOf(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row, i) => {
    const { target, removed } = described[i] as (typeof described)[number];
    return {
      id: row.id,
      target,
      held: removed && row.state === "open",
      reportCount: row.reports,
      reasons: reasons.get(row.id) ?? [],
      state: row.state,
      outcome: row.outcome,
      createdAt: new Date(row.created_at).toISOString(),
      newestAt: new Date(row.newest_at).toISOString(),
    };
  });
}

/** The latest reasons of each of these cases. */
async function reasonsOf(db: Db, ids: number[]): Promise<Map<number, string[]>> {
  const { rows } = await latestReasons(db, ids).execute(db);
  const reasons = new Map<number, string[]>();
  for (const { case_id, reason } of rows) reasons.set(case_id, [...(reasons.get(case_id) ?? []), reason]);
  return reasons;
}

/** From the ids on: led by the table of cases, PostgreSQL goes through all that there ever were. */
export function latestReasons(db: Db, ids: number[]) {
  return sql<{ case_id: number; reason: string }>`
    select r.case_id, r.reason from (${db.engine.oneOf(ids)}) as c
      join reports r on r.id in (
        select x.id from reports x where x.case_id = c.id order by x.id desc limit ${sql.lit(limits.reasonsShown)}
      )
    order by r.id desc`;
}
