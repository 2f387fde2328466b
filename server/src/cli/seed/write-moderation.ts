import type { Account } from "@tandem/seed/model";
import type { CommentRemoval, Moderation, ReportCase, Suspension } from "@tandem/seed/moderation";
import { resolveCases } from "../../features/moderation/cases.ts";
import { removableComment, remove } from "../../features/moderation/decide.ts";
import { addAppeal, answerAppeal } from "../../features/moderation/decisions.ts";
import { addReport } from "../../features/moderation/reports.ts";
import { suspend } from "../../features/moderation/suspensions.ts";
import type { Db } from "../../storage/storage.ts";
import { callBy } from "./calls.ts";
import type { DailyCounts } from "./daily-counts.ts";

/** Every report of a day counts as recent, but none is held back. */
const holding = { reports: 0, seconds: 86_400, accountDays: 0, fullWeightDays: 0, standingDays: 0 };

/** Reports and moderators' decisions. */
export async function writeModeration(
  tx: Db,
  { cases, suspensions, removals }: Moderation,
  admin: Account,
  dailyCounts: DailyCounts,
): Promise<void> {
  for (const removal of removals) await writeRemoval(tx, removal);
  for (const suspension of suspensions) await writeSuspension(tx, suspension);
  for (const reportCase of cases) await writeCase(tx, reportCase, admin, dailyCounts);
}

async function writeRemoval(tx: Db, { comment, reason, at, appeal }: CommentRemoval): Promise<void> {
  const { id } = await remove(tx, removableComment, comment.id, { reason, now: at });
  if (!appeal) return;
  const { accept, answer, answeredAt } = appeal;
  await addAppeal(tx, id, appeal.text, appeal.at);
  await answerAppeal(tx, { id, accept, answer }, answeredAt);
}

async function writeSuspension(tx: Db, { account, reason, at, until, appeal }: Suspension): Promise<void> {
  const { id } = await suspend(tx, account.id, { reason, until, now: at });
  if (appeal) await addAppeal(tx, id, appeal.text, appeal.at);
}

async function writeCase(
  tx: Db,
  { kind, target, reports, dismissedAt }: ReportCase,
  admin: Account,
  dailyCounts: DailyCounts,
): Promise<void> {
  let id = 0;
  for (const { reporter, reason, note, at } of reports) {
    const report = { reporterId: reporter.id, reason, note, now: at };
    const { caseId } = await addReport(tx, { kind, target_id: target.id }, report, holding);
    id = caseId;
    dailyCounts.add("reports", at);
  }
  if (dismissedAt === null) return;
  const call = callBy(admin, dismissedAt);
  await resolveCases(call, tx, { ids: [id], action: "dismiss", reason: "No violation" });
}
