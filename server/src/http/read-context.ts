import type { IncomingHttpHeaders } from "node:http";
import { withoutHidden } from "@tandem/contract/hidden-text";
import { limits } from "@tandem/contract/limits";
import { parseCookie } from "cookie";
import type { Db } from "../storage/storage.ts";
import type { Caller } from "./caller.ts";
import type { Context } from "./context.ts";
import { nextLink } from "./links.ts";
import { lastPosition } from "./quota.ts";
import type { Services } from "./services.ts";

/** A request for an operation that only reads. */
export interface ReadRequest {
  /** Path and query, as sent. */
  readonly url: string;
  /** The pattern of its path. */
  readonly route: string | undefined;
  readonly params: Record<string, string>;
  readonly headers: IncomingHttpHeaders;
  /** The client's address. */
  readonly ip: string | null;
  /** The database's version before anything was read for it, or null, if it was asked for. */
  readonly since?: number | null;
}

/** What the handler of a read knows about its request. A class, because making a dozen functions per request costs as much as a query. */
export class ReadContext implements Context {
  readonly services: Services;
  readonly caller: Caller | null;
  readonly now: number;
  readonly method = "GET";
  readonly dryRun = false;
  readonly #request: ReadRequest;
  /** `Link: rel="next"`, if another page follows. */
  link: string | undefined;
  /** When the response may change without a commit. Milliseconds since 1970. */
  until = Number.POSITIVE_INFINITY;

  constructor(services: Services, request: ReadRequest, caller: Caller | null) {
    this.services = services;
    this.caller = caller;
    this.now = services.now();
    this.#request = request;
  }

  get read(): Db {
    return this.services.storage.read;
  }

  recent(): Promise<Db> {
    const { caller, read } = this;
    return this.services.storage.recent(async () => (caller ? lastPosition(read, caller.userId) : 0));
  }

  async version(): Promise<number | null> {
    const { storage } = this.services;
    const { since } = this.#request;
    return storage.version() ?? (since === undefined ? storage.askVersion() : since);
  }

  get address(): string {
    if (this.#request.ip === null) throw new Error("The client's address isn't known");
    return this.#request.ip;
  }

  get device(): string | null {
    return deviceOf(this.#request.headers["user-agent"]);
  }

  cookies(): ReturnType<Context["cookies"]> {
    return parseCookie(this.#request.headers.cookie ?? "");
  }

  nextPage(cursor: number | null): number | null {
    if (cursor !== null) this.link = nextLink(this.services, this.#request.url, cursor);
    return cursor;
  }

  changesAt(time: number): void {
    this.until = Math.min(this.until, time);
  }

  write(): never {
    throw new Error("This operation only reads");
  }

  rehearse(): never {
    return this.write();
  }

  writeTogether(): never {
    return this.write();
  }

  setCookie(): never {
    return this.write();
  }

  concerns(): never {
    return this.write();
  }
}

/** The `User-Agent`, shortened and without hidden characters. */
export function deviceOf(userAgent: string | undefined): string | null {
  return (
    withoutHidden(userAgent ?? "")
      .trim()
      .slice(0, limits.device) || null
  );
}
