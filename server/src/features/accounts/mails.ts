import { randomUUID } from "node:crypto";
import { chargeAll, usedUp } from "../../http/quota.ts";
import type { Services } from "../../http/services.ts";
import { type Email, UndeliverableEmail } from "../../mail/mailer.ts";
import type { MailKind } from "../../storage/schema/accounts.ts";
import type { Db } from "../../storage/storage.ts";
import { letters } from "./email-templates.ts";
import { makeToken } from "./tokens.ts";

const MINUTE = 60_000;
/** Milliseconds after which whoever has taken a mail on counts as dead; longer than a mail server may take. */
const LEASE = 5 * MINUTE;
/** Milliseconds between two attempts at most, */
const LONGEST_PAUSE = 120 * MINUTE;
/** and how many there are: more than a day's worth. */
const ATTEMPTS = 20;
/** Mails that a process sends at a time. */
const AT_ONCE = 4;

/** The addresses of agents, and of people whose provider tells none. */
const ownDomains = /@(agents|users)\.invalid$/i;

/** Whether it is one of the service's own addresses, which lead nowhere. */
export function leadsNowhere(address: string): boolean {
  return ownDomains.test(address);
}

export interface NewMail {
  userId: number;
  kind: MailKind;
  address: string;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Has a mail sent once the transaction is committed; see `postMails`. False where none will be: no mail is set up, or the
 * address leads nowhere.
 */
export async function queueMail(services: Services, tx: Db, mail: NewMail): Promise<boolean> {
  if (!services.mailer.delivers || leadsNowhere(mail.address)) return false;
  const { userId: user_id, kind, address, now } = mail;
  await tx.insertInto("mails").values({ user_id, kind, address, due_at: now }).execute();
  return true;
}

/**
 * The same for what nobody asked for, such as what is told of a new password. Of very many to one letter-box in a short
 * time the rest isn't sent, whatever gave cause to them: the address may be one that somebody made up.
 */
export async function queueNotice(services: Services, tx: Db, mail: NewMail): Promise<boolean> {
  if (!services.mailer.delivers) return false;
  const name = "noticePerRecipient";
  const allowance = { name, ...services.config.limits.throttles[name] };
  const holder = `${name}:${mail.address.toLowerCase()}`;
  const [states = []] = await chargeAll(tx, [{ holder, allowances: [allowance], now: mail.now }]);
  return usedUp(states) === null && queueMail(services, tx, mail);
}

/** Takes back what waits to be sent to other addresses than the account's own, for whoever asked for it. */
export async function dropMails(tx: Db, userId: number, address: string): Promise<void> {
  await tx
    .deleteFrom("mails")
    .where("user_id", "=", userId)
    .where("kind", "=", "confirm_email")
    .where("address", "<>", address)
    .execute();
}

/** Sends what is queued, beside the answer; what fails then, the job `mails` does. */
export function postMails(services: Services): void {
  if (services.mailer.delivers) services.media.afterResponse("mails", () => sendMails(services));
}

/** Sends what is due, until nothing is or the signal says to stop. Several processes may do so at once. */
export async function sendMails(services: Services, signal?: AbortSignal): Promise<void> {
  const down = new AbortController();
  const stop = AbortSignal.any([down.signal, ...(signal ? [signal] : [])]);
  await Promise.all(Array.from({ length: AT_ONCE }, () => sendNext(services, stop, down)));
}

async function sendNext(services: Services, stop: AbortSignal, down: AbortController): Promise<void> {
  while (!stop.aborted) {
    const now = services.now();
    // Looked at first, for most of the time none is due: a look costs nobody else their turn.
    if (!(await due(services.storage.read, now).executeTakeFirst())) return;
    const taken = await services.storage.write((tx) => takeOn(tx, services.baseUrl, now));
    if (!taken) return;
    await attempt(services, taken).catch(async (error) => {
      await settleFailure(services, taken, error);
      // If it was the server that failed, the others' turn comes when it may be back.
      if (!(error instanceof UndeliverableEmail)) down.abort();
    });
  }
}

function due(db: Db, now: number) {
  return db
    .selectFrom("mails")
    .select(["id", "user_id", "kind", "address", "attempts"])
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .orderBy("id")
    .limit(1);
}

interface Taken {
  id: number;
  kind: MailKind;
  holder: string;
  attempts: number;
  letter: Email;
}

/** Takes the next mail on and writes its letter: the token in it is made now, so that it lies nowhere but in the mail. */
async function takeOn(tx: Db, baseUrl: string, now: number): Promise<Taken | null> {
  const mail = await due(tx, now)
    .$if(tx.engine.rowLocks, (query) => query.forUpdate().skipLocked())
    .executeTakeFirst();
  if (!mail) return null;
  const holder = randomUUID();
  const attempts = mail.attempts + 1;
  await tx
    .updateTable("mails")
    .set({ holder, attempts, due_at: now + LEASE })
    .where("id", "=", mail.id)
    .execute();
  const letter = await writeLetter(tx, baseUrl, { ...mail, userId: mail.user_id, now });
  return { id: mail.id, kind: mail.kind, holder, attempts, letter };
}

async function writeLetter(tx: Db, baseUrl: string, { userId, kind, address, now }: NewMail): Promise<Email> {
  const { subject, link, says } = letters[kind];
  const { username } = await tx
    .selectFrom("users")
    .select("username")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const token =
    link && (await makeToken(tx, { purpose: link.purpose, userId, about: address, ends: now + link.lasts }));
  // Behind the #, where no server's log and no other site gets to see it.
  const way = link ? `${baseUrl}${link.page}#token=${token}` : "";
  return { to: address, subject: `Tandem: ${subject}`, text: `${says(username, way).join("\n\n")}\n` };
}

async function attempt({ mailer, storage }: Services, { id, holder, letter }: Taken): Promise<void> {
  await mailer.send(letter);
  await storage.write((tx) => held(tx, id, holder).execute());
}

function held(tx: Db, id: number, holder: string) {
  return tx.deleteFrom("mails").where("id", "=", id).where("holder", "=", holder);
}

async function settleFailure(services: Services, taken: Taken, err: unknown): Promise<void> {
  const { id, holder, attempts, kind } = taken;
  const over = err instanceof UndeliverableEmail || attempts >= ATTEMPTS;
  const again = services.now() + Math.min(LONGEST_PAUSE, MINUTE * 2 ** (attempts - 1));
  // Neither the address nor what was in it: the log is read by others than mail is.
  services.log[over ? "error" : "warn"](
    { mail: id, kind, attempts, reason: reasonOf(err) },
    "a mail can't be sent",
  );
  await services.storage.write(async (tx) => {
    if (over) await held(tx, id, holder).execute();
    else
      await tx
        .updateTable("mails")
        .set({ holder: null, due_at: again })
        .where("id", "=", id)
        .where("holder", "=", holder)
        .execute();
  });
}

/** What a mail server says may repeat the address; its code doesn't. */
function reasonOf(err: unknown): string {
  const { cause } = err as { cause?: unknown };
  const { code, responseCode } = (cause ?? err) as { code?: string; responseCode?: number };
  return [code ?? "unknown", responseCode].filter(Boolean).join(" ");
}
