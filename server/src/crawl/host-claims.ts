import { randomUUID } from "node:crypto";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { pauseOf } from "../http/retry-after.ts";
import type { Services } from "../http/services.ts";
import { HostBusyError } from "../outgoing/outgoing-error.ts";
import { HOLD, setTurns, standingOf, type Turn } from "./hosts.queries.ts";

/** Milliseconds between two attempts at a host that another process is requesting. */
const RETRY = 100;

interface Pending extends Turn {
  settle(outcome: { isOurs: boolean } | { error: unknown }): void;
}

/**
 * Claims of hosts, so that one process at a time requests a host. A claim ends by itself if the process dies. Claims and releases that
 * come at the same time share a statement.
 */
export class HostClaims {
  readonly #services: Services;
  readonly #self = randomUUID();
  #pending = new Map<string, Pending>();
  #storing: Promise<void> | null = null;

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Resolves when the host may be requested, which the caller must do within seconds, and then release it. Throws {@link HostBusyError} if
   * that takes longer than `maxWait` milliseconds, or if the host asked for a pause.
   */
  async claim(host: string, signal: AbortSignal, maxWait: number): Promise<void> {
    const end = performance.now() + maxWait;
    while (!(await this.#take(host))) {
      const paused = await pauseOf(this.#services, host);
      if (paused > 0) throw new HostBusyError(paused);
      const { wait, isHeld } = await standingOf(this.#services.storage.read, host);
      const rest = isHeld ? Math.min(wait, RETRY * (0.5 + Math.random())) : wait;
      if (performance.now() + rest > end) throw new HostBusyError(wait);
      // The timer's own error would hide why the signal aborted.
      await sleep(rest, null, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  /**
   * Lets others request the host after this many milliseconds. The release is stored later; await {@link released} before the storage
   * closes, or others wait until the claim ends by itself.
   */
  release(host: string, spacing: number): void {
    this.#store({ host, holder: null, hold: Math.round(spacing), settle: () => {} });
  }

  /** Resolves when all releases so far are stored. */
  async released(): Promise<void> {
    await this.#storing;
  }

  async #take(host: string): Promise<boolean> {
    const outcome = await new Promise<Parameters<Pending["settle"]>[0]>((settle) => {
      this.#store({ host, holder: this.#self, hold: HOLD, settle });
    });
    if ("error" in outcome) throw outcome.error;
    return outcome.isOurs;
  }

  #store(pending: Pending): void {
    this.#pending.set(pending.host, pending);
    this.#storing ??= this.#storeAll();
  }

  async #storeAll(): Promise<void> {
    const { storage, now, log } = this.#services;
    await turn();
    while (this.#pending.size > 0) {
      const all = [...this.#pending.values()];
      this.#pending = new Map();
      const turns = all.map(({ host, holder, hold }) => ({ host, holder, hold }));
      try {
        const done = new Set(await storage.write((tx) => setTurns(tx, this.#self, turns, now())));
        for (const { host, settle } of all) settle({ isOurs: done.has(host) });
      } catch (error) {
        log.debug({ err: error }, "hosts could not be claimed or released");
        for (const { settle } of all) settle({ error });
      }
    }
    this.#storing = null;
  }
}
