import { accountsAmong } from "../../events/places.ts";
import { lasting } from "../../http/credential.ts";
import type { EventStream } from "../../http/event-stream.ts";
import type { House } from "../../http/house.ts";
import {
  addedSince,
  type Inbox,
  inboxes,
  newestOfAll,
  noticeJson,
  PAGE,
  type Untold,
  untold,
} from "./stream.queries.ts";

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
}

/**
 * Whoever listens to their notifications in this process. What is told is read from the database, and from where each line
 * stands: so a word that came too often, too late or never costs time at most, and never a notification.
 */
export class Listeners {
  readonly #house: House;
  readonly #accounts = new Map<number, Set<Line>>();
  #woken = new Set<number>();
  #gathering: NodeJS.Timeout | null = null;
  #beat: NodeJS.Timeout | null = null;
  #unhear = () => {};
  #looking = false;
  /** Where the round goes on. */
  #round: IterableIterator<number> = [].values();
  /** Up to where it was looked who has something new. */
  #seen: number | null = null;

  constructor(house: House) {
    this.#house = house;
  }

  add(stream: EventStream, after: number): void {
    const { userId } = stream.caller;
    const line: Line = { stream, after, unread: null };
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
    const { news } = this.#house.storage;
    news.follow();
    this.#unhear = news.hear((places) => {
      for (const id of accountsAmong(places)) this.#wake(id);
    });
    this.#beat = setInterval(() => void this.#look(true), BEAT).unref();
  }

  #end(): void {
    if (this.#beat) clearInterval(this.#beat);
    if (this.#gathering) clearTimeout(this.#gathering);
    this.#beat = null;
    this.#gathering = null;
    this.#seen = null;
    this.#unhear();
    this.#house.storage.news.unfollow();
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
      this.#house.log.warn({ err }, "notifications can't be told just now");
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
    const { read, news } = this.#house.storage;
    if (news.reachesAll) {
      this.#seen = null;
      return;
    }
    this.#seen ??= await newestOfAll(read);
    for (let rows = await addedSince(read, this.#seen, ROWS); rows.length > 0; ) {
      for (const { id, user_id } of rows) {
        this.#seen = id;
        if (this.#isBehind(user_id, id)) this.#woken.add(user_id);
      }
      rows = rows.length < ROWS ? [] : await addedSince(read, this.#seen, ROWS);
    }
  }

  #isBehind(userId: number, id: number): boolean {
    return [...(this.#accounts.get(userId) ?? [])].some(({ after }) => after < id);
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
    const { storage } = this.#house;
    await this.#endFallen(accounts);
    const readers = accounts.flatMap((id) => this.#readerOf(id));
    if (readers.length === 0) return;
    const news = await untold(storage.read, readers);
    for (const [id, inbox] of await inboxes(storage.read, accounts))
      this.#tellOne(id, inbox, news.get(id) ?? []);
  }

  #tellOne(userId: number, inbox: Inbox, rows: readonly Untold[]): void {
    for (const row of rows) this.#notify(userId, row.id, noticeJson(row, inbox));
    // The count comes last; where there is more, once that is told.
    if (rows.length === PAGE) this.#woken.add(userId);
    else this.#count(userId, inbox.unread);
  }

  async #endFallen(accounts: number[]): Promise<void> {
    const lines = accounts.flatMap((id) => [...(this.#accounts.get(id) ?? [])]);
    const callers = lines.map(({ stream }) => stream.caller);
    const upright = new Set(await lasting(this.#house.storage.read, callers, this.#house.now()));
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
}

function isReady({ stream }: Line): boolean {
  return stream.isOpen && !stream.isBlocked;
}
