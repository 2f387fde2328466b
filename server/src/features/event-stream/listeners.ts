import { usersAmong } from "../../events/channels.ts";
import { stillValid } from "../../http/credential.ts";
import type { EventStream } from "../../http/event-stream.ts";
import type { Services } from "../../http/services.ts";
import type { Db } from "../../storage/storage.ts";
import { type Mailbox, mailboxes, messagesSince, newestMessage } from "../messages/messages.queries.ts";
import { addedSince, type Inbox, inboxes, newestOfAll, noticeJson, PAGE } from "./stream.queries.ts";

/** Milliseconds between two looks at what others wrote, where that isn't heard of, and between two parts of a round. */
const BEAT = 100;
/** Beats in which every account is looked at once, whether anything was heard of it or not. */
const ROUND = 50;
/** Milliseconds for which news are gathered before they are looked at. */
const GATHER = 5;
/** Accounts that are looked at together. */
const TOGETHER = 100;
/** Rows that are looked through at a time. */
const ROWS = 500;

interface Line {
  stream: EventStream;
  /** The last id that it was told. */
  after: number;
  /** The count that it was told last. */
  unread: number | null;
  /** How its account's messages stood when it was told last. */
  mailbox: Mailbox;
}

/** What is added by whomever, by id; and whether a line was told all up to one. */
interface Added {
  newest(db: Db): Promise<number>;
  since(db: Db, id: number, most: number): Promise<{ id: number; user_id: number }[]>;
  isKnown(line: Line, id: number): boolean;
}

const added: readonly Added[] = [
  { newest: newestOfAll, since: addedSince, isKnown: ({ after }, id) => after >= id },
  {
    newest: newestMessage,
    since: messagesSince,
    isKnown: (line, id) => !hearsMessages(line) || line.mailbox.last_id >= id,
  },
];

/**
 * Whoever listens to their notifications in this process. What is told is read from the database, and from where each line
 * stands: so a word that came too often, too late or never costs time at most, and never a notification.
 */
export class Listeners {
  readonly #services: Services;
  readonly #accounts = new Map<number, Set<Line>>();
  #woken = new Set<number>();
  #gathering: NodeJS.Timeout | null = null;
  #beat: NodeJS.Timeout | null = null;
  #unhear = () => {};
  #looking = false;
  /** Where the round goes on. */
  #round: IterableIterator<number> = [].values();
  /** Up to where it was looked who has something new, by what was added. */
  readonly #seen = new Map<Added, number>();

  constructor(services: Services) {
    this.#services = services;
  }

  add(stream: EventStream, after: number): void {
    const { userId } = stream.caller;
    const line: Line = { stream, after, unread: null, mailbox: { unread: 0, last_id: 0 } };
    const lines = this.#accounts.get(userId) ?? new Set();
    this.#accounts.set(userId, lines.add(line));
    stream.onClose(() => this.#remove(userId, line));
    if (!this.#beat) this.#begin();
    this.#wake(userId);
  }

  #remove(userId: number, line: Line): void {
    const lines = this.#accounts.get(userId);
    lines?.delete(line);
    if (lines?.size === 0) this.#accounts.delete(userId);
    if (this.#accounts.size === 0) this.#end();
  }

  #begin(): void {
    const { changes } = this.#services.storage;
    changes.follow();
    this.#unhear = changes.listen((places) => {
      for (const id of usersAmong(places)) this.#wake(id);
    });
    this.#beat = setInterval(() => void this.#look(true), BEAT).unref();
  }

  #end(): void {
    if (this.#beat) clearInterval(this.#beat);
    if (this.#gathering) clearTimeout(this.#gathering);
    this.#beat = null;
    this.#gathering = null;
    this.#seen.clear();
    this.#unhear();
    this.#services.storage.changes.unfollow();
  }

  #wake(userId: number): void {
    if (!this.#accounts.has(userId)) return;
    this.#woken.add(userId);
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      void this.#look(false);
    }, GATHER).unref();
  }

  /** One look at a time; whoever is woken meanwhile comes next. */
  async #look(beat: boolean): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      if (beat) {
        await this.#lookForOthers();
        this.#goRound();
      }
      while (this.#woken.size > 0) await this.#tell(this.#takeWoken());
    } catch (err) {
      // The round comes by those again who were passed over.
      this.#services.log.warn({ err }, "notifications can't be told just now");
    } finally {
      this.#looking = false;
    }
  }

  #takeWoken(): number[] {
    const some = [...this.#woken].slice(0, TOGETHER);
    for (const id of some) this.#woken.delete(id);
    return some;
  }

  async #lookForOthers(): Promise<void> {
    const { read, changes } = this.#services.storage;
    if (changes.reachesAll) this.#seen.clear();
    else for (const what of added) await this.#lookFor(what, read);
  }

  async #lookFor(what: Added, read: Db): Promise<void> {
    let seen = this.#seen.get(what) ?? (await what.newest(read));
    for (let rows = await what.since(read, seen, ROWS); rows.length > 0; ) {
      for (const { id, user_id } of rows) {
        seen = id;
        const lines = [...(this.#accounts.get(user_id) ?? [])];
        if (lines.some((line) => !what.isKnown(line, id))) this.#woken.add(user_id);
      }
      rows = rows.length < ROWS ? [] : await what.since(read, seen, ROWS);
    }
    this.#seen.set(what, seen);
  }

  /** Its part of all accounts: word of some may have been lost, and credentials end without any. */
  #goRound(): void {
    for (let left = Math.ceil(this.#accounts.size / ROUND); left > 0; left--) {
      const { value: userId, done } = this.#round.next();
      if (done) {
        this.#round = this.#accounts.keys();
        return;
      }
      for (const { stream } of this.#accounts.get(userId) ?? []) stream.look();
      if (this.#accounts.has(userId)) this.#woken.add(userId);
    }
  }

  /** Tells these accounts what is new, once it is sure who they are still. */
  async #tell(accounts: number[]): Promise<void> {
    const { storage } = this.#services;
    await this.#endFallen(accounts);
    const readers = accounts.flatMap((id) => this.#readerOf(id));
    if (readers.length === 0) return;
    for (const inbox of await inboxes(storage.read, readers)) this.#tellOne(inbox);
    const readMessages = accounts.filter((id) => [...(this.#accounts.get(id) ?? [])].some(hearsMessages));
    for (const [id, mailbox] of await mailboxes(storage.read, readMessages))
      this.#tellOfMessages(id, mailbox);
  }

  #tellOne(inbox: Inbox): void {
    const { user_id: userId, unread, unsent } = inbox;
    for (const row of unsent) this.#notify(userId, row.id, noticeJson(row, inbox));
    // The count comes last; if there are more notifications, after those.
    if (unsent.length === PAGE) this.#woken.add(userId);
    else this.#count(userId, unread);
  }

  async #endFallen(accounts: number[]): Promise<void> {
    const lines = accounts.flatMap((id) => [...(this.#accounts.get(id) ?? [])]);
    const callers = lines.map(({ stream }) => stream.caller);
    const upright = new Set(await stillValid(this.#services.storage.read, callers, this.#services.now()));
    for (const { stream } of lines) if (!upright.has(stream.caller)) stream.end();
  }

  /** From where an account is to be told; not where all its lines have more than they took, or none is left. */
  #readerOf(userId: number) {
    const lines = [...(this.#accounts.get(userId) ?? [])].filter(isReady);
    return lines.length > 0 ? [{ user_id: userId, after: Math.min(...lines.map(({ after }) => after)) }] : [];
  }

  #notify(userId: number, id: number, json: string): void {
    for (const line of this.#accounts.get(userId) ?? []) {
      if (line.after >= id || !isReady(line)) continue;
      line.stream.event("notification", json, id);
      line.after = id;
      if (line.stream.isBlocked) line.stream.onDrain(() => this.#wake(userId));
    }
  }

  #count(userId: number, unread: number): void {
    for (const line of this.#accounts.get(userId) ?? []) {
      if (line.unread === unread || !isReady(line)) continue;
      // With an id from the first on, so that whoever comes again is told all that happened meanwhile.
      line.stream.event("unread", JSON.stringify({ unread }), line.after);
      line.unread = unread;
    }
  }

  /** That something changed, and no more: whoever hears it asks what. */
  #tellOfMessages(userId: number, mailbox: Mailbox): void {
    const { unread, last_id } = mailbox;
    for (const line of this.#accounts.get(userId) ?? []) {
      const told = line.mailbox.unread === unread && line.mailbox.last_id === last_id;
      if (told || !hearsMessages(line) || !isReady(line)) continue;
      line.stream.event("message", JSON.stringify({ unread }));
      line.mailbox = mailbox;
    }
  }
}

/** Messages are for sessions alone. */
function hearsMessages({ stream }: Line): boolean {
  return stream.caller.key === null;
}

function isReady({ stream }: Line): boolean {
  return stream.isOpen && !stream.isBlocked;
}
