import { usersAmong } from "../../events/channels.ts";
import type { EventStream } from "../../http/event-stream.ts";
import { stillValid } from "../../http/recheck-credentials.ts";
import type { Services } from "../../http/services.ts";
import type { Db } from "../../storage/storage.ts";
import { type Mailbox, mailboxes, messagesSince, newestMessage } from "../messages/messages.queries.ts";
import {
  type Inbox,
  inboxes,
  newestNotification,
  notificationJson,
  notificationsSince,
  PAGE,
} from "./stream.queries.ts";

/** Milliseconds between two ticks of the timer. */
const TICK = 100;
/** Ticks within which every account is checked at least once. */
const SWEEP_TICKS = 50;
/** Milliseconds for which changes are collected before they are sent. */
const DEBOUNCE = 5;
/** Accounts that are queried together. */
const ACCOUNTS = 100;
/** Rows per query when polling. */
const ROWS = 500;

interface Subscription {
  stream: EventStream;
  /** The id of the last notification that was sent. */
  after: number;
  /** The last unread count that was sent. */
  unread: number | null;
  /** The state of the account's messages that was last sent. */
  mailbox: Mailbox;
}

/** A table that is polled for rows of other processes. */
interface PolledTable {
  newest(db: Db): Promise<number>;
  /** New rows with their account, in ascending id order. */
  since(db: Db, id: number, most: number): Promise<{ id: number; user_id: number }[]>;
  /** Whether a subscription has been sent everything up to this id. */
  hasSent(subscription: Subscription, id: number): boolean;
}

const polledTables: readonly PolledTable[] = [
  { newest: newestNotification, since: notificationsSince, hasSent: ({ after }, id) => after >= id },
  {
    newest: newestMessage,
    since: messagesSince,
    hasSent: (subscription, id) => !receivesMessages(subscription) || subscription.mailbox.last_id >= id,
  },
];

/**
 * Sends events to this process's open notification streams. Everything is read from the database, starting at each
 * subscription's own position. So a change message that is repeated, late or lost can only cost time, never a notification.
 */
export class StreamDispatcher {
  readonly #services: Services;
  readonly #accounts = new Map<number, Set<Subscription>>();
  /** Accounts to check next. */
  #pending = new Set<number>();
  #debounce: NodeJS.Timeout | null = null;
  #timer: NodeJS.Timeout | null = null;
  #stopListening = () => {};
  #isRunning = false;
  /** The rest of the current sweep over all accounts. */
  #sweep: IterableIterator<number> = [].values();
  /** The last id that was polled of each table. */
  readonly #polled = new Map<PolledTable, number>();

  constructor(services: Services) {
    this.#services = services;
  }

  add(stream: EventStream, after: number): void {
    const { userId } = stream.caller;
    const subscription: Subscription = { stream, after, unread: null, mailbox: { unread: 0, last_id: 0 } };
    const subscriptions = this.#accounts.get(userId) ?? new Set();
    this.#accounts.set(userId, subscriptions.add(subscription));
    stream.onClose(() => this.#remove(userId, subscription));
    if (!this.#timer) this.#start();
    this.#schedule(userId);
  }

  #remove(userId: number, subscription: Subscription): void {
    const subscriptions = this.#accounts.get(userId);
    subscriptions?.delete(subscription);
    if (subscriptions?.size === 0) this.#accounts.delete(userId);
    if (this.#accounts.size === 0) this.#stop();
  }

  #start(): void {
    const { changes } = this.#services.storage;
    changes.follow();
    this.#stopListening = changes.listen((channels) => {
      for (const id of usersAmong(channels)) this.#schedule(id);
    });
    this.#timer = setInterval(() => void this.#run(true), TICK).unref();
  }

  #stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    if (this.#debounce) clearTimeout(this.#debounce);
    this.#timer = null;
    this.#debounce = null;
    this.#polled.clear();
    this.#stopListening();
    this.#services.storage.changes.unfollow();
  }

  #schedule(userId: number): void {
    if (!this.#accounts.has(userId)) return;
    this.#pending.add(userId);
    this.#debounce ??= setTimeout(() => {
      this.#debounce = null;
      void this.#run(false);
    }, DEBOUNCE).unref();
  }

  /** Handles all pending accounts. Runs once at a time; accounts that become pending meanwhile are handled too. */
  async #run(isTick: boolean): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      if (isTick) {
        await this.#poll();
        this.#advanceSweep();
      }
      while (this.#pending.size > 0) await this.#send(this.#takePending());
    } catch (err) {
      // The sweep retries the accounts that were skipped.
      this.#services.log.warn({ err }, "sending notifications to streams failed; retrying");
    } finally {
      this.#isRunning = false;
    }
  }

  #takePending(): number[] {
    const batch = [...this.#pending].slice(0, ACCOUNTS);
    for (const id of batch) this.#pending.delete(id);
    return batch;
  }

  /** Polls for other processes' rows while the change bus doesn't deliver them. */
  async #poll(): Promise<void> {
    const { read, changes } = this.#services.storage;
    if (changes.reachesAll) this.#polled.clear();
    else for (const table of polledTables) await this.#pollTable(table, read);
  }

  async #pollTable(table: PolledTable, read: Db): Promise<void> {
    let position = this.#polled.get(table) ?? (await table.newest(read));
    for (let rows = await table.since(read, position, ROWS); rows.length > 0; ) {
      for (const { id, user_id } of rows) {
        position = id;
        const subscriptions = [...(this.#accounts.get(user_id) ?? [])];
        if (subscriptions.some((subscription) => !table.hasSent(subscription, id)))
          this.#pending.add(user_id);
      }
      rows = rows.length < ROWS ? [] : await table.since(read, position, ROWS);
    }
    this.#polled.set(table, position);
  }

  /** Checks the next part of all accounts: change messages may be lost, and credentials expire without one. */
  #advanceSweep(): void {
    for (let left = Math.ceil(this.#accounts.size / SWEEP_TICKS); left > 0; left--) {
      const { value: userId, done } = this.#sweep.next();
      if (done) {
        this.#sweep = this.#accounts.keys();
        return;
      }
      for (const { stream } of this.#accounts.get(userId) ?? []) stream.check();
      if (this.#accounts.has(userId)) this.#pending.add(userId);
    }
  }

  /** Sends these accounts what is new, after ending the streams whose credentials are no longer valid. */
  async #send(accounts: number[]): Promise<void> {
    const { storage } = this.#services;
    await this.#endInvalid(accounts);
    const readers = accounts.flatMap((id) => this.#readerOf(id));
    if (readers.length === 0) return;
    for (const inbox of await inboxes(storage.read, readers, this.#services.now())) this.#sendInbox(inbox);
    const messageReaders = accounts.filter((id) =>
      [...(this.#accounts.get(id) ?? [])].some(receivesMessages),
    );
    for (const [id, mailbox] of await mailboxes(storage.read, messageReaders)) this.#sendMailbox(id, mailbox);
  }

  #sendInbox(inbox: Inbox): void {
    const { user_id: userId, unread, unsent } = inbox;
    for (const row of unsent) this.#sendNotification(userId, row.id, notificationJson(row, inbox));
    // The count is sent last: if this page is full, after the next pages.
    if (unsent.length === PAGE) this.#pending.add(userId);
    else this.#sendUnread(userId, unread);
  }

  async #endInvalid(accounts: number[]): Promise<void> {
    const subscriptions = accounts.flatMap((id) => [...(this.#accounts.get(id) ?? [])]);
    const callers = subscriptions.map(({ stream }) => stream.caller);
    const valid = new Set(await stillValid(this.#services.storage.read, callers, this.#services.now()));
    for (const { stream } of subscriptions) if (!valid.has(stream.caller)) stream.end();
  }

  /** The position from which to read an account; none if all its streams are blocked or closed. */
  #readerOf(userId: number) {
    const ready = [...(this.#accounts.get(userId) ?? [])].filter(isReady);
    return ready.length > 0 ? [{ user_id: userId, after: Math.min(...ready.map(({ after }) => after)) }] : [];
  }

  #sendNotification(userId: number, id: number, json: string): void {
    for (const subscription of this.#accounts.get(userId) ?? []) {
      if (subscription.after >= id || !isReady(subscription)) continue;
      subscription.stream.event("notification", json, id);
      subscription.after = id;
      if (subscription.stream.isBlocked) subscription.stream.onDrain(() => this.#schedule(userId));
    }
  }

  #sendUnread(userId: number, unread: number): void {
    for (const subscription of this.#accounts.get(userId) ?? []) {
      if (subscription.unread === unread || !isReady(subscription)) continue;
      // The first event carries an id already, so that a client that reconnects gets everything it missed.
      subscription.stream.event("unread", JSON.stringify({ unread }), subscription.after);
      subscription.unread = unread;
    }
  }

  /** Says only that something changed; the client then fetches the messages. */
  #sendMailbox(userId: number, mailbox: Mailbox): void {
    const { unread, last_id } = mailbox;
    for (const subscription of this.#accounts.get(userId) ?? []) {
      const isSent = subscription.mailbox.unread === unread && subscription.mailbox.last_id === last_id;
      if (isSent || !receivesMessages(subscription) || !isReady(subscription)) continue;
      subscription.stream.event("message", JSON.stringify({ unread }));
      subscription.mailbox = mailbox;
    }
  }
}

/** API keys have no access to messages. */
function receivesMessages({ stream }: Subscription): boolean {
  return stream.caller.key === null;
}

function isReady({ stream }: Subscription): boolean {
  return stream.isOpen && !stream.isBlocked;
}
