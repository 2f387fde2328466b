import type { FastifyBaseLogger } from "fastify";
import type { ShedReason } from "./admission.ts";

/** Milliseconds between two log lines about refused requests. Without a refusal for as long, the overload is over. */
const INTERVAL = 10_000;

/**
 * Logs refusals: a line when an overload begins, one at most every ten seconds with how many were refused since the line before, and a
 * summary when it is over.
 */
export class RefusalLog {
  readonly #log: Pick<FastifyBaseLogger, "warn">;
  /** Since the last line. */
  #refused = 0;
  /** Since the overload began. */
  #total = 0;
  #beganAt = 0;
  #lastAt = 0;
  #reason: ShedReason | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(log: Pick<FastifyBaseLogger, "warn">) {
    this.#log = log;
  }

  add(reason: ShedReason): void {
    this.#lastAt = performance.now();
    if (this.#total === 0) this.#beganAt = this.#lastAt;
    this.#total += 1;
    this.#refused += 1;
    this.#reason = reason;
    if (this.#timer) return;
    this.#tell();
    this.#timer = setInterval(() => (this.#refused > 0 ? this.#tell() : this.end()), INTERVAL).unref();
  }

  /** Logs the summary, if there was an overload. Call it when the service stops. */
  end(): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
    if (this.#refused > 0) this.#tell();
    const seconds = Math.round((this.#lastAt - this.#beganAt) / 1000);
    this.#log.warn({ refused: this.#total, seconds }, "requests are no longer refused");
    this.#total = 0;
  }

  #tell(): void {
    this.#log.warn(
      { refused: this.#refused, reason: this.#reason },
      "requests are refused because the service is busy",
    );
    this.#refused = 0;
  }
}
