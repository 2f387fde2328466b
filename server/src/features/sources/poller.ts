import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { CrawlPolicy, WAIT } from "../../crawl/ask.ts";
import { Busy } from "../../crawl/hosts.ts";
import type { Services } from "../../http/services.ts";
import { type Outcome, poll } from "./poll.ts";
import { claimDue, keep, LeaseLostError, releaseLease, type SourceFigures } from "./sources.queries.ts";
import { removeSome } from "./withdraw.ts";

/** How long a process that died keeps a source from others; longer than any visit. In milliseconds. */
const LEASE = 300_000;
/** Milliseconds until it is looked again what has become due, while visits go on. */
const LOOK = 1000;
/** Posts that go in one transaction, where a source is removed. */
const REMOVED = 500;

/** Told of each visit. */
export type OnVisit = (source: SourceFigures, outcome: Outcome) => void;

/** Asks sources for what is new, many at a time. */
export class Poller {
  readonly #services: Services;
  readonly #manners: CrawlPolicy;
  readonly #holder = randomUUID();
  readonly #running = new Set<Promise<void>>();

  constructor(services: Services) {
    this.#services = services;
    this.#manners = new CrawlPolicy(services.config.sourceSpacing);
  }

  /** Visits all sources that are due, until none is or the signal says to stop. */
  async run(signal: AbortSignal, onVisit: OnVisit = () => {}): Promise<void> {
    const { sourceConcurrency } = this.#services.config;
    while (!signal.aborted) {
      const claimed = await this.#claim(sourceConcurrency - this.#running.size);
      for (const source of claimed) this.#begin(source, signal, onVisit);
      if (this.#running.size === 0 && claimed.length === 0) break;
      if (this.#running.size >= sourceConcurrency) await Promise.race(this.#running);
      else if (claimed.length === 0) await this.#oneEnds();
    }
    await Promise.all(this.#running);
  }

  /** Waits for any visit, but not for long: others become due while one goes on, and a removal may take an hour. */
  async #oneEnds(): Promise<void> {
    const ended = new AbortController();
    const look = pause(LOOK, undefined, { signal: ended.signal }).catch(() => {});
    await Promise.race([look, ...this.#running]);
    ended.abort();
  }

  async #claim(limit: number): Promise<SourceFigures[]> {
    if (limit <= 0) return [];
    const { storage, now } = this.#services;
    // Looked at first, for most of the time none is: a look costs nobody else their turn.
    const due = storage.read.selectFrom("sources").select("id").where("next_at", "<=", now()).limit(1);
    if (!(await due.executeTakeFirst())) return [];
    return storage.write((tx) => claimDue(tx, { now: now(), holder: this.#holder, limit, lease: LEASE }));
  }

  #begin(source: SourceFigures, signal: AbortSignal, onVisit: OnVisit): void {
    const visit = this.#visit(source, signal, onVisit)
      .catch((err) => {
        if (!(err instanceof LeaseLostError))
          this.#services.log.error({ err, source: source.id }, "a source can't be visited");
      })
      .finally(() => this.#running.delete(visit));
    this.#running.add(visit);
  }

  async #visit(source: SourceFigures, signal: AbortSignal, onVisit: OnVisit): Promise<void> {
    if (source.state === "removing") return this.#remove(source, signal);
    const wait = this.#manners.hosts.waitFor(hostOf(source.url));
    if (wait > WAIT) return this.#putOff(source, wait);
    try {
      onVisit(source, await poll(this.#services, this.#manners, source, signal));
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
      await this.#putOff(source, error.wait);
    }
  }

  /** Others' turn comes first; by a time that is a little its own, lest all come back at once. */
  #putOff(source: SourceFigures, wait: number): Promise<void> {
    const { storage, now } = this.#services;
    const next_at = Math.round(now() + wait * (1 + Math.random()));
    return storage.write((tx) => releaseLease(tx, source, { next_at }));
  }

  async #remove(source: SourceFigures, signal: AbortSignal): Promise<void> {
    const { storage, now } = this.#services;
    for (let done = false; !done; ) {
      if (signal.aborted) return storage.write((tx) => releaseLease(tx, source, { next_at: now() }));
      done = await storage.write(async (tx) => {
        await keep(tx, source, now() + LEASE);
        return removeSome(tx, source, REMOVED);
      });
    }
    await storage.write((tx) => tx.deleteFrom("sources").where("id", "=", source.id).execute());
  }
}

function hostOf(url: string | null): string {
  return url !== null && URL.canParse(url) ? new URL(url).host : "";
}
