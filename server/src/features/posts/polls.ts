import { DAY, MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { repeatedOption } from "@tandem/contract/poll-options";
import type { Poll, PollResults } from "@tandem/contract/post-resources";
import { type RawBuilder, sql } from "kysely";
import { changedNothing, withdrewDraft } from "../../http/activity.ts";
import { ApiError, invalid } from "../../http/api-error.ts";
import type { Call, Handlers } from "../../http/context.ts";
import { insertRows } from "../../storage/bulk.ts";
import { fromFragment, type PostFacts } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { assertNoneBlocked } from "../people/block-check.ts";
import { readResults } from "./poll-results.ts";
import { lockPost, readFacts } from "./posts.queries.ts";

/*
 * What a poll asks is part of its post's text, and never changes. An account's vote is one row, which says whether AI cast it; the
 * counters of options and voters change with it, in the transaction that has the post locked.
 */

export const polls = {
  vote: (ctx, { id, choices }) =>
    ctx.write((tx) => {
      const { caller, now, services } = ctx;
      const input = { id, choices };
      const call = { operation: "vote", caller, input, now } as const;
      return services.withdrawingOvertaken(tx, call, async (withdrew) => {
        const response = await vote(ctx, tx, input);
        return withdrew ? withdrewDraft(response) : response;
      });
    }),
  unvote: (ctx, { id }) => ctx.write((tx) => unvote(ctx, tx, { id })),
} satisfies Handlers<"vote" | "unvote">;

/** A poll as it is sent. */
export interface PollInput {
  options: string[];
  closesAt: string;
  isMultiple?: boolean;
}

/** A poll as its post shows it. */
export function pollOf({ options, closesAt, isMultiple = false }: PollInput): Poll {
  return { options, isMultiple, closesAt: new Date(closesAt).toISOString() };
}

const { minMinutes, maxDays } = limits.pollTime;

/** Throws `invalid_input` unless the poll can be published at this time. */
export function assertPublishable(poll: PollInput, at: number): void {
  const closesAt = Date.parse(poll.closesAt);
  if (closesAt <= at) throw invalid("poll", "poll.closesAt has passed. Choose a later time.");
  if (closesAt > at + maxDays * DAY)
    throw invalid("poll", `poll.closesAt can be at most ${maxDays} days after the post is published.`);
}

/** As {@link assertPublishable}, for a poll that is being written: it must stay open for some minutes, and tell its options apart. */
export function validatePoll(poll: PollInput, publishAt: number | null): void {
  if (repeatedOption(poll.options) >= 0)
    throw invalid("poll", "poll.options must differ from each other in more than case and blanks.");
  if (publishAt === null) return;
  assertPublishable(poll, publishAt);
  if (Date.parse(poll.closesAt) < publishAt + minMinutes * MINUTE)
    throw invalid(
      "poll",
      `poll.closesAt must be at least ${minMinutes} minutes after the post is published.`,
    );
}

/** Adds the counters of a new post's poll. */
export async function addPoll(tx: Db, postId: number, { options, closesAt }: Poll): Promise<void> {
  const poll = { post_id: postId, closes_at: Date.parse(closesAt), announced_upto: 0 };
  await tx.insertInto("polls").values(poll).execute();
  await insertRows(
    tx,
    "poll_options",
    options.map((_, position) => ({ post_id: postId, position })),
  );
}

/** Throws `not_found`, `poll_closed`, `invalid_input`, or `forbidden` if a block is between the two. */
export async function vote(call: Call, tx: Db, { id, choices }: { id: number; choices: readonly number[] }) {
  const { caller, now } = call;
  const { poll, user_id } = await lockOpenPoll(tx, id, now);
  if (choices.some((choice) => choice >= poll.options.length))
    throw invalid("choices", `choices must be from 0 to ${poll.options.length - 1}, as in poll.options.`);
  if (choices.length > 1 && !poll.isMultiple)
    throw invalid("choices", "choices can have only one item: the poll takes one option.");
  await assertNoneBlocked(tx, caller, [user_id]);
  const before = await readVote(tx, caller.userId, id);
  const chosen = JSON.stringify([...choices].sort());
  const by_ai = caller.byAi ? 1 : 0;
  if (before?.choices === chosen && before.by_ai === by_ai)
    return changedNothing(await resultsOf(tx, id, call));
  if (before) await deleteVotes(tx, caller.userId, sql`${id}`);
  const row = { user_id: caller.userId, post_id: id, choices: chosen, by_ai, voted_at: now };
  await tx.insertInto("poll_votes").values(row).execute();
  await countVotes(tx, votesIn(caller.userId, sql`${id}`), 1);
  return resultsOf(tx, id, call);
}

/** Throws `not_found` or `poll_closed`. */
export async function unvote(call: Call, tx: Db, { id }: { id: number }) {
  await lockOpenPoll(tx, id, call.now);
  const before = await readVote(tx, call.caller.userId, id);
  if (!before) return changedNothing(await resultsOf(tx, id, call));
  await deleteVotes(tx, call.caller.userId, sql`${id}`);
  return resultsOf(tx, id, call);
}

async function lockOpenPoll(tx: Db, id: number, now: number) {
  const { user_id } = await lockPost(tx, id);
  const { poll } = await readFacts(tx, id);
  if (!poll)
    throw new ApiError("not_found", "This post has no poll.", {
      hint: "Don't retry. Only posts whose `poll` isn't null have one.",
    });
  if (Date.parse(poll.closesAt) <= now)
    throw new ApiError("poll_closed", "This poll has closed. Votes can't be cast, changed or taken back.");
  return { poll, user_id };
}

function readVote(tx: Db, userId: number, postId: number) {
  return tx
    .selectFrom("poll_votes")
    .select(["choices", "by_ai"])
    .where("user_id", "=", userId)
    .where("post_id", "=", postId)
    .executeTakeFirst();
}

async function resultsOf(db: Db, id: number, call: Call): Promise<{ pollResults: PollResults }> {
  const pollResults = (await readResults(db, [id], call.caller.userId)).get(id);
  if (!pollResults) throw new Error(`poll ${id} is gone from its own transaction`);
  return { pollResults };
}

/** Those of these posts on which the caller's votes can't be taken back: removed ones, and those whose poll has closed. */
export async function fixedVotes(tx: Db, ids: readonly number[], call: Call): Promise<Set<number>> {
  const { rows } = await sql<{ id: number; removed: number; fragment: string }>`
    select p.id, p.removed, p.fragment from poll_votes v join posts p on p.id = v.post_id
    where v.user_id = ${call.caller.userId} and v.post_id in (${tx.engine.oneOf(ids)})`.execute(tx);
  const isClosed = ({ poll }: PostFacts) => !poll || Date.parse(poll.closesAt) <= call.now;
  const fixed = rows.filter(({ removed, fragment }) => removed === 1 || isClosed(fromFragment(fragment)));
  return new Set(fixed.map(({ id }) => id));
}

/** Takes back the caller's votes on these posts, none of which {@link fixedVotes} has. Returns how many. */
export async function unvotePosts(tx: Db, ids: readonly number[], call: Call): Promise<number> {
  const { rows } = await sql<{ post_id: number }>`
    select post_id from poll_votes
    where user_id = ${call.caller.userId} and post_id in (${tx.engine.oneOf(ids)}) order by post_id`.execute(
    tx,
  );
  for (const { post_id: id } of rows) await unvote(call, tx, { id });
  return rows.length;
}

/** Deletes an account's votes on these posts, also in closed polls. `posts` is an id or a query of ids. */
export async function deleteVotes(tx: Db, userId: number, posts: RawBuilder<unknown>): Promise<void> {
  await countVotes(tx, votesIn(userId, posts), -1);
  await sql`delete from poll_votes where user_id = ${userId} and post_id in (${posts})`.execute(tx);
}

const votesIn = (userId: number, posts: RawBuilder<unknown>) =>
  sql`select post_id, choices, by_ai from poll_votes where user_id = ${userId} and post_id in (${posts})`;

/** Whether a vote, a row `v`, chose an option, a row of this name: positions have one digit. */
export const chose = (option: string) =>
  sql`v.choices like concat('%', ${sql.ref(`${option}.position`)}, '%')`;

async function countVotes(tx: Db, votes: RawBuilder<unknown>, by: 1 | -1): Promise<void> {
  const sign = sql.lit(by);
  await sql`update poll_options as o set vote_count = o.vote_count + ${sign},
      ai_vote_count = o.ai_vote_count + ${sign} * v.by_ai
    from (${votes}) as v where o.post_id = v.post_id and ${chose("o")}`.execute(tx);
  await sql`update polls as p set voter_count = p.voter_count + ${sign},
      ai_voter_count = p.ai_voter_count + ${sign} * v.by_ai
    from (${votes}) as v where p.post_id = v.post_id`.execute(tx);
}
