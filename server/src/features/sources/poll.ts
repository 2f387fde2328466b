import type { House } from "../../http/house.ts";
import { type Gathered, OriginError, type Place } from "../../origins/connector.ts";
import { connectors } from "../../origins/connectors.ts";
import { OutgoingError } from "../../outgoing/outgoing-error.ts";
import { type Db, Overloaded } from "../../storage/storage.ts";
import { beginVisit, type Manners, type Page } from "./ask.ts";
import { FAILURES, intervals, nextInterval, pauseAfter, waitAfter } from "./schedule.ts";
import { Lost, letGo, pagesOf, rememberPages, type SourceFigures } from "./sources.queries.ts";
import { type Taken, takeIn } from "./take-in.ts";

/** Milliseconds that a visit may take in all. */
const PATIENCE = 120_000;
const LONGEST_ERROR = 500;

/** How a visit ended; null where it was nobody's business any more. */
export type Outcome = Taken | { failed: string } | null;

/** Looks what is new at a source that was claimed, takes it in, and lets go of the source. */
export async function poll(
  house: House,
  manners: Manners,
  source: SourceFigures,
  stop: AbortSignal,
): Promise<Outcome> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(PATIENCE)]);
  try {
    const known = await pagesOf(house.storage.read, source.id);
    const { ask, pages } = beginVisit(house, manners, known, signal);
    const gathered = await connectors[source.platform].gather(placeOf(source), ask);
    return await house.storage.write((tx) => succeed(tx, source, gathered, pages.values(), house.now()));
  } catch (error) {
    if (error instanceof Lost) return null;
    // No fault of the origin's: it is visited again when its lease is over.
    if (error instanceof Overloaded) throw error;
    return await house.storage
      .write((tx) => (stop.aborted ? giveBack(tx, source, house.now()) : fail(tx, house, source, error)))
      .catch((lost) => {
        if (lost instanceof Lost) return null;
        throw lost;
      });
  }
}

function placeOf({ url, name, community }: SourceFigures): Place {
  if (url === null) throw new OriginError("The source has no address.");
  return { url, name, community };
}

async function succeed(
  tx: Db,
  source: SourceFigures,
  gathered: Gathered,
  pages: Iterable<Page>,
  now: number,
): Promise<Taken> {
  const taken = await takeIn(tx, source, gathered, now);
  await rememberPages(tx, source.id, pages);
  // At a first visit everything is new, which tells nothing.
  const interval_ms = source.polled_at === null ? intervals.first : nextInterval(source.interval_ms, taken);
  await letGo(tx, source, {
    state: "working",
    failures: 0,
    last_error: null,
    interval_ms,
    next_at: now + waitAfter(interval_ms, gathered.askAgainAfter),
    polled_at: now,
    newest_at: taken.fresh > 0 ? now : source.newest_at,
  });
  return taken;
}

/** The service stops: another may look at once. */
async function giveBack(tx: Db, source: SourceFigures, now: number): Promise<null> {
  await letGo(tx, source, { next_at: now });
  return null;
}

async function fail(
  tx: Db,
  house: House,
  source: SourceFigures,
  error: unknown,
): Promise<{ failed: string }> {
  const now = house.now();
  const failed = sentenceOf(error);
  const failures = source.failures + 1;
  const { status, retryAfter } = error instanceof OriginError ? error : { status: null, retryAfter: null };
  const dead = status === 410 || failures >= FAILURES;
  await letGo(tx, source, {
    state: dead ? "set_aside" : "failing",
    failures,
    last_error: failed,
    interval_ms: source.interval_ms || intervals.first,
    next_at: dead ? null : now + pauseAfter(failures, retryAfter),
    polled_at: now,
  });
  // Not its address: that may hold a secret.
  const about = { source: source.id, name: source.name, failures, err: error };
  if (dead) house.log.warn(about, "a source was set aside: nothing comes from it until it is enabled again");
  else house.log[isTheirs(error) ? "info" : "error"](about, "a source failed");
  return { failed };
}

/** What went wrong, for the operator. What isn't an origin's fault is ours, and told in the log. */
function sentenceOf(error: unknown): string {
  if (error instanceof DOMException) return `It took longer than ${PATIENCE / 1000} seconds.`;
  return isTheirs(error)
    ? error.message.slice(0, LONGEST_ERROR)
    : "Something went wrong here; the log says what.";
}

/** Whether an origin is to blame, or the way there. */
function isTheirs(error: unknown): error is Error {
  const slow = error instanceof DOMException && error.name === "TimeoutError";
  return slow || error instanceof OriginError || error instanceof OutgoingError;
}
