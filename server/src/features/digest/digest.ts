import { MINUTE } from "@tandem/contract/durations";
import { routeOf } from "@tandem/contract/hints";
import { ApiError } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";
import { accountColumns, caller } from "../../http/credential.ts";
import type { Services } from "../../http/services.ts";
import { backoff } from "../../jobs/backoff.ts";
import { type QueueRow, release } from "../../jobs/queue.ts";
import { retried, type Work, workOff } from "../../jobs/work-queue.ts";
import { type Email, UndeliverableEmail } from "../../mail/mailer.ts";
import type { Db } from "../../storage/storage.ts";
import { chooseDigest, digestPeriods } from "../accounts/digest-choice.ts";
import { reasonOf } from "../accounts/mails.ts";
import { isPlaceholder } from "../accounts/placeholder.ts";
import { composeDigest } from "./compose.ts";

export const digest = {
  async endDigest(ctx, { token }) {
    // Read first: a wrong token must not cost a write.
    if ((await ownerOf(ctx.read, token)) === null) throw unknownToken();
    return ctx.write(async (tx) => {
      const userId = await ownerOf(tx, token);
      if (userId === null) throw unknownToken();
      ctx.concerns("user", userId);
      await chooseDigest(tx, userId, "off", ctx.now);
      return { ok: true };
    });
  },
} satisfies Handlers<"endDigest">;

/** Whose digest it is; null if the token is unknown. */
async function ownerOf(db: Db, token: string): Promise<number | null> {
  const row = await db.selectFrom("digests").select("user_id").where("token", "=", token).executeTakeFirst();
  return row?.user_id ?? null;
}

function unknownToken(): ApiError {
  return new ApiError("invalid_token", "No digest has this link.", {
    field: "token",
    hint: `Use the link of the latest digest, or turn the digest off with ${routeOf("editPreferences")}.`,
  });
}

/** Ends a digest for a mail program's own "unsubscribe" button (RFC 8058). Returns whether the token is known. */
export async function endByMailProgram({ storage, now }: Services, token: string): Promise<boolean> {
  const userId = await ownerOf(storage.read, token);
  if (userId !== null) await storage.write((tx) => chooseDigest(tx, userId, "off", now()));
  return userId !== null;
}

export const digestQueue: Work<"digests"> = retried<"digests">({
  kind: "digests",
  table: "digests",
  key: "user_id",
  lease: 5 * MINUTE,
  atOnce: 2,
  // Some hours in all: then the next one is soon enough.
  maxAttempts: 8,
  pauseAfter: (attempts) => backoff(attempts, { first: MINUTE, longest: 120 * MINUTE }),
  // It would fail with the others, too.
  stopsQueue: (error) => error instanceof MailServerError,
  async run(services, row) {
    const { storage, baseUrl, now } = services;
    const reader = await readerOf(storage.read, row.user_id);
    const digest = reader && (await composeDigest(storage.read, { ...row, ...reader, baseUrl, now: now() }));
    const isRefused = digest !== null && !(await deliver(services, digest.email));
    await storage.write((tx) =>
      isRefused ? endRefused(tx, row) : planNext(tx, services, row, digest?.toldUpto),
    );
  },
  giveUp: (tx, services, row) => planNext(tx, services, row),
  log({ log }, { user_id, attempts }, error, isLast) {
    const about = { account: user_id, attempts, reason: reasonOf(error) };
    log[isLast ? "error" : "warn"](about, "a digest could not be sent");
  },
});

/** Sends digests that are due. */
export function sendDigests(services: Services, signal?: AbortSignal): Promise<void> {
  return workOff(services, digestQueue, signal);
}

class MailServerError extends Error {}

/** Returns false if the address permanently refuses mail. Throws {@link MailServerError}. */
async function deliver({ mailer }: Services, email: Email): Promise<boolean> {
  try {
    await mailer.send(email);
    return true;
  } catch (cause) {
    if (cause instanceof UndeliverableEmail) return false;
    throw new MailServerError("The mail server failed", { cause });
  }
}

/** Mail to an address that refuses it harms the sender's reputation. */
function endRefused(tx: Db, row: QueueRow<"digests">): Promise<void> {
  return release(tx, digestQueue, row, { every: "off", due_at: null, attempts: 0 });
}

/** `told_upto`: the last post that was told. */
function planNext(
  tx: Db,
  { now }: Services,
  row: QueueRow<"digests">,
  told_upto: number = row.told_upto,
): Promise<void> {
  const period = digestPeriods[row.every];
  // At the same time of day, unless the service was down for so long that it would be due again at once.
  const planned = period && (row.due_at ?? now()) + period;
  const due_at = planned && period && (planned > now() ? planned : now() + period);
  return release(tx, digestQueue, row, { due_at, told_upto, attempts: 0 });
}

/** The account as a reader, and its address. Null if it gets no mail: the address isn't confirmed, or it is being deleted. */
async function readerOf(db: Db, userId: number) {
  const row = await db
    .selectFrom("users")
    .leftJoin("users as operator", "operator.id", "users.operator_id")
    .select(accountColumns)
    .select(["users.email", "users.email_verified", "users.unread"])
    .where("users.id", "=", userId)
    .where("users.removing_at", "is", null)
    .executeTakeFirst();
  if (!row || row.email_verified === 0 || isPlaceholder(row.email)) return null;
  return { reader: caller(row, {}), address: row.email, unread: row.unread };
}
