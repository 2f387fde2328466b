import { MINUTE } from "@tandem/contract/durations";
import { sql } from "kysely";
import { beginVisit, type CrawlPolicy, type Visit } from "../../crawl/visit.ts";
import type { Services } from "../../http/services.ts";
import { LeaseLostError, release } from "../../jobs/queue.ts";
import { OriginError, type PollResult, type SourceAddress } from "../../origins/connector.ts";
import { connectors } from "../../origins/connectors.ts";
import { HostBusyError, OutgoingError } from "../../outgoing/outgoing-error.ts";
import { type Db, Overloaded } from "../../storage/storage.ts";
import { addLinks } from "../posts/links.queries.ts";
import { type IngestResult, ingest } from "./ingest.ts";
import { checkMove, type Move } from "./move.ts";
import { FAILURES, intervals, nextInterval, PUSH_INTERVAL, pauseAfter, waitAfter } from "./schedule.ts";
import { pagesOf, rememberPages, type SourceRecord, sourceQueue } from "./sources.queries.ts";
import { VisitRecorder } from "./visits.ts";
import { takesPushes } from "./websub/ask-hub.ts";
import { endSubscription, followHub, isPushed } from "./websub/subscriptions.queries.ts";

/** Milliseconds that a visit may take. */
const VISIT_TIMEOUT = 2 * MINUTE;
const MAX_ERROR_LENGTH = 500;

/** How a visit ended; null if the source changed or another process took over. */
export type Outcome = IngestResult | { failed: string } | null;

/** Polls a leased source, imports what is new, and releases the source. */
export async function poll(
  services: Services,
  policy: CrawlPolicy,
  source: SourceRecord,
  stop: AbortSignal,
): Promise<Outcome> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(VISIT_TIMEOUT)]);
  const recorder = new VisitRecorder(services.now());
  try {
    const pages = await pagesOf(services.storage.read, source.id);
    const visit = beginVisit(services, policy, pages, signal);
    const polled = await connectors[source.platform].poll(placeOf(source), recorder.measured(visit.fetch));
    return await services.storage.write((tx) => succeed(tx, services, source, { polled, visit, recorder }));
  } catch (error) {
    if (error instanceof LeaseLostError) return null;
    // Not the origin's fault. The caller postpones the visit, or it is due again when the lease ends.
    if (error instanceof Overloaded || error instanceof HostBusyError) throw error;
    return await services.storage
      .write((tx) =>
        stop.aborted ? releaseNow(tx, source, services.now()) : fail(tx, services, source, error, recorder),
      )
      .catch((lost) => {
        if (lost instanceof LeaseLostError) return null;
        throw lost;
      });
  }
}

function placeOf({ url, name, community }: SourceRecord): SourceAddress {
  if (url === null) throw new OriginError("The source has no address.");
  return { url, name, community };
}

interface Done {
  polled: PollResult;
  visit: Visit;
  recorder: VisitRecorder;
}

async function succeed(
  tx: Db,
  services: Services,
  source: SourceRecord,
  { polled, visit: { pages, moves }, recorder }: Done,
): Promise<IngestResult> {
  const now = services.now();
  const result = await ingest(tx, source, polled, now);
  const { fresh, changed, withdrawn, skipped } = result;
  const outcome = fresh + changed + withdrawn > 0 ? "imported" : "unchanged";
  if (services.config.linkCards) await addLinks(tx, result.links, now);
  await rememberPages(tx, source.id, pages.values());
  const move = await checkMove(tx, source, moves, now);
  // At the first visit everything is new, which says nothing about how often to visit.
  const interval_ms =
    source.polled_at === null
      ? intervals.first
      : nextInterval(source.interval_ms, { ...result, wasAnnounced: await wasAnnounced(tx, source, now) });
  const later = now + waitAfter(interval_ms, polled.askAgainAfter);
  await release(tx, sourceQueue, source, {
    ...move.values,
    state: move.taken ? "set_aside" : "working",
    failures: 0,
    last_error: move.taken ? `It has moved to ${move.to}, which is a source already.` : null,
    interval_ms,
    due_at: move.taken
      ? null
      : unlessAnnounced(tx, { began: recorder.startedAt, soon: now + PUSH_INTERVAL, later }),
    polled_at: now,
    newest_at: fresh > 0 ? now : source.newest_at,
    imported: source.imported + fresh,
    visits: source.visits + 1,
  });
  await recorder.record(tx, source, { outcome, counts: result, skipped });
  if (move.taken || !takesPushes(services)) await endSubscription(tx, source.id, now);
  else if (polled.hub !== undefined) await followHub(tx, source.id, polled.hub, now);
  logMove(services, source, move);
  return result;
}

/** Whether a hub announces what is new, and had announced something since the last visit. */
async function wasAnnounced(
  tx: Db,
  { id, pushed_at, polled_at }: SourceRecord,
  now: number,
): Promise<boolean> {
  return pushed_at !== null && pushed_at > (polled_at ?? 0) && (await isPushed(tx, id, now));
}

/** What a hub announced during the visit may have come too late for it. */
function unlessAnnounced({ engine }: Db, { began, soon, later }: Record<"began" | "soon" | "later", number>) {
  return sql<number>`case when pushed_at > ${began} then cast(${soon} as ${engine.types.integer}) else ${later} end`;
}

function logMove({ log }: Services, { id, name }: SourceRecord, { to, taken }: Move): void {
  // Without the URL, which may contain a secret.
  const about = { source: id, name };
  if (taken) log.warn(about, "a source was set aside: it has moved to the address of another source");
  else if (to !== null) log.info(about, "a source has moved permanently and is polled at its new address");
}

/** The service is stopping: another process may poll the source immediately. */
async function releaseNow(tx: Db, source: SourceRecord, now: number): Promise<null> {
  await release(tx, sourceQueue, source, { due_at: now });
  return null;
}

async function fail(
  tx: Db,
  services: Services,
  source: SourceRecord,
  error: unknown,
  recorder: VisitRecorder,
): Promise<{ failed: string }> {
  const now = services.now();
  const failed = sentenceOf(error);
  const failures = source.failures + 1;
  const { status, retryAfter } = error instanceof OriginError ? error : { status: null, retryAfter: null };
  const setAside = status === 410 || failures >= FAILURES;
  await release(tx, sourceQueue, source, {
    state: setAside ? "set_aside" : "failing",
    failures,
    last_error: failed,
    interval_ms: source.interval_ms || intervals.first,
    due_at: setAside ? null : now + pauseAfter(failures, retryAfter),
    polled_at: now,
    visits: source.visits + 1,
  });
  await recorder.record(tx, source, { outcome: "failed", error: failed });
  if (setAside) await endSubscription(tx, source.id, now);
  // Without the URL, which may contain a secret.
  const about = { source: source.id, name: source.name, failures, err: error };
  if (setAside)
    services.log.warn(about, "a source was set aside after repeated failures; enable it to retry");
  else services.log[isExternal(error) ? "info" : "error"](about, "a source could not be polled");
  return { failed };
}

/** The error, for admins. Our own errors are in the log. */
function sentenceOf(error: unknown): string {
  if (error instanceof DOMException) return `It took longer than ${VISIT_TIMEOUT / 1000} seconds.`;
  return isExternal(error) ? error.message.slice(0, MAX_ERROR_LENGTH) : "Internal error; see the log.";
}

/** Whether the origin or the network is the cause. */
function isExternal(error: unknown): error is Error {
  const slow = error instanceof DOMException && error.name === "TimeoutError";
  return slow || error instanceof OriginError || error instanceof OutgoingError;
}
