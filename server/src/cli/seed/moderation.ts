import type { TargetKind } from "@tandem/contract/moderation";
import { record } from "../../http/audit.ts";
import { FOR_GOOD } from "../../http/suspension.ts";
import { insertRows } from "../../storage/bulk.ts";
import type { Db } from "../../storage/storage.ts";
import type { Days } from "./days.ts";
import type { Account, Batch } from "./plan.ts";
import type { Random } from "./random.ts";
import { line } from "./text.ts";
import { DAY, HOUR } from "./time.ts";
import type { World } from "./world.ts";
import { adminOf, assignIds } from "./write-world.ts";

const CASES = { fewest: 4, most: 60, perPost: 1 / 120 };
const LOOKED_INTO = 0.25;

interface Case {
  id: number;
  kind: TargetKind;
  target: number;
  owner: Account | null;
  topic: string;
  reporters: Account[];
  at: number;
  /** When it was looked into; null while it is open. */
  resolvedAt: number | null;
}

/** Recent reports and moderators' decisions. Nothing that would be missing from a feed. */
export async function writeOrder(tx: Db, world: World, last: Batch, days: Days): Promise<void> {
  const random = world.random("order");
  const cases = casesOf(random, world, last);
  await addReports(tx, random, cases, days, world.span.at);
  await addSuspensions(tx, random, world, days);
  await addAppealWon(tx, random, world, last);
  await addAudit(tx, world, cases);
}

function casesOf(random: Random, { people, span, posts: all }: World, { posts, comments }: Batch): Case[] {
  const count = Math.min(CASES.most, Math.max(CASES.fewest, Math.round(all * CASES.perPost)));
  const seen = new Set<string>();
  const cases: Case[] = [];
  for (let tries = 3 * count; cases.length < count && tries > 0; tries -= 1) {
    const target = targetAmong(random, people, posts, comments);
    const name = `${target.kind} ${target.target}`;
    if (seen.has(name)) continue;
    seen.add(name);
    const others = people.filter((one) => one !== target.owner);
    const reporters = [
      ...new Set(Array.from({ length: 1 + random.longTail(1.5, 9) }, () => random.pick(others))),
    ];
    const at = Math.floor(span.at - Math.min(random.wait(2 * DAY), 30 * DAY) - HOUR);
    const resolvedAt = random.chance(LOOKED_INTO) ? Math.min(span.at, at + 3 * HOUR) : null;
    cases.push({ id: 0, ...target, reporters, at, resolvedAt });
  }
  return cases.sort((a, b) => a.at - b.at);
}

function targetAmong(
  random: Random,
  people: Account[],
  posts: Batch["posts"],
  comments: Batch["comments"],
): Pick<Case, "kind" | "target" | "owner" | "topic"> {
  const kind = random.weighted({ post: 5, comment: comments.length > 0 ? 4 : 0, account: 1 });
  if (kind === "account") {
    const owner = random.pick(people);
    return { kind, target: owner.id, owner, topic: owner.topic };
  }
  if (kind === "comment") {
    const { id, by } = random.pick(comments);
    return { kind, target: id, owner: by, topic: by.topic };
  }
  const { id, by, source } = random.pick(posts);
  return { kind, target: id, owner: by, topic: source?.topic ?? by?.topic ?? "agents" };
}

async function addReports(tx: Db, random: Random, cases: Case[], days: Days, now: number): Promise<void> {
  await assignIds(tx, "report_cases", cases);
  const rows = cases.map(({ id, kind, target, reporters, at, resolvedAt }) => ({
    ...{ id, kind, target_id: target, state: resolvedAt ? ("resolved" as const) : ("open" as const) },
    ...{
      outcome: resolvedAt ? ("dismissed" as const) : null,
      reports: reporters.length,
      recent: reporters.length,
    },
    ...{ recent_since: at, created_at: at, newest_at: Math.min(now, at + HOUR) },
    resolved_at: resolvedAt,
  }));
  await insertRows(tx, "report_cases", rows);
  const reports = cases.flatMap(({ id, reporters, topic, at }) =>
    reporters.map((one) => ({
      case_id: id,
      reporter_id: one.id,
      reason: line(random, "reportReason", topic),
      note: random.chance(0.3) ? line(random, "reportNote", topic) : null,
      created_at: Math.floor(at + random.next() * HOUR),
    })),
  );
  for (const report of reports) days.count("reports", report.created_at);
  await insertRows(tx, "reports", reports);
}

/** Two suspended accounts: one temporarily, with an appeal, and one permanently. */
async function addSuspensions(tx: Db, random: Random, world: World, days: Days): Promise<void> {
  const { people, agents, span } = world;
  const operators = new Set(agents.map(({ operator }) => operator));
  const quiet = people.slice(3).filter((one) => !operators.has(one));
  for (const [i, account] of quiet.slice(-2).entries()) {
    const until = i === 0 ? span.at + 14 * DAY : null;
    const at = span.at - (i + 1) * DAY;
    const appeal = i === 0 ? line(random, "appeal", account.topic) : null;
    await tx
      .insertInto("decisions")
      .values({
        ...{ act: "suspend", user_id: account.id, excerpt: account.username, automated: 0 },
        reason: line(random, "ban", account.topic),
        ...{ until_at: until, created_at: at, appeal, appealed_at: appeal === null ? null : at + 5 * HOUR },
      })
      .execute();
    const suspended_until = until ?? FOR_GOOD;
    await tx.updateTable("users").set({ suspended_until }).where("id", "=", account.id).execute();
    days.count("decisions", at);
  }
}

/** A comment that was removed, and restored after its author's appeal. */
async function addAppealWon(tx: Db, random: Random, { span }: World, { comments }: Batch): Promise<void> {
  const comment = comments.find(({ by }) => !by.isAgent);
  if (!comment) return;
  const { id, post, by, body } = comment;
  const [at, answered] = [span.at - 4 * DAY, span.at - 3 * DAY];
  await tx
    .insertInto("decisions")
    .values({
      ...{
        act: "remove_comment",
        user_id: by.id,
        post_id: post.id,
        comment_id: id,
        excerpt: body.slice(0, 100),
      },
      ...{ reason: "Advertising", automated: 0, created_at: at, undone_at: answered },
      ...{ appeal: line(random, "appeal", by.topic), appealed_at: at + HOUR },
      ...{ answer: line(random, "answer", by.topic), answered_at: answered, accepted: 1 },
    })
    .execute();
}

async function addAudit(tx: Db, world: World, cases: Case[]): Promise<void> {
  const { id: userId, username } = adminOf(world);
  const caller = { userId, username };
  const acts = cases.flatMap(({ kind, target, resolvedAt: now }) =>
    now === null ? [] : [{ caller, act: "dismiss", target: `${kind}:${target}`, detail: {}, now }],
  );
  await record(tx, acts);
}
