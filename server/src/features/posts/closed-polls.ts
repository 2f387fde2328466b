import { sql } from "kysely";
import { emitNotification } from "../../events/emit-notification.ts";
import { ApiError } from "../../http/api-error.ts";
import type { Services } from "../../http/services.ts";
import { type Db, Overloaded } from "../../storage/storage.ts";
import { blockedAmong } from "../people/block-check.ts";
import { lockPost } from "./posts.queries.ts";

/* Tells the author and the voters of a poll that it has closed: a few in each transaction, which also remembers how far it got. */

/** Voters that are notified in one transaction. */
const BATCH = 50;
/** Polls that take turns, so that one with very many voters doesn't delay the others. */
const POLLS_AT_ONCE = 10;
/** Transactions of one run. */
const MAX_BATCHES = 200;

/** Notifies those concerned of polls that have closed, until none is left, or the limit of a run is reached. */
export async function announceClosedPolls(
  { storage, now, log }: Services,
  signal: AbortSignal,
): Promise<void> {
  for (let batches = 0; batches < MAX_BATCHES; ) {
    // Read first: usually nothing is due, and this avoids the write lock.
    const closed = await closedPolls(storage.read, now()).execute();
    if (closed.length === 0) return;
    for (const { post_id } of closed) {
      if (signal.aborted) return;
      batches += 1;
      try {
        await storage.write((tx) => announceBatch(tx, post_id, now()));
      } catch (error) {
        if (error instanceof Overloaded) throw error;
        log.error({ err: error, post: post_id }, "notifying of a closed poll failed");
        await storage.write((tx) => rememberProgress(tx, post_id, null));
      }
    }
  }
}

/** Those whose voters aren't all notified, longest closed first. */
export function closedPolls(db: Db, now: number) {
  return db
    .selectFrom("polls")
    .select("post_id")
    .where("announced_upto", "is not", null)
    .where("closes_at", "<=", now)
    .orderBy("closes_at")
    .orderBy("post_id")
    .limit(POLLS_AT_ONCE);
}

/** Under the lock of the post, so that several processes notify no one twice. */
async function announceBatch(tx: Db, postId: number, now: number): Promise<void> {
  const post = await lockPost(tx, postId).catch(unlessGone);
  const poll = await tx
    .selectFrom("polls")
    .select("announced_upto")
    .where("post_id", "=", postId)
    .executeTakeFirst();
  if (poll?.announced_upto == null) return;
  if (!post) return stopWhileRemoved(tx, postId);
  const author = post.user_id;
  if (author === null) return rememberProgress(tx, postId, null);
  const { rows } = await nextVoters({ postId, author, after: poll.announced_upto }).execute(tx);
  const ids = rows.map(({ id }) => id);
  const blocked = await blockedAmong(tx, author, ids);
  const voters = ids.filter((id) => !blocked.has(id));
  const to = poll.announced_upto === 0 ? [...voters, author] : voters;
  const actors = [{ id: author, isAgent: await isAgent(tx, author), byAi: false, at: now }];
  // In ascending id order, to avoid deadlocks.
  for (const recipient of to.toSorted((a, b) => a - b))
    await emitNotification(tx, { type: "poll_closed", to: recipient, postId, commentId: null, actors });
  await rememberProgress(tx, postId, rows.length < BATCH ? null : (rows.at(-1)?.id ?? null));
}

function unlessGone(error: unknown): null {
  if (error instanceof ApiError && error.code === "not_found") return null;
  throw error;
}

/** No one is notified of a removed post: stops until it is restored, so that no run reads it again until then. */
async function stopWhileRemoved(tx: Db, postId: number): Promise<void> {
  // It may have been restored meanwhile.
  const post = await tx
    .selectFrom("posts")
    .select("removed")
    .where("id", "=", postId)
    .$if(tx.engine.rowLocks, (query) => query.forUpdate())
    .executeTakeFirst();
  if (post?.removed !== 1) return;
  await sql`update polls set stopped_upto = announced_upto, announced_upto = null where post_id = ${postId}`.execute(
    tx,
  );
}

/** The next run goes on to announce the poll of a post that is restored, if it closed while the post was removed. */
export async function resumeAnnouncing(tx: Db, postId: number): Promise<void> {
  await sql`update polls set announced_upto = stopped_upto, stopped_upto = null
    where post_id = ${postId} and stopped_upto is not null`.execute(tx);
}

interface After {
  postId: number;
  author: number;
  /** The voter who was notified last, by id. */
  after: number;
}

/** The next voters besides the author, by id. */
export function nextVoters({ postId, author, after }: After) {
  return sql<{ id: number }>`
    select v.user_id as id from poll_votes v
    where v.post_id = ${postId} and v.user_id > ${after} and v.user_id <> ${author}
    order by v.user_id limit ${sql.lit(BATCH)}`;
}

async function isAgent(tx: Db, userId: number): Promise<boolean> {
  const account = await tx.selectFrom("users").select("role").where("id", "=", userId).executeTakeFirst();
  return account?.role === "agent";
}

async function rememberProgress(tx: Db, postId: number, upTo: number | null): Promise<void> {
  await tx.updateTable("polls").set({ announced_upto: upTo }).where("post_id", "=", postId).execute();
}
