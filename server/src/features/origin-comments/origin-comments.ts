import { MINUTE } from "@tandem/contract/durations";
import type { OriginComment } from "@tandem/contract/origin-comments";
import { hasThreads, type Platform, type ThreadPlatform } from "@tandem/contract/origins";
import type { PostOrigin } from "@tandem/contract/post-resources";
import { beginVisit, CrawlPolicy } from "../../crawl/visit.ts";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { Context, Handlers } from "../../http/context.ts";
import { isDenied } from "../../http/denied-links.ts";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import type { Services } from "../../http/services.ts";
import { OriginError } from "../../origins/connector.ts";
import type { ThreadComment } from "../../origins/threads/thread.ts";
import { readThread } from "../../origins/threads/threads.ts";
import { HostBusyError, OutgoingError } from "../../outgoing/outgoing-error.ts";
import { Lru } from "../../storage/lru.ts";
import type { Db } from "../../storage/storage.ts";
import { addressAttempt, countAttempt } from "../accounts/throttle.ts";
import { isMutedThere, mutesOf } from "../shared/mutes.ts";

/** Milliseconds that a thread may take, that it is kept, and that a failure is. */
const TIMEOUT = 10_000;
const LIFE = 10 * MINUTE;
const FAILURE_LIFE = MINUTE;
/** Threads in memory, each about 200 kB at most. */
const MAX_THREADS = 100;
/** Requests that wait for origins: a quarter of those that may be in progress, so that slow origins don't keep others out. */
const MAX_WAITING = 16;
/** Of these, those that wait for the same host, so that one slow server doesn't keep readers of others out. */
const MAX_WAITING_FOR_HOST = 4;

/** The comments of imported posts, read from their origin when someone asks. */
export const originComments = {
  async listOriginComments(ctx, { id, ai = ctx.caller?.ai.comments, muted: shown }) {
    const { platform, origin } = await originOfPost(ctx.read, id);
    const more = origin?.url ?? null;
    if (!hasThreads(platform) || more === null) return { comments: [], isReadable: false, more };
    if (await isDenied(ctx.read, more)) throw unavailable("Moderators blocked the domain.");
    const thread = await threadsOf(ctx.services).read(ctx, platform, more);
    const mutes = shown === "show" ? null : await mutesOf(ctx.read, ctx.caller, ctx.now);
    const comments = thread.map((comment): OriginComment => {
      const muted = mutes !== null && isMutedThere(mutes, platform, comment.author, comment.body);
      const hidden = muted || (ai === "hide" && comment.provenance === "ai_generated");
      return { ...comment, ...(hidden && { body: "" }), hidden, muted };
    });
    return { comments, isReadable: true, more };
  },
} satisfies Handlers<"listOriginComments">;

async function originOfPost(db: Db, id: number): Promise<{ platform: Platform; origin: PostOrigin | null }> {
  const post = await db
    .selectFrom("posts")
    .select(["platform", "origin_json"])
    .where("id", "=", id)
    .where("removed", "=", 0)
    .executeTakeFirst();
  if (!post) throw notFound("post");
  const { platform, origin_json } = post;
  return { platform, origin: origin_json === null ? null : (JSON.parse(origin_json) as PostOrigin) };
}

interface Entry {
  /** Null before the first request. */
  thread: Promise<ThreadComment[]> | null;
  /** Whether the request has ended. */
  isDone: boolean;
  /** When to fetch it again, in milliseconds since 1970. */
  expiresAt: number;
}

/** Threads that this process has read. Each is requested once, however many ask. */
class Threads {
  readonly #services: Services;
  readonly #policy: CrawlPolicy;
  readonly #threads = new Lru<string, Entry>(MAX_THREADS);
  /** The hosts that readers wait for, each as often as it is waited for. */
  readonly #waiting: string[] = [];

  constructor(services: Services) {
    this.#services = services;
    this.#policy = new CrawlPolicy(services, services.config.sourceSpacing, false);
  }

  /** Throws `origin_unavailable` and `rate_limited`. */
  async read(ctx: Context, platform: ThreadPlatform, url: string): Promise<ThreadComment[]> {
    const entry = this.#threads.get(`${platform} ${url}`, () => ({
      thread: null,
      isDone: false,
      expiresAt: 0,
    }));
    const current = () => (entry.expiresAt > ctx.now ? entry.thread : null);
    const known = current();
    if (known && entry.isDone) return known;
    const { host } = new URL(url);
    const isFull =
      this.#waiting.length >= MAX_WAITING ||
      this.#waiting.filter((one) => one === host).length >= MAX_WAITING_FOR_HOST;
    if (isFull) throw unavailable("Too many threads are being read.", 5);
    this.#waiting.push(host);
    try {
      if (!current()) await this.#count(ctx);
      return await (current() ?? this.#start(entry, platform, url));
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(host), 1);
    }
  }

  /** Counts for each reader that needs the thread now, although only one request fetches it. */
  async #count(ctx: Context): Promise<void> {
    const attempt = addressAttempt("threads of other platforms", ctx.address, "originThreadsPerAddress");
    await this.#services.storage.write((tx) => countAttempt(ctx, tx, attempt));
  }

  #start(entry: Entry, platform: ThreadPlatform, url: string): Promise<ThreadComment[]> {
    entry.isDone = false;
    entry.expiresAt = this.#services.now() + LIFE;
    entry.thread = this.#readNow(platform, url)
      .catch((error: unknown) => {
        entry.expiresAt = this.#services.now() + FAILURE_LIFE;
        throw error;
      })
      .finally(() => {
        entry.isDone = true;
      });
    return entry.thread;
  }

  async #readNow(platform: ThreadPlatform, url: string): Promise<ThreadComment[]> {
    try {
      const visit = beginVisit(this.#services, this.#policy, [], AbortSignal.timeout(TIMEOUT));
      return await readThread(platform, url, visit.fetch);
    } catch (error) {
      if (!isExternal(error)) throw error;
      this.#services.log.info({ platform, err: error }, "the comments of an imported post could not be read");
      throw unavailable(sentenceOf(error), waitAfter(error));
    }
  }
}

const threadsOf = memoizePerInstance((services: Services) => new Threads(services));

/** Whether the origin or the network is the cause. */
function isExternal(error: unknown): error is Error {
  const isSlow = error instanceof DOMException && error.name === "TimeoutError";
  return isSlow || error instanceof OriginError || error instanceof OutgoingError;
}

function sentenceOf(error: Error): string {
  return error instanceof DOMException ? `It took longer than ${TIMEOUT / 1000} seconds.` : error.message;
}

/** Seconds. */
function waitAfter(error: Error): number {
  const asked =
    error instanceof HostBusyError ? error.wait / 1000 : error instanceof OriginError ? error.retryAfter : 0;
  return Math.ceil(Math.max(asked ?? 0, FAILURE_LIFE / 1000));
}

function unavailable(reason: string, retryAfter = FAILURE_LIFE / 1000): ApiError {
  return new ApiError("origin_unavailable", `The origin's comments can't be read. ${reason}`, { retryAfter });
}
