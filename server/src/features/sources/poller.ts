import { MINUTE } from "@tandem/contract/durations";
import type { RawBuilder } from "kysely";
import { CrawlPolicy, MAX_WAIT } from "../../crawl/visit.ts";
import type { Services } from "../../http/services.ts";
import { release, renew } from "../../jobs/queue.ts";
import type { RunOutcome } from "../../jobs/queue-metrics.ts";
import { type Work, workOff } from "../../jobs/work-queue.ts";
import { HostBusyError } from "../../outgoing/outgoing-error.ts";
import { type Outcome, poll } from "./poll.ts";
import { type SourceRecord, sourceQueue } from "./sources.queries.ts";
import { VisitRecorder } from "./visits.ts";
import { removeBatch } from "./withdraw.ts";

/** Posts removed per transaction when a source is removed. */
const REMOVED = 500;

/** Called after each visit. */
export type OnVisit = (source: SourceRecord, outcome: Outcome) => void;

/** Polls sources for new items, many at the same time. */
export class Poller {
  readonly #services: Services;
  readonly #policy: CrawlPolicy;

  constructor(services: Services) {
    this.#services = services;
    this.#policy = new CrawlPolicy(services, services.config.sourceSpacing, true);
  }

  /** Visits sources that are due, or those of them that `where` matches, until none is or the signal aborts. */
  async run(signal: AbortSignal, onVisit: OnVisit = () => {}, where?: RawBuilder<boolean>): Promise<void> {
    const work: Work<"sources"> = {
      ...sourceQueue,
      ...(where && { where }),
      atOnce: ({ config }) => config.sourceConcurrency,
      run: async (_services, source) => ({ outcome: await this.#visit(source, signal, onVisit) }),
    };
    await workOff(this.#services, work, signal);
    await this.#policy.hosts.released();
  }

  async #visit(source: SourceRecord, signal: AbortSignal, onVisit: OnVisit): Promise<RunOutcome> {
    if (source.state === "removing") return this.#remove(source, signal);
    const wait = this.#policy.hosts.waitTime(hostOf(source.url));
    if (wait > MAX_WAIT) return this.#postpone(source, wait);
    try {
      const outcome = await poll(this.#services, this.#policy, source, signal);
      onVisit(source, outcome);
      if (outcome === null) return "lost";
      return "failed" in outcome ? "retried" : "done";
    } catch (error) {
      if (error instanceof HostBusyError) return this.#postpone(source, error.wait);
      throw error;
    }
  }

  /** With jitter, so that sources of one host don't all come back at the same time. */
  async #postpone(source: SourceRecord, wait: number): Promise<RunOutcome> {
    const { storage, now } = this.#services;
    const due_at = Math.round(now() + wait * (1 + Math.random()));
    const recorder = new VisitRecorder(now());
    await storage.write(async (tx) => {
      await release(tx, sourceQueue, source, { due_at });
      await recorder.record(tx, source, { outcome: "postponed", error: sentenceOf(wait) });
    });
    return "busy";
  }

  async #remove(source: SourceRecord, signal: AbortSignal): Promise<RunOutcome> {
    const { storage } = this.#services;
    for (let done = false; !done; ) {
      if (signal.aborted) {
        await storage.write((tx) => release(tx, sourceQueue, source, {}));
        return "lost";
      }
      done = await storage.write(async (tx) => {
        await renew(tx, sourceQueue, source, sourceQueue.lease);
        return removeBatch(tx, source, REMOVED);
      });
    }
    await storage.write((tx) => tx.deleteFrom("sources").where("id", "=", source.id).execute());
    return "done";
  }
}

function sentenceOf(wait: number): string {
  const [length, unit] = wait < MINUTE ? [wait / 1000, "second"] : [wait / MINUTE, "minute"];
  const format = new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "long" });
  return `The host is busy, or asked for a pause: no request for at least ${format.format(Math.ceil(length))}.`;
}

function hostOf(url: string | null): string {
  return url !== null && URL.canParse(url) ? new URL(url).host : "";
}
