import type { OperationName } from "@tandem/contract/operations";
import type { Caller } from "./caller.ts";
import type { Content } from "./content.ts";
import type { Services } from "./services.ts";

/**
 * Operations whose response depends on nothing but the database, the address and the caller: not on the time, and on nothing that
 * this process keeps in memory.
 */
const lasting: ReadonlySet<string> = new Set<OperationName>([
  "countNotifications",
  "listComments",
  "listNotifications",
  "listPosts",
  "listStory",
  "readComment",
  "readCreator",
  "readPost",
]);

/** The most bytes of responses that one operation keeps. */
const MOST_BYTES = 4 * 2 ** 20;
/** About how much an answer takes besides its body. */
const OVERHEAD = 500;

export interface Answer {
  /** Path and query, as sent. */
  readonly url: string;
  readonly content: Content;
  /** The `Link` header, if it isn't that of every response. */
  readonly link: string | undefined;
}

/**
 * Responses of an operation that are known until the next commit: then all are forgotten. Strangers share them; each credential has its
 * own. Whether a caller may read is decided before, at each request.
 */
export class KnownAnswers {
  readonly #version: () => number | null;
  readonly #answers = new Map<string, Answer>();
  #bytes = 0;
  #known: number | null = null;

  private constructor(version: () => number | null) {
    this.#version = version;
  }

  /** Null for operations whose responses can't be kept. */
  static of({ storage }: Services, operation: string): KnownAnswers | null {
    return lasting.has(operation) ? new KnownAnswers(() => storage.version()) : null;
  }

  /**
   * @param url path and query, as sent
   * @param now milliseconds since 1970
   */
  find(url: string, caller: Caller | null, now: number): Answer | undefined {
    if (dependsOnTime(caller, now)) return undefined;
    this.#forgetOld();
    return this.#answers.get(keyOf(url, caller));
  }

  /**
   * Keeps an answer unless something was committed meanwhile.
   *
   * @param since the version before the caller was looked up, because the answer depends on the caller's blocks and preferences
   */
  keep(caller: Caller | null, answer: Answer, since: number | null, now: number): void {
    if (dependsOnTime(caller, now)) return;
    this.#forgetOld();
    const key = keyOf(answer.url, caller);
    if (since === null || this.#known !== since || this.#answers.has(key)) return;
    this.#answers.set(key, answer);
    this.#bytes += sizeOf(answer);
    for (const [oldestKey, oldest] of this.#answers) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#answers.delete(oldestKey);
      this.#bytes -= sizeOf(oldest);
    }
  }

  #forgetOld(): void {
    const version = this.#version();
    if (version === this.#known) return;
    this.#known = version;
    this.#answers.clear();
    this.#bytes = 0;
  }
}

/** Whether a mute of the caller has ended, and its row isn't deleted yet: then the answer changes without a commit. */
function dependsOnTime(caller: Caller | null, now: number): boolean {
  return caller?.mutesChangeAt != null && caller.mutesChangeAt <= now;
}

function sizeOf({ content, url }: Answer): number {
  return content.size + 2 * url.length + OVERHEAD;
}

function keyOf(url: string, caller: Caller | null): string {
  if (!caller) return url;
  return caller.key ? `key ${caller.key.id} ${url}` : `session ${caller.sessionId} ${url}`;
}
