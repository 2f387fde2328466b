import { randomUUID } from "node:crypto";
import pg, { type Client, type Pool } from "pg";
import { ChangeBus, type Channels } from "../change-bus.ts";

const CHANNEL = "tandem_news";
/** Milliseconds for which channels are collected before they are sent, because NOTIFYs wait for one another. */
const BATCH_INTERVAL = 10;
/** Characters of one message at most; PostgreSQL's limit is 8000 bytes. */
const MAX_MESSAGE = 7000;
/** Milliseconds between two heartbeats on the listening connection, which is replaced if one got lost. */
const HEARTBEAT_INTERVAL = 5000;

/** A message without channels is a heartbeat to its sender. */
interface Message {
  from: string;
  channels: string[];
}

/**
 * Publishes changes to other processes with NOTIFY. It is sent after the transaction, because inside it would serialize
 * all commits; so a message can get lost. One connection per process listens. Heartbeats that the process sends to
 * itself over another connection show whether it receives anything: through a transaction pooler, it never does.
 */
export class PostgresChangeBus extends ChangeBus {
  readonly #url: string;
  readonly #pool: Pool;
  readonly #processId = randomUUID();
  #unsent = new Set<string>();
  #sendTimer: NodeJS.Timeout | null = null;
  #listener: Client | null = null;
  #heartbeatTimer: NodeJS.Timeout | null = null;
  #heartbeatReceived = false;

  constructor(url: string, pool: Pool) {
    super();
    this.#url = url;
    this.#pool = pool;
  }

  override publish(channels: Channels): void {
    this.notify(channels, true);
    for (const channel of channels) this.#unsent.add(channel);
    this.#sendTimer ??= setTimeout(() => this.#send(), BATCH_INTERVAL).unref();
  }

  override follow(): void {
    if (this.#heartbeatTimer) return;
    this.#heartbeatTimer = setInterval(() => this.#heartbeat(), HEARTBEAT_INTERVAL).unref();
    this.#heartbeat();
  }

  override unfollow(): void {
    if (this.#heartbeatTimer) clearInterval(this.#heartbeatTimer);
    this.#heartbeatTimer = null;
    this.#disconnect();
  }

  async close(): Promise<void> {
    if (this.#sendTimer) clearTimeout(this.#sendTimer);
    const listener = this.#listener;
    this.unfollow();
    await listener?.end().catch(() => {});
  }

  #send(): void {
    this.#sendTimer = null;
    const channels = [...this.#unsent];
    this.#unsent = new Set();
    while (channels.length > 0) this.#notify(takeUpTo(channels, MAX_MESSAGE));
  }

  /** Ignores errors: a change that isn't published must not fail the write. */
  #notify(channels: string[]): void {
    const message: Message = { from: this.#processId, channels };
    this.#pool.query("select pg_notify($1, $2)", [CHANNEL, JSON.stringify(message)]).catch(() => {});
  }

  /** Checks whether the last heartbeat arrived, and sends the next or connects. */
  #heartbeat(): void {
    this.reachesAll = this.#listener !== null && this.#heartbeatReceived;
    this.#heartbeatReceived = false;
    if (this.#listener) this.#notify([]);
    else void this.#listen();
  }

  async #listen(): Promise<void> {
    const listener = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: HEARTBEAT_INTERVAL,
      keepAlive: true,
      application_name: "tandem",
    });
    this.#listener = listener;
    listener.on("error", () => this.#dropListener(listener));
    listener.on("end", () => this.#dropListener(listener));
    listener.on("notification", ({ payload = "" }) => this.#receive(payload));
    try {
      await listener.connect();
      await listener.query(`listen ${CHANNEL}`);
      this.#notify([]);
    } catch {
      this.#dropListener(listener);
    }
  }

  #receive(payload: string): void {
    const { from, channels } = messageOf(payload);
    if (from !== this.#processId) this.notify(new Set(channels), false);
    else if (channels.length === 0) {
      this.#heartbeatReceived = true;
      this.reachesAll = this.#listener !== null;
    }
  }

  #dropListener(listener: Client): void {
    if (this.#listener === listener) this.#disconnect();
  }

  #disconnect(): void {
    const listener = this.#listener;
    this.#listener = null;
    this.reachesAll = false;
    listener?.end().catch(() => {});
  }
}

/** Parses a payload. Messages that other software sent to the channel come out empty. */
function messageOf(payload: string): Message {
  try {
    const { from, channels }: Partial<Message> = JSON.parse(payload);
    if (typeof from === "string" && Array.isArray(channels)) return { from, channels };
  } catch {
    // Not JSON.
  }
  return { from: "", channels: [] };
}

/** Removes and returns as many strings as fit into `limit` characters of JSON, at least one. */
function takeUpTo(words: string[], limit: number): string[] {
  let length = 0;
  const fitting = words.findIndex((word) => {
    length += word.length + 3;
    return length > limit;
  });
  return words.splice(0, fitting < 0 ? words.length : Math.max(1, fitting));
}
