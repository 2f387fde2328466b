import { beginVisit, type CrawlPolicy, type Visit } from "../../crawl/ask.ts";
import { Busy } from "../../crawl/hosts.ts";
import type { Services } from "../../http/services.ts";
import { OriginError, type PollResult, type SourceAddress } from "../../origins/connector.ts";
import { connectors } from "../../origins/connectors.ts";
import { OutgoingError } from "../../outgoing/outgoing-error.ts";
import { type Db, Overloaded } from "../../storage/storage.ts";
import { addLinks } from "../posts/links.queries.ts";
import { type Taken, takeIn } from "./ingest.ts";
import { judgeMove, type Move } from "./move.ts";
import { FAILURES, intervals, nextInterval, pauseAfter, waitAfter } from "./schedule.ts";
import {
  LeaseLostError,
  pagesOf,
  releaseLease,
  rememberPages,
  type SourceFigures,
} from "./sources.queries.ts";

/** Milliseconds that a visit may take in all. */
const PATIENCE = 120_000;
const LONGEST_ERROR = 500;

/** How a visit ended; null where it was nobody's business any more. */
export type Outcome = Taken | { failed: string } | null;

/** Looks what is new at a source that was claimed, takes it in, and lets go of the source. */
export async function poll(
  services: Services,
  manners: CrawlPolicy,
  source: SourceFigures,
  stop: AbortSignal,
): Promise<Outcome> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(PATIENCE)]);
  try {
    const known = await pagesOf(services.storage.read, source.id);
    const visit = beginVisit(services, manners, known, signal);
    const gathered = await connectors[source.platform].poll(placeOf(source), visit.ask);
    return await services.storage.write((tx) => succeed(tx, services, source, gathered, visit));
  } catch (error) {
    if (error instanceof LeaseLostError) return null;
    // No fault of the origin's: it is visited again when its lease is over.
    if (error instanceof Overloaded || error instanceof Busy) throw error;
    return await services.storage
      .write((tx) =>
        stop.aborted ? giveBack(tx, source, services.now()) : fail(tx, services, source, error),
      )
      .catch((lost) => {
        if (lost instanceof LeaseLostError) return null;
        throw lost;
      });
  }
}

function placeOf({ url, name, community }: SourceFigures): SourceAddress {
  if (url === null) throw new OriginError("The source has no address.");
  return { url, name, community };
}

async function succeed(
  tx: Db,
  services: Services,
  source: SourceFigures,
  gathered: PollResult,
  { pages, moves }: Visit,
): Promise<Taken> {
  const now = services.now();
  const taken = await takeIn(tx, source, gathered, now);
  if (services.config.linkCards) await addLinks(tx, taken.links, now);
  await rememberPages(tx, source.id, pages.values());
  const move = await judgeMove(tx, source, moves, now);
  // At a first visit everything is new, which tells nothing.
  const interval_ms = source.polled_at === null ? intervals.first : nextInterval(source.interval_ms, taken);
  await releaseLease(tx, source, {
    ...move.values,
    state: move.taken ? "set_aside" : "working",
    failures: 0,
    last_error: move.taken ? `It has moved to ${move.to}, which is a source already.` : null,
    interval_ms,
    next_at: move.taken ? null : now + waitAfter(interval_ms, gathered.askAgainAfter),
    polled_at: now,
    newest_at: taken.fresh > 0 ? now : source.newest_at,
  });
  tellMove(services, source, move);
  return taken;
}

function tellMove({ log }: Services, { id, name }: SourceFigures, { to, taken }: Move): void {
  // Not its address: that may hold a secret.
  const about = { source: id, name };
  if (taken) log.warn(about, "a source was set aside: it has moved to where another source is");
  else if (to !== null) log.info(about, "a source has moved for good, and is asked at its new address");
}

/** The service stops: another may look at once. */
async function giveBack(tx: Db, source: SourceFigures, now: number): Promise<null> {
  await releaseLease(tx, source, { next_at: now });
  return null;
}

async function fail(
  tx: Db,
  services: Services,
  source: SourceFigures,
  error: unknown,
): Promise<{ failed: string }> {
  const now = services.now();
  const failed = sentenceOf(error);
  const failures = source.failures + 1;
  const { status, retryAfter } = error instanceof OriginError ? error : { status: null, retryAfter: null };
  const dead = status === 410 || failures >= FAILURES;
  await releaseLease(tx, source, {
    state: dead ? "set_aside" : "failing",
    failures,
    last_error: failed,
    interval_ms: source.interval_ms || intervals.first,
    next_at: dead ? null : now + pauseAfter(failures, retryAfter),
    polled_at: now,
  });
  // Not its address: that may hold a secret.
  const about = { source: source.id, name: source.name, failures, err: error };
  if (dead)
    services.log.warn(about, "a source was set aside: nothing comes from it until it is enabled again");
  else services.log[isTheirs(error) ? "info" : "error"](about, "a source failed");
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
