import { randomUUID } from "node:crypto";
import pg, { type Client, type Pool } from "pg";
import { ChangeBus, type Channels } from "../change-bus.ts";

const CHANNEL = "tandem_news";
/** Milliseconds for which places are gathered before the others hear of them: each NOTIFY waits for all other ones. */
const GATHER = 10;
/** Characters of one message; PostgreSQL takes up to 8000 bytes. */
const LONGEST = 7000;
/** How often, in milliseconds, the connection is proved or made anew. */
const PROVE = 5000;

/** Who sent it, and where something happened; no places prove that the sender is heard. */
interface Message {
  from: string;
  channels: string[];
}

/**
 * Spreads news by NOTIFY, sent beside the transactions: within them, it would have all commits wait for one another. It
 * may get lost, as any word may. One connection of the process listens; that it hears is proved by words to oneself, sent
 * over another connection. Through a pooler that lends connections for a transaction they never come.
 */
export class PostgresChangeBus extends ChangeBus {
  readonly #url: string;
  readonly #pool: Pool;
  readonly #me = randomUUID();
  #unsent = new Set<string>();
  #sending: NodeJS.Timeout | null = null;
  #listener: Client | null = null;
  #proving: NodeJS.Timeout | null = null;
  #heard = false;

  constructor(url: string, pool: Pool) {
    super();
    this.#url = url;
    this.#pool = pool;
  }

  override publish(channels: Channels): void {
    this.notify(channels, true);
    for (const place of channels) this.#unsent.add(place);
    this.#sending ??= setTimeout(() => this.#send(), GATHER).unref();
  }

  override follow(): void {
    if (this.#proving) return;
    this.#proving = setInterval(() => this.#prove(), PROVE).unref();
    this.#prove();
  }

  override unfollow(): void {
    if (this.#proving) clearInterval(this.#proving);
    this.#proving = null;
    this.#hangUp();
  }

  async close(): Promise<void> {
    if (this.#sending) clearTimeout(this.#sending);
    const listener = this.#listener;
    this.unfollow();
    await listener?.end().catch(() => {});
  }

  #send(): void {
    this.#sending = null;
    const channels = [...this.#unsent];
    this.#unsent = new Set();
    while (channels.length > 0) this.#notify(takeUpTo(channels, LONGEST));
  }

  /** Nobody's write fails for it. */
  #notify(channels: string[]): void {
    const message: Message = { from: this.#me, channels };
    this.#pool.query("select pg_notify($1, $2)", [CHANNEL, JSON.stringify(message)]).catch(() => {});
  }

  /** What was heard since the last time says whether anything is. */
  #prove(): void {
    this.reachesAll = this.#listener !== null && this.#heard;
    this.#heard = false;
    if (this.#listener) this.#notify([]);
    else void this.#listen();
  }

  async #listen(): Promise<void> {
    const listener = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: PROVE,
      keepAlive: true,
      application_name: "tandem",
    });
    this.#listener = listener;
    listener.on("error", () => this.#lose(listener));
    listener.on("end", () => this.#lose(listener));
    listener.on("notification", ({ payload = "" }) => this.#hear(payload));
    try {
      await listener.connect();
      await listener.query(`listen ${CHANNEL}`);
      this.#notify([]);
    } catch {
      this.#lose(listener);
    }
  }

  #hear(payload: string): void {
    const { from, channels } = messageOf(payload);
    if (from !== this.#me) this.notify(new Set(channels), false);
    else if (channels.length === 0) {
      this.#heard = true;
      this.reachesAll = this.#listener !== null;
    }
  }

  #lose(listener: Client): void {
    if (this.#listener === listener) this.#hangUp();
  }

  #hangUp(): void {
    const listener = this.#listener;
    this.#listener = null;
    this.reachesAll = false;
    listener?.end().catch(() => {});
  }
}

/** What others than we may have sent to the channel is no news. */
function messageOf(payload: string): Message {
  try {
    const { from, channels }: Partial<Message> = JSON.parse(payload);
    if (typeof from === "string" && Array.isArray(channels)) return { from, channels };
  } catch {
    // It isn't JSON.
  }
  return { from: "", channels: [] };
}

/** Takes as many words off the list as fit into so many characters, one at least. */
function takeUpTo(words: string[], most: number): string[] {
  let length = 0;
  const fitting = words.findIndex((word) => {
    length += word.length + 3;
    return length > most;
  });
  return words.splice(0, fitting < 0 ? words.length : Math.max(1, fitting));
}
