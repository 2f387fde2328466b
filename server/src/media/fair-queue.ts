import { AsyncLocalStorage } from "node:async_hooks";
import { HOUR, MINUTE } from "@tandem/contract/durations";

/** An account id, an IP address, or the service itself. */
export type Client = string | number;

/** Work of the service: posters, link cards. */
const SERVICE = "service";
/** Milliseconds after which a client's use counts half. */
const HALF_LIFE = MINUTE;
/** Clients whose use is remembered; beyond that, those that used least are forgotten. */
const MAX_REMEMBERED = 1000;

const current = new AsyncLocalStorage<Client>();

/** Everything that `work` decodes counts for this client. It crosses layers that needn't know about it. */
export function onBehalfOf<T>(client: Client, work: () => Promise<T>): Promise<T> {
  return current.run(client, work);
}

interface Waiting {
  client: Client;
  since: number;
  go(): void;
}

/**
 * Slots that clients take fair turns in: the next is the one that used least of the last minutes. So a client whose files take long
 * to decode delays its own, and others at most by the one file in progress.
 */
export class FairQueue {
  readonly #maxWaiting: number;
  readonly #waiting: Waiting[] = [];
  readonly #used = new Map<Client, { milliseconds: number; at: number }>();
  /** What clients used in the hour that began with their first use. */
  readonly #hours = new Map<Client, { milliseconds: number; began: number }>();
  #active = 0;

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  /** The work that runs and that waits, and the milliseconds that the oldest has waited; 0 if none does. */
  get state(): { running: number; waiting: number; age: number } {
    const oldest = Math.min(...this.#waiting.map(({ since }) => since));
    const age = this.#waiting.length > 0 ? performance.now() - oldest : 0;
    return { running: this.#active, waiting: this.#waiting.length, age };
  }

  /** Runs `work` in a slot. Throws what `busy` returns if too many wait. */
  async run<T>(slots: number, busy: () => Error, work: () => Promise<T>): Promise<T> {
    const client = current.getStore() ?? SERVICE;
    if (this.#active < slots) this.#active += 1;
    else if (this.#waiting.length >= this.#maxWaiting) throw busy();
    else await new Promise<void>((go) => this.#waiting.push({ client, since: performance.now(), go }));
    const begun = performance.now();
    try {
      return await work();
    } finally {
      this.#count(client, performance.now() - begun);
      this.#release();
    }
  }

  /** The milliseconds that a client used in its current hour, and those until the next one begins. */
  spentBy(client: Client): { milliseconds: number; left: number } {
    const hour = this.#hours.get(client);
    const left = hour ? hour.began + HOUR - performance.now() : 0;
    return hour && left > 0 ? { milliseconds: hour.milliseconds, left } : { milliseconds: 0, left: HOUR };
  }

  /** Passes the slot to the next waiting client, if any. */
  #release(): void {
    let next = 0;
    for (let i = 1; i < this.#waiting.length; i++)
      if (this.#usedBy(this.#waiting[i]?.client) < this.#usedBy(this.#waiting[next]?.client)) next = i;
    const [chosen] = this.#waiting.splice(next, 1);
    if (chosen) chosen.go();
    else this.#active -= 1;
  }

  #usedBy(client: Client | undefined): number {
    const used = client === undefined ? undefined : this.#used.get(client);
    return used ? used.milliseconds * 0.5 ** ((performance.now() - used.at) / HALF_LIFE) : 0;
  }

  #count(client: Client, milliseconds: number): void {
    const used = this.#usedBy(client) + milliseconds;
    const { milliseconds: spent, left } = this.spentBy(client);
    this.#hours.set(client, { milliseconds: spent + milliseconds, began: performance.now() + left - HOUR });
    this.#used.set(client, { milliseconds: used, at: performance.now() });
    forgetLeast(this.#used, (one) => this.#usedBy(one));
    forgetLeast(this.#hours, (one) => this.spentBy(one).milliseconds);
  }
}

/** Halves a map that has grown too large. */
function forgetLeast(clients: Map<Client, unknown>, usedBy: (client: Client) => number): void {
  if (clients.size <= MAX_REMEMBERED) return;
  const least = [...clients.keys()].toSorted((a, b) => usedBy(a) - usedBy(b));
  for (const forgotten of least.slice(0, MAX_REMEMBERED / 2)) clients.delete(forgotten);
}
