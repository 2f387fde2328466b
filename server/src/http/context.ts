import type { FilesOf } from "@tandem/contract/files";
import type { Access, Input, ResponseOf } from "@tandem/contract/operation";
import type { OperationName, Operations } from "@tandem/contract/operations";
import type { Db } from "../storage/storage.ts";
import type { ApiError } from "./api-error.ts";
import type { PendingMedia } from "./approval.ts";
import type { Caller } from "./caller.ts";
import type { EventResponse } from "./event-stream.ts";
import type { Uploads } from "./files.ts";
import type { Services } from "./services.ts";

/** A response that is already serialized, in one piece or several. */
export class JsonText {
  readonly #pieces: readonly (string | Buffer)[];
  /** Its `ETag`, if that is known without reading it. Then there are few pieces, because sending each costs as much as copying some kilobytes. */
  readonly tag: string | undefined;

  constructor(json: string | readonly (string | Buffer)[], tag?: string) {
    this.#pieces = typeof json === "string" ? [json] : json;
    this.tag = tag;
  }

  get text(): string {
    return this.#pieces.join("");
  }

  /** Its bytes: as they are in memory if its tag is known, otherwise copied into one piece, from which the tag is computed. */
  get pieces(): Buffer[] {
    if (this.tag === undefined) return [this.#copied()];
    return this.#pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece));
  }

  #copied(): Buffer {
    const sizes = this.#pieces.map((piece) => Buffer.byteLength(piece));
    const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size, 0));
    let at = 0;
    for (const [i, piece] of this.#pieces.entries()) {
      if (typeof piece === "string") bytes.write(piece, at);
      else bytes.set(piece, at);
      at += sizes[i] ?? 0;
    }
    return bytes;
  }
}

export interface Cookie {
  name: string;
  /** Null clears the cookie. */
  value: string | null;
  /** Seconds. */
  maxAge: number;
}

/** One of several calls that share a transaction. */
export interface Call {
  readonly caller: Caller;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What a handler knows about its request. */
export interface Context<Who extends Caller | null = Caller | null> {
  readonly services: Services;
  readonly caller: Who;
  /** Milliseconds since 1970, one instant for the whole request. */
  readonly now: number;
  readonly method: string;
  /** The client's IP address, as reported by trusted proxies. */
  readonly address: string;
  /** The `User-Agent`, shortened and without hidden characters. */
  readonly device: string | null;
  /** Committed state, for reading. */
  readonly read: Db;
  /** A version of the database since this request arrived (`Storage.askVersion`). What is read from now on is at least as new. */
  version(): Promise<number | null>;
  /**
   * Committed state for feeds and searches. May lag behind on a replica, but includes everything this caller wrote.
   */
  recent(): Promise<Db>;
  /**
   * Runs the work, its quota and its idempotency record in one transaction, and returns the response. A dry run is rolled
   * back. So is a call that waits for approval; its draft then keeps `media`.
   */
  write<T extends object>(work: (tx: Db) => Promise<T>, media?: PendingMedia): Promise<JsonText>;
  /** Whether this is a dry run (`?dryRun=1`). `write` handles it. */
  readonly dryRun: boolean;
  /**
   * Throws what `write` would throw, and leaves no trace. Use it before costly work outside the transaction. Returns the
   * recorded response if the call repeats an Idempotency-Key: then nothing is left to do.
   */
  rehearse(work: (tx: Db) => Promise<object>): Promise<JsonText | null>;
  /**
   * Like `write`, but batches concurrent calls of the same operation on the same `target`, for rows that many write at
   * once. `work` performs all calls, which may include several by one caller, and returns their responses in order. For
   * calls that get an error instead, the batch runs again without them.
   */
  writeTogether<T extends object>(
    target: number,
    work: (tx: Db, calls: readonly Call[]) => Promise<(T | ApiError)[]>,
  ): Promise<JsonText>;
  /** Names the account or key that the call is about, for the line that the log has about a security event. */
  concerns(kind: "user" | "key", id: number): void;
  /** The cookies that the client sent. */
  cookies(): Readonly<Record<string, string | undefined>>;
  /** Sends a cookie with the response, unless it is an error or a dry run. */
  setCookie(cookie: Cookie): void;
  /** Sets `Link: rel="next"` and returns the cursor. */
  nextPage(cursor: number | null): number | null;
  /** Says that the response may change at this time without a commit, so that it isn't kept longer. Milliseconds since 1970. */
  changesAt(time: number): void;
}

export type SignedIn = Context<Caller>;

/** Who acts and when: what publishing needs to know. */
export type Actor = Pick<SignedIn, "services" | "caller" | "now">;

type AccessOf<O> = O extends { access: infer A } ? A : never;
type ContextFor<A> = A extends Extract<Access, { kind: "anyone" }> ? Context : SignedIn;

/** An operation's input fields and its received files. */
export type Received<O> = Input<O> & FilesOf<O, Uploads>;

export type Handler<O> = (ctx: ContextFor<AccessOf<O>>, input: Received<O>) => Promise<HandlerResult<O>>;

type HandlerResult<O> = O extends { streams: true } ? EventResponse : ResponseOf<O> | JsonText;

/** A handler for each named operation; leaving one out is a type error. */
export type Handlers<Names extends OperationName> = { [N in Names]: Handler<Operations[N]> };
