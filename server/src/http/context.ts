import type { FilesOf } from "@tandem/contract/files";
import type { Access, Answer, Input } from "@tandem/contract/operation";
import type { OperationName, Operations } from "@tandem/contract/operations";
import type { Db } from "../storage/storage.ts";
import type { Caller } from "./caller.ts";
import type { EventAnswer } from "./event-stream.ts";
import type { Uploads } from "./files.ts";
import type { Keeping } from "./held.ts";
import type { House } from "./house.ts";
import type { Problem } from "./problem.ts";

/** An answer that is JSON already, in one piece or in several. */
export class JsonText {
  readonly #pieces: readonly (string | Buffer)[];

  constructor(json: string | readonly (string | Buffer)[]) {
    this.#pieces = typeof json === "string" ? [json] : json;
  }

  get text(): string {
    return this.#pieces.join("");
  }

  get bytes(): Buffer {
    return Buffer.concat(
      this.#pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)),
    );
  }
}

export interface Cookie {
  name: string;
  /** Null clears it. */
  value: string | null;
  /** Seconds. */
  maxAge: number;
}

/** One of several calls that are carried out together. */
export interface Call {
  readonly caller: Caller;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What a handler knows of its request. */
export interface Context<Who extends Caller | null = Caller | null> {
  readonly house: House;
  readonly caller: Who;
  /** Milliseconds since 1970, one instant for the whole request. */
  readonly now: number;
  readonly method: string;
  /** The client's address, as far as the configured proxies are believed. */
  readonly address: string;
  /** What the client says of itself (`User-Agent`), cut short, without what hides. */
  readonly device: string | null;
  /** Committed state, for reading. */
  readonly read: Db;
  /**
   * Committed state for feeds and searches, which most reading is: perhaps some moments old, but with all that this
   * caller has written.
   */
  recent(): Promise<Db>;
  /**
   * Does the work in one transaction together with its quota and its idempotency record, and gives the
   * answer to return. A dry run does it all and rolls it back; so does a call that waits for approval, which `keeping`
   * then gives what its draft needs besides the input.
   */
  write<T extends object>(work: (tx: Db) => Promise<T>, keeping?: Keeping): Promise<JsonText>;
  /** Whether what is done is undone in the end (`?dryRun=1`); `write` sees to that by itself. */
  readonly dryRun: boolean;
  /**
   * Refuses now what `write` would refuse, and leaves no trace: before work that is costly and can't be part of the
   * transaction. Gives back the answer if the call is a repetition, which then is all there is to do.
   */
  rehearse(work: (tx: Db) => Promise<object>): Promise<JsonText | null>;
  /**
   * The same as `write`, together with calls of the same operation on the same `target` that come while others are under
   * way: for what very many do at once to one row. `work` does what all these calls ask for, a caller's several among
   * them, and
   * gives their answers in that order; where it gives a refusal instead, it is run again without those whom it refused.
   * Beyond the target it knows only what the calls say.
   */
  writeTogether<T extends object>(
    target: number,
    work: (tx: Db, calls: readonly Call[]) => Promise<(T | Problem)[]>,
  ): Promise<JsonText>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** Sends a cookie with the answer, if the answer is a success and no dry run. */
  setCookie(cookie: Cookie): void;
  /** Tells the client where the next page is (`Link: rel="next"`), and gives the cursor back. */
  nextPage(cursor: number | null): number | null;
}

export type SignedIn = Context<Caller>;

/** As whom something is done, and when: all that the work of publishing needs to know. */
export type Doer = Pick<SignedIn, "house" | "caller" | "now">;

type AccessOf<O> = O extends { access: infer A } ? A : never;
type ContextFor<A> = A extends Extract<Access, { kind: "anyone" }> ? Context : SignedIn;

/** The fields of an operation's input, and its files as they were received. */
export type Received<O> = Input<O> & FilesOf<O, Uploads>;

export type Handler<O> = (ctx: ContextFor<AccessOf<O>>, input: Received<O>) => Promise<AnswerOf<O>>;

type AnswerOf<O> = O extends { streams: true } ? EventAnswer : Answer<O> | JsonText;

/** A handler for each of the named operations: one that is missing doesn't compile. */
export type Handlers<Names extends OperationName> = { [N in Names]: Handler<Operations[N]> };
