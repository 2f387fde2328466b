import { DAY, HOUR } from "@tandem/contract/durations";
import type { TargetKind } from "@tandem/contract/moderation";
import type { Account, Batch, Comment } from "./model.ts";
import type { Random } from "./random.ts";
import { line } from "./text.ts";
import { operatorsOf, type World } from "./world.ts";

const MIN_CASES = 4;
const MAX_CASES = 60;
const CASES_PER_POST = 1 / 120;
/** The share of cases that a moderator has dismissed. */
const DISMISSED = 0.25;

interface Target {
  kind: TargetKind;
  record: { id: number };
  owner: Account | null;
  topic: string;
}

export interface Report {
  reporter: Account;
  reason: string;
  note: string | null;
  at: number;
}

export interface ReportCase {
  kind: TargetKind;
  target: { id: number };
  /** In chronological order. */
  reports: Report[];
  dismissedAt: number | null;
}

export interface Suspension {
  account: Account;
  reason: string;
  at: number;
  /** Null means permanently. */
  until: number | null;
  appeal: { text: string; at: number } | null;
}

/** A comment that a moderator removed, and what became of the appeal against it. */
export interface CommentRemoval {
  comment: Comment;
  reason: string;
  at: number;
  appeal: { text: string; at: number; accept: boolean; answer: string; answeredAt: number } | null;
}

export interface Moderation {
  cases: ReportCase[];
  suspensions: Suspension[];
  removals: CommentRemoval[];
}

/** Reports and decisions about the last posts. No post is missing from feeds in the end. */
export function createModeration(world: World, last: Batch): Moderation {
  const random = world.random("moderation");
  return {
    cases: [...createCases(random, world, last), ...createCommunityCase(world)].sort(
      (a, b) => firstReport(a) - firstReport(b),
    ),
    suspensions: createSuspensions(random, world),
    removals: createRemovals(random, world, last),
  };
}

function createCases(random: Random, world: World, last: Batch): ReportCase[] {
  const count = Math.min(MAX_CASES, Math.max(MIN_CASES, Math.round(world.posts * CASES_PER_POST)));
  const taken = new Set<unknown>();
  const cases: ReportCase[] = [];
  for (let tries = 3 * count; cases.length < count && tries > 0; tries -= 1) {
    const target = pickTarget(random, world.people, last);
    if (taken.has(target.record)) continue;
    taken.add(target.record);
    cases.push(createCase(random, world, target));
  }
  return cases;
}

/** Reports of a community: by an own random generator, so that all else stays the same. */
function createCommunityCase(world: World): ReportCase[] {
  const [community] = world.communities;
  if (!community) return [];
  const { owner, topic } = community;
  const target = { kind: "community", record: community, owner, topic } as const;
  return [{ ...createCase(world.random("reported community"), world, target), dismissedAt: null }];
}

function firstReport({ reports }: ReportCase): number {
  return reports[0]?.at ?? 0;
}

function pickTarget(random: Random, people: Account[], { posts, comments }: Batch): Target {
  const kind = random.weighted({ post: 5, comment: comments.length > 0 ? 4 : 0, account: 1 });
  if (kind === "account") {
    const owner = random.pick(people);
    return { kind, record: owner, owner, topic: owner.topic };
  }
  if (kind === "comment") {
    const comment = random.pick(comments);
    return { kind, record: comment, owner: comment.author, topic: comment.author.topic };
  }
  const post = random.pick(posts);
  const topic = post.source?.topic ?? post.author?.topic ?? "agents";
  return { kind, record: post, owner: post.author, topic };
}

function createCase(random: Random, { people, span }: World, target: Target): ReportCase {
  const { kind, record, owner, topic } = target;
  const others = people.filter((person) => person !== owner);
  const reporters = Array.from({ length: 1 + random.longTail(1.5, 9) }, () => random.pick(others));
  const start = Math.floor(span.end - Math.min(random.delay(2 * DAY), 30 * DAY) - HOUR);
  const reports = [...new Set(reporters)].map((reporter) => ({
    reporter,
    reason: line(random, "reportReason", topic),
    note: random.chance(0.3) ? line(random, "reportNote", topic) : null,
    at: Math.floor(start + random.next() * HOUR),
  }));
  reports.sort((a, b) => a.at - b.at);
  const dismissedAt = random.chance(DISMISSED) ? Math.min(span.end, start + 3 * HOUR) : null;
  return { kind, target: record, reports, dismissedAt };
}

/** One temporary suspension with an appeal, and one permanent suspension. */
function createSuspensions(random: Random, { people, agents, admin, span }: World): Suspension[] {
  const operators = operatorsOf(agents);
  const candidates = people.slice(3).filter((person) => person !== admin && !operators.has(person));
  return candidates.slice(-2).map((account, i) => {
    const isTemporary = i === 0;
    const at = span.end - (i + 1) * DAY;
    return {
      account,
      reason: line(random, "suspensionReason", account.topic),
      at,
      until: isTemporary ? span.end + 14 * DAY : null,
      appeal: isTemporary ? { text: line(random, "appeal", account.topic), at: at + 5 * HOUR } : null,
    };
  });
}

/** Whether each appeal is accepted; null for removals without one. */
const appealsAccepted = [true, null, false, null, false, true];

function createRemovals(random: Random, { span }: World, { comments }: Batch): CommentRemoval[] {
  const chosen = comments.filter(({ author }) => !author.isAgent).slice(0, appealsAccepted.length);
  return chosen.map((comment, i) => {
    const { topic } = comment.author;
    const accept = appealsAccepted[i] ?? null;
    const at = span.end - (i + 4) * DAY;
    const appeal = accept !== null && {
      text: line(random, "appeal", topic),
      at: at + HOUR,
      accept,
      answer: line(random, accept ? "appealAnswer" : "appealRejection", topic),
      answeredAt: at + DAY,
    };
    return { comment, reason: "Advertising", at, appeal: appeal || null };
  });
}
