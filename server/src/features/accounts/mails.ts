import type { EndedAccess } from "@tandem/contract/account-resources";
import { MINUTE } from "@tandem/contract/durations";
import { chargeAll, rateLimitError } from "../../http/quota.ts";
import type { Services } from "../../http/services.ts";
import { backoff } from "../../jobs/backoff.ts";
import { type QueueRow, removeLeased, renew } from "../../jobs/queue.ts";
import { retried, type Work, workOff } from "../../jobs/work-queue.ts";
import { type Email, UndeliverableEmail } from "../../mail/mailer.ts";
import type { MailKind } from "../../storage/schema/accounts.ts";
import type { Db } from "../../storage/storage.ts";
import { readAccess } from "./access.queries.ts";
import { describeAccess, describeEnded, emailTemplates } from "./email-templates.ts";
import { isPlaceholder } from "./placeholder.ts";
import { makeToken } from "./tokens.ts";

export interface NewMail {
  /** Null if the recipient has no account; `username` then names them. */
  userId: number | null;
  username?: string;
  /** What an admin adds. */
  note?: string | null;
  kind: MailKind;
  address: string;
  /** What its cause ended, if the mail tells that. */
  ended?: EndedAccess | null;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Queues a mail, which is sent once the transaction has been committed; see `postMails`. Returns false if none will be sent:
 * mail isn't set up, or the address is a placeholder.
 */
export async function queueMail(services: Services, tx: Db, mail: NewMail): Promise<boolean> {
  if (!services.mailer.delivers || isPlaceholder(mail.address)) return false;
  const { userId: user_id, username = null, note = null, kind, address, ended, now } = mail;
  await tx
    .insertInto("mails")
    .values({
      user_id,
      username,
      note,
      kind,
      address,
      ended: ended ? JSON.stringify(ended) : null,
      due_at: now,
    })
    .execute();
  return true;
}

/**
 * The same for mails that weren't requested, such as the notice of a new password. Mails to one address are rate limited,
 * whatever caused them: the address may be someone else's.
 */
export async function queueNotice(services: Services, tx: Db, mail: NewMail): Promise<boolean> {
  if (!services.mailer.delivers) return false;
  const name = "noticePerRecipient";
  const allowance = { name, ...services.config.limits.throttles[name] };
  const holder = `${name}:${mail.address.toLowerCase()}`;
  const [states = []] = await chargeAll(tx, [{ holder, allowances: [allowance], now: mail.now }]);
  return rateLimitError(states) === null && queueMail(services, tx, mail);
}

/** Drops queued confirmations to addresses other than this one. */
export async function dropMails(tx: Db, userId: number, address: string): Promise<void> {
  await tx
    .deleteFrom("mails")
    .where("user_id", "=", userId)
    .where("kind", "in", ["confirm_email", "sign_up_approved"])
    .where("address", "<>", address)
    .execute();
}

/** Sends queued mails after the response; the job `mails` retries those that fail. */
export function postMails(services: Services): void {
  if (services.mailer.delivers) services.afterResponse.run("mails", () => sendMails(services));
}

export const mailQueue: Work<"mails"> = retried<"mails">({
  kind: "mails",
  table: "mails",
  key: "id",
  lease: 5 * MINUTE,
  atOnce: 4,
  // More than a day in all.
  maxAttempts: 20,
  pauseAfter: (attempts) => backoff(attempts, { first: MINUTE, longest: 120 * MINUTE }),
  isFinal: (error) => error instanceof UndeliverableEmail,
  // The mail server failed; it would fail with the others, too.
  stopsQueue: (error) => !(error instanceof UndeliverableEmail),
  async run({ storage, mailer, baseUrl, now }, mail) {
    const letter = await storage.write(async (tx) => {
      // Locks the mail: code that deletes it, because a link must no longer be sent, deletes its token too.
      await renew(tx, mailQueue, mail, mailQueue.lease);
      return composeEmail(tx, baseUrl, mail, now());
    });
    await mailer.send(letter);
    await storage.write((tx) => removeLeased(tx, mailQueue, mail));
  },
  giveUp: (tx, _services, mail) => removeLeased(tx, mailQueue, mail),
  log({ log }, { id, kind, attempts }, error, isLast) {
    // Neither the address nor the text: more people read the log than the mail.
    const about = { mail: id, kind, attempts, reason: reasonOf(error) };
    log[isLast ? "error" : "warn"](about, "a mail could not be sent");
  },
});

/** Sends mails that are due. */
export function sendMails(services: Services, signal?: AbortSignal): Promise<void> {
  return workOff(services, mailQueue, signal);
}

/** Creates the token only now, so that it is stored nowhere but in the mail. */
async function composeEmail(
  tx: Db,
  baseUrl: string,
  { user_id: userId, kind, address, ended, ...mail }: QueueRow<"mails">,
  now: number,
): Promise<Email> {
  const { subject, link, listsAccess, paragraphs } = emailTemplates[kind];
  const username = mail.username ?? (await usernameOf(tx, userId));
  const token =
    link &&
    (await makeToken(tx, { purpose: link.purpose, userId, email: address, expiresAt: now + link.lasts }));
  // After the #, so that no server's log and no other site sees it.
  const url = link ? `${baseUrl}${link.page}#token=${token}` : "";
  const opens = listsAccess && userId !== null ? describeAccess(await readAccess(tx, userId), baseUrl) : null;
  const added = [ended === null ? null : describeEnded(JSON.parse(ended)), opens, mail.note];
  const text = paragraphs(
    username,
    url,
    added.filter((paragraph) => paragraph !== null),
  ).join("\n\n");
  return { to: address, subject: `Tandem: ${subject}`, text: `${text}\n` };
}

async function usernameOf(tx: Db, userId: number | null): Promise<string> {
  const { username } = await tx
    .selectFrom("users")
    .select("username")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return username;
}

/** A mail server's message may repeat the address; its code doesn't. */
export function reasonOf(err: unknown): string {
  const { cause } = err as { cause?: unknown };
  const { code, responseCode } = (cause ?? err) as { code?: string; responseCode?: number };
  return [code ?? "unknown", responseCode].filter(Boolean).join(" ");
}
