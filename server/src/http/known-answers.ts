import type { IncomingMessage } from "node:http";
import type { Operation } from "@tandem/contract/operation";
import type { OperationName } from "@tandem/contract/operations";
import { KeptUntilCommit } from "../storage/kept-until-commit.ts";
import type { Caller } from "./caller.ts";
import type { Content } from "./content.ts";
import { credentialHash } from "./credential.ts";
import { memoizePerInstance } from "./memoize-per-instance.ts";
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

/** Whether responses of an operation can be kept. */
export const isLasting = ({ name }: Operation): boolean => lasting.has(name);

/** The most bytes of responses that a process keeps. */
const MOST_BYTES = 16 * 2 ** 20;
/** Addresses that are remembered as asked for, and how long they may be. */
const MOST_ASKED = 2_000;
const LONGEST_ASKED = 500;
/** About how much an answer takes besides its body. */
const OVERHEAD = 700;

export interface Answer {
  readonly op: Operation;
  /** The pattern of its path. */
  readonly route: string | undefined;
  readonly caller: Caller | null;
  readonly content: Content;
  /** The `Link` header, if it isn't that of every response. */
  readonly link: string | undefined;
}

/** For how long what a request finds out holds. */
export interface Lasts {
  /** The database's version before the caller was looked up, because the answer depends on the caller's blocks and preferences. */
  readonly since: number | null;
  /** Milliseconds since 1970: when the caller may change without a commit, because a session or a mute ends. */
  readonly until: number;
}

type Asked = Pick<IncomingMessage, "url" | "headers">;

/**
 * Responses that are known until the next commit. Strangers share them; each credential has its own. The same address with the same
 * credential is the same caller, who may still read it, as long as nothing is committed and no time runs out.
 */
export class KnownAnswers {
  readonly #kept = new KeptUntilCommit<Answer & Lasts>({
    mostBytes: MOST_BYTES,
    sizeOf: ({ content }) => content.size + OVERHEAD,
  });

  readonly #asked = new Set<string>();

  /**
   * @param now milliseconds since 1970
   * @param version the database's present one, if it is known
   */
  find(asked: Asked, now: number, version: () => number | null): Answer | undefined {
    const answer = this.#kept.find(() => keyOf(asked), version);
    return answer && now < answer.until ? answer : undefined;
  }

  /**
   * Whether the same credential asked for the same address before. Only then is a server asked for the database's version, under which answers
   * are kept: that costs as much as a small query, and most addresses are asked for once.
   */
  wasAsked(asked: Asked): boolean {
    const key = keyOf(asked);
    if (this.#asked.has(key)) return true;
    if (key.length <= LONGEST_ASKED) this.#asked.add(key);
    if (this.#asked.size > MOST_ASKED) {
      const [oldest = ""] = this.#asked;
      this.#asked.delete(oldest);
    }
    return false;
  }

  /** Keeps an answer unless its time is over. It is found until the next commit. */
  keep(asked: Asked, answer: Answer, lasts: Lasts, now: number): void {
    if (now < lasts.until) this.#kept.keep(keyOf(asked), { ...answer, ...lasts }, lasts.since);
  }
}

export const knownAnswersOf = memoizePerInstance((_services: Services) => new KnownAnswers());

/** Address and credential, as sent. */
function keyOf({ url = "", headers }: Asked): string {
  const hash = credentialHash(headers);
  return hash === "" ? url : `${hash} ${url}`;
}
