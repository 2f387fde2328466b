/** What a request waits for: the thread, a place among the reads or writes in progress, or a place in the queue. */
export type ShedReason = "event_loop" | "reads" | "writes" | "queue_full";

/** A request that wants to be handled. */
export interface Entrant {
  readonly isWrite: boolean;
  /** Search, pages, feeds, uploads. */
  readonly isDear: boolean;
  /** A file that an admitted page needs, such as a script. It costs less than what it waits for. */
  readonly isFile: boolean;
  /** Whether it takes a place while it is in progress. Called when it is about to start. */
  takesPlace(): boolean;
  /** Called only if the request has to wait. */
  identify(): { isSignedIn: boolean; network: string };
  admit(): void;
  refuse(reason: ShedReason): void;
}

export interface AdmissionOptions {
  /** Milliseconds that a request may wait, and after which it is refused. */
  maxWait: number;
  /** Milliseconds that the oldest write has waited for the database. */
  writeQueueAge(): number;
}

/** Milliseconds of one turn of the event loop within which arriving requests start at once. */
const TURN = 10;
/**
 * Connections that are accepted, and the milliseconds that it may take, before waiting requests start again. The loop accepts one
 * per turn, so without this, long turns would keep new clients out, and health checks.
 */
const ACCEPTED_FIRST = { connections: 64, milliseconds: 100 };
/** Requests that start in one turn after waiting; a dear one counts for all. Together, with writes that end, shorter than a turn. */
const STARTS_PER_TURN = 4;
/**
 * Files that start in one turn besides, and before the others: an admitted page is of no use without them. They have a number of their own,
 * so that many of them hold up neither the others nor the turn.
 */
const FILES_PER_TURN = 16;
/** Refusals in one turn. Clients that retry at once would otherwise come back together, and their next requests would fill a turn. */
const REFUSALS_PER_TURN = 4;
/**
 * Requests in progress at once, by kind. Strangers get half, so that slow ones leave room for accounts. Dear requests use the processor, so more
 * would only be slower.
 */
const PLACES = { reads: 64, writes: 64, dear: 4 };
/** The fewest places of cheap reads and of writes under overload, and how many there are when it begins. */
const LEAST_PLACES = 8;
/** By how much a request that takes too long reduces them under overload, and any other one increases them. So one in ten takes too long. */
const PLACES_STEP = { less: 0.45, more: 0.05 };
/** Requests that wait or whose refusal is due. */
const MAX_QUEUE = 5000;
/** Milliseconds after which an overload counts as over, if nothing was refused since. */
const CALM = 5000;
/** The number of waiting requests, and the milliseconds since the queue began, from which its pace says whether all start in time. */
const CROWD = { requests: 100, milliseconds: 50 };
/**
 * Under overload, a request that hasn't started after this part of `maxWait` is refused, so that accepted ones are fast. It has at least
 * one turn.
 */
const OVERLOADED_PART = 1 / 50;
/**
 * Milliseconds after which a cheap request counts as waiting long, unless there is an overload. A few accounts that always have requests waiting
 * would otherwise keep out everyone else.
 */
const LONG_WAIT = 50;
/** Under overload, a request in progress for longer than this part of `maxWait` is slow. */
const SLOW_PART = 1 / 20;
/** Requests in flight that any network may have before it counts as greedy: a browser opens six connections. */
const FAIR = 8;
/** Milliseconds between looks for requests that have waited too long. */
const SWEEP = 25;

type Kind = keyof typeof PLACES;

/** A network of clients with its requests that wait or were started from the queue. */
interface Network {
  name: string;
  inFlight: number;
}

/** A request's way through the admission. */
export class Ticket {
  readonly entrant: Entrant;
  readonly arrivedAt = performance.now();
  /** Set once it waits. */
  network: Network | null = null;
  isSignedIn = false;
  reason: ShedReason = "event_loop";
  readonly kind: Kind;
  takesPlace = false;
  startedAt = 0;
  state: "waiting" | "late" | "started" | "ended" = "waiting";

  constructor(entrant: Entrant) {
    this.entrant = entrant;
    this.kind = entrant.isDear ? "dear" : entrant.isWrite ? "writes" : "reads";
  }
}

/**
 * Decides when each request starts, and refuses what would wait too long. While the service keeps up, requests start as they
 * arrive. Otherwise they wait in a queue from which a few start in each turn of the event loop: signed-in callers before
 * strangers, and cheap requests before dear ones, except that each turn first starts a cheap one that has waited long. So the loop's turns stay
 * short, whatever arrives.
 *
 * Once a request waits too long, the queue isn't empty for as long, or so many wait that the last would wait too long, the service is
 * overloaded. Then the newest starts first, because the others' clients have already waited, and networks with many requests in flight
 * come last.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #networks = new Map<string, Network>();
  /** In order of arrival. */
  #waiting: Ticket[] = [];
  /** Refused, but not told yet: clients that retry at once would otherwise keep the thread busy with refusals. */
  #late: Ticket[] = [];
  readonly #running = { reads: 0, writes: 0, dear: 0 };
  readonly #places = { ...PLACES };
  #turnBegan = 0;
  /** When waiting requests last got a chance to start. */
  #lookedAt = 0;
  /** Whether a client has connected in this turn; since when one has in every turn, and how many. */
  #hasAccepted = false;
  #accepting = { since: 0, connections: 0 };
  #turn: NodeJS.Immediate | null = null;
  #sweep: NodeJS.Timeout | null = null;
  /** When the last request was refused, or had to be. */
  #refusedAt = Number.NEGATIVE_INFINITY;
  /** Since when some have always been waiting, how many have started since, and how many were in progress then. */
  #busySince: number | null = null;
  #startedSince = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Call it for every new connection. */
  accept(): void {
    this.#hasAccepted = true;
    this.#scheduleTurn();
  }

  /** Calls `admit` or `refuse`, now or later. Call `leave` when the response begins or the client has left. */
  enter(entrant: Entrant): Ticket {
    const ticket = new Ticket(entrant);
    if (this.#startsAtOnce(ticket)) this.#start(ticket);
    else this.#queue(ticket);
    return ticket;
  }

  leave(ticket: Ticket): void {
    if (ticket.state === "ended") return;
    if (ticket.state === "waiting") remove(this.#waiting, ticket);
    if (ticket.state === "late") remove(this.#late, ticket);
    const freed = ticket.state === "started" && ticket.takesPlace;
    ticket.state = "ended";
    const { network } = ticket;
    if (network) {
      network.inFlight -= 1;
      if (network.inFlight === 0) this.#networks.delete(network.name);
    }
    if (!freed) return;
    this.#running[ticket.kind] -= 1;
    this.#adaptPlaces(ticket);
    if (this.#waiting.length > 0) this.#scheduleTurn();
  }

  /** Whether an answer that is known may be sent now, which takes less time than a refusal. So it doesn't wait for others. */
  isFree(): boolean {
    return this.#isTurnShort(performance.now());
  }

  /** Takes a place for a cheap read, if it may start now. Then call `end` once it is over. */
  begin(): boolean {
    const starts = this.#hasTime(performance.now()) && this.#hasPlace("reads", false);
    if (starts) this.#running.reads += 1;
    return starts;
  }

  end(): void {
    this.#running.reads -= 1;
    if (this.#waiting.length > 0) this.#scheduleTurn();
  }

  /** Writes wait for the next turn, when it is known whether the body has arrived. */
  #startsAtOnce({ arrivedAt, entrant, kind }: Ticket): boolean {
    if (entrant.isFile) return this.#isTurnShort(arrivedAt);
    return this.#hasTime(arrivedAt) && !entrant.isWrite && this.#hasPlace(kind, false);
  }

  /** Whether what arrives now needn't wait for a later turn. */
  #hasTime(now: number): boolean {
    return this.#isTurnShort(now) && this.#waiting.length === 0;
  }

  #isTurnShort(now: number): boolean {
    if (!this.#turn) this.#turnBegan = now;
    this.#scheduleTurn();
    return !this.#hasAccepted && now - this.#turnBegan < TURN;
  }

  #start(ticket: Ticket): void {
    ticket.state = "started";
    this.#startedSince += 1;
    ticket.startedAt = performance.now();
    ticket.takesPlace = ticket.entrant.takesPlace();
    if (ticket.takesPlace) this.#running[ticket.kind] += 1;
    ticket.entrant.admit();
  }

  #hasPlace(kind: Kind, isSignedIn: boolean): boolean {
    return this.#running[kind] < this.#placesFor(kind) * (isSignedIn ? 1 : 1 / 2);
  }

  #placesFor(kind: Kind): number {
    return this.#isOverloaded ? this.#places[kind] : PLACES[kind];
  }

  /**
   * Under overload, only as many requests are in progress as aren't slow. More would wait for each other: for the processor, the
   * database's connections, or its locks.
   */
  #adaptPlaces({ kind, startedAt }: Ticket): void {
    if (kind === "dear") return;
    const isSlow = performance.now() - startedAt > this.#options.maxWait * SLOW_PART;
    const places = this.#placesFor(kind) + (isSlow ? -PLACES_STEP.less : PLACES_STEP.more);
    this.#places[kind] = Math.min(PLACES[kind], Math.max(LEAST_PLACES, places));
  }

  #queue(ticket: Ticket): void {
    const { isSignedIn, network: name } = ticket.entrant.identify();
    const network = this.#networks.get(name) ?? { name, inFlight: 0 };
    network.inFlight += 1;
    this.#networks.set(name, network);
    Object.assign(ticket, { isSignedIn, network });
    this.#waiting.push(ticket);
    if (this.#waiting.length + this.#late.length > MAX_QUEUE) this.#dropOne();
    this.#sweep ??= setTimeout(() => this.#onSweep(), SWEEP).unref();
  }

  #scheduleTurn(): void {
    this.#turn ??= setImmediate(() => this.#onTurn());
  }

  #onTurn(): void {
    this.#turn = null;
    this.#turnBegan = performance.now();
    const isAccepting = this.#isAccepting(this.#turnBegan);
    if (this.#waiting.length > 0 && isAccepting) {
      this.#scheduleTurn();
      return;
    }
    this.#lookedAt = this.#turnBegan;
    if (this.#waiting.length > 0 && this.#busySince === null) {
      this.#busySince = this.#turnBegan;
      this.#startedSince = this.#running.reads + this.#running.writes + this.#running.dear;
    }
    const mayGoOn = this.#waiting.length > 0 && this.#startSome();
    const isLate = this.#expire();
    // What waits for a place is looked at again when one is free.
    if (isLate || (this.#waiting.length > 0 && mayGoOn)) this.#scheduleTurn();
  }

  /** False if nothing more can start until a place is free. */
  #startSome(): boolean {
    const goesFirst = this.#order();
    const startBest = (isPossible: (ticket: Ticket) => boolean, order = goesFirst) => {
      const ticket = best(this.#waiting, order, isPossible);
      if (!ticket) return null;
      remove(this.#waiting, ticket);
      this.#start(ticket);
      return ticket;
    };
    let files = FILES_PER_TURN;
    while (files > 0 && startBest(({ entrant }) => entrant.isFile)) files -= 1;
    let left = STARTS_PER_TURN;
    const hasWaitedLong = (one: Ticket) => this.#turnBegan - one.arrivedAt > LONG_WAIT && isCheap(one);
    if (
      !this.#isOverloaded &&
      startBest((one) => hasWaitedLong(one) && this.#mayStart(one), inOrderOfArrival)
    )
      left -= 1;
    while (left > 0) {
      const ticket = startBest((one) => !one.entrant.isFile && this.#mayStart(one));
      if (!ticket) return files === 0;
      left -= ticket.entrant.isDear ? STARTS_PER_TURN : 1;
    }
    return true;
  }

  /** Whether to wait for more connections before requests start. */
  #isAccepting(now: number): boolean {
    const accepted = this.#hasAccepted;
    this.#hasAccepted = false;
    if (this.#accepting.connections === 0) this.#accepting.since = now;
    const { connections, milliseconds } = ACCEPTED_FIRST;
    const isFirst =
      accepted && this.#accepting.connections < connections && now - this.#accepting.since < milliseconds;
    this.#accepting.connections = isFirst ? this.#accepting.connections + 1 : 0;
    return isFirst;
  }

  #mayStart(ticket: Ticket): boolean {
    const { kind, isSignedIn, entrant } = ticket;
    const isWritable = !entrant.isWrite || this.#options.writeQueueAge() <= this.#options.maxWait;
    const free = this.#hasPlace(kind, isSignedIn) && isWritable;
    ticket.reason = free ? "event_loop" : entrant.isWrite ? "writes" : "reads";
    return free;
  }

  get #isOverloaded(): boolean {
    return performance.now() - this.#refusedAt < CALM;
  }

  /** An overload begins with few places, because what is in progress at once is slow at first. */
  #overloadedAt(now: number): void {
    if (!this.#isOverloaded) Object.assign(this.#places, { reads: LEAST_PLACES, writes: LEAST_PLACES });
    this.#refusedAt = now;
  }

  /** Returns how many milliseconds a request may wait. Files are few if the pages that need them are, so they needn't be given up early. */
  #patience(): (ticket: Ticket) => number {
    const { maxWait } = this.#options;
    const patience = this.#isOverloaded ? Math.max(TURN, maxWait * OVERLOADED_PART) : maxWait;
    return ({ entrant }) => (entrant.isFile ? maxWait : patience);
  }

  /** Whether the first of two waiting requests starts before the second. */
  #order(): (a: Ticket, b: Ticket) => boolean {
    const overloaded = this.#isOverloaded;
    const newestFirst = overloaded || this.#isCrowdNew;
    return (a, b) => {
      const greed = overloaded ? greedOf(a) - greedOf(b) : 0;
      if (greed !== 0) return greed < 0;
      if (a.isSignedIn !== b.isSignedIn) return a.isSignedIn;
      if (a.entrant.isDear !== b.entrant.isDear) return b.entrant.isDear;
      return newestFirst ? a.arrivedAt > b.arrivedAt : a.arrivedAt < b.arrivedAt;
    };
  }

  /**
   * Whether a crowd waits whose pace isn't known yet. If this is an overload, the newest should start, because the others are refused
   * anyway; if not, the others start a moment later.
   */
  get #isCrowdNew(): boolean {
    const busy = this.#busySince === null ? 0 : performance.now() - this.#busySince;
    return this.#waiting.length >= CROWD.requests && busy <= CROWD.milliseconds;
  }

  #onSweep(): void {
    this.#sweep = null;
    const isLate = this.#expire();
    // The database may take writes again, which no request announces.
    if (isLate || this.#waiting.length > 0) this.#scheduleTurn();
    if (this.#waiting.length + this.#late.length > 0)
      this.#sweep = setTimeout(() => this.#onSweep(), SWEEP).unref();
  }

  /** Gives up what has waited too long, and refuses it when its time is over. Returns whether more refusals are due. */
  #expire(): boolean {
    const now = performance.now();
    const { maxWait } = this.#options;
    if (this.#waiting.length === 0) this.#busySince = null;
    if (this.#isBehind(now)) this.#overloadedAt(now);
    const patience = this.#patience();
    // Each gets a chance, even if the thread or the whole machine was held up.
    const isLate = (ticket: Ticket) =>
      now - ticket.arrivedAt > patience(ticket) && ticket.arrivedAt < this.#lookedAt;
    const late = this.#waiting.filter(isLate);
    if (late.length > 0) {
      this.#overloadedAt(now);
      for (const ticket of late) ticket.state = "late";
      this.#waiting = this.#waiting.filter(({ state }) => state === "waiting");
      this.#late.push(...late);
      // Files are given up later than others that arrived with them, and refused no later.
      if (late.some(({ entrant }) => entrant.isFile)) this.#late.sort((a, b) => a.arrivedAt - b.arrivedAt);
    }
    for (let left = REFUSALS_PER_TURN; ; left--) {
      const [first] = this.#late;
      if (!first || now - first.arrivedAt <= maxWait) return false;
      if (left === 0) return true;
      this.#refuse(first);
    }
  }

  /** Whether the queue hasn't been empty for too long, which only makes everyone slower, or can't be in time at its pace. */
  #isBehind(now: number): boolean {
    if (this.#busySince === null) return false;
    const { maxWait } = this.#options;
    const busy = now - this.#busySince;
    // None start while clients connect.
    const isJudged = busy > CROWD.milliseconds && this.#accepting.connections === 0;
    const isCrowd = isJudged && this.#waiting.length >= CROWD.requests;
    return busy > maxWait || (isCrowd && this.#waiting.length * busy > this.#startedSince * maxWait);
  }

  /** Refuses what would start last. */
  #dropOne(): void {
    const goesFirst = this.#order();
    const last = this.#late[0] ?? best(this.#waiting, (a, b) => goesFirst(b, a));
    if (!last) return;
    this.#overloadedAt(performance.now());
    if (last.state === "waiting") last.reason = "queue_full";
    this.#refuse(last);
  }

  #refuse(ticket: Ticket): void {
    this.leave(ticket);
    ticket.entrant.refuse(ticket.reason);
  }
}

const isCheap = ({ entrant }: Ticket): boolean => !entrant.isFile && !entrant.isDear;

const inOrderOfArrival = (a: Ticket, b: Ticket): boolean => a.arrivedAt < b.arrivedAt;

/** How many requests its network has in flight beyond what any may have. */
function greedOf({ network }: Ticket): number {
  return Math.max(0, (network?.inFlight ?? 0) - FAIR);
}

function best(
  tickets: readonly Ticket[],
  goesFirst: (a: Ticket, b: Ticket) => boolean,
  isPossible: (ticket: Ticket) => boolean = () => true,
): Ticket | null {
  let found: Ticket | null = null;
  for (const ticket of tickets)
    if ((!found || goesFirst(ticket, found)) && isPossible(ticket)) found = ticket;
  return found;
}

function remove(tickets: Ticket[], ticket: Ticket): void {
  const at = tickets.indexOf(ticket);
  if (at >= 0) tickets.splice(at, 1);
}
