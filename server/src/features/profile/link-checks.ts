import { DAY, HOUR, MINUTE, WEEK } from "@tandem/contract/durations";
import { nativePlatform } from "@tandem/contract/origins";
import { fetchFollowingRedirects } from "../../crawl/follow-redirects.ts";
import { HostThrottle } from "../../crawl/host-throttle.ts";
import { Robots } from "../../crawl/robots.ts";
import { MAX_WAIT } from "../../crawl/visit.ts";
import { ApiError } from "../../http/api-error.ts";
import { refuseDenied } from "../../http/denied-links.ts";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import type { Services } from "../../http/services.ts";
import { backoff } from "../../jobs/backoff.ts";
import { LeaseLostError, type QueueRow, release } from "../../jobs/queue.ts";
import { retried, type Work, workOff } from "../../jobs/work-queue.ts";
import { OriginError } from "../../origins/connector.ts";
import { LeftSiteError, pointsBack } from "../../origins/link-back.ts";
import type { Outgoing } from "../../outgoing/outgoing.ts";
import { HostBusyError, OutgoingError } from "../../outgoing/outgoing-error.ts";

type Link = QueueRow<"profile_links">;

const linkTable = { table: "profile_links", key: "id" } as const;

/** Milliseconds until another process may take over a check. */
const LEASE = 5 * MINUTE;
/** Seconds that one response may take. */
const TIMEOUT = 10;
/** Milliseconds between the checks of a verified link. */
const INTERVAL = WEEK;
/** Milliseconds until the next check of a link that doesn't point back; after the last, only its owner can request one. */
const missIntervals = [HOUR, DAY, WEEK, WEEK, WEEK, WEEK];
/** A page that can't be read so many times in a row doesn't count as verified any more: after three and a half days. */
const MAX_FAILURES = 5;

/** A process sends each host one request at a time, and respects its robots.txt. */
const hostsOf = memoizePerInstance((services: Services) => new HostThrottle(services, 0));
const robots = new Robots();

export const linkCheckQueue: Work<"profile_links"> = retried<"profile_links">({
  kind: "profile_links",
  ...linkTable,
  lane: "host",
  lease: LEASE,
  atOnce: 4,
  maxAttempts: MAX_FAILURES,
  pauseAfter: pauseAfterFailure,
  run: check,
  giveUp: (tx, { now }, link) => release(tx, linkTable, link, missed(link, "unreachable", now())),
  log({ log }, { id }, err) {
    log.error({ err, link: id }, "a link on a profile could not be checked");
  },
});

/** Checks the links that are due. */
export function checkLinks(services: Services, signal?: AbortSignal): Promise<void> {
  return workOff(services, linkCheckQueue, signal);
}

/** Milliseconds after which remaining checks are left to the background job. */
const AFTER_RESPONSE = 20_000;

/** Checks new links after the response is sent. */
export function scheduleLinkChecks(services: Services): void {
  if (services.config.linkChecks)
    services.afterResponse.run("profile-links", () =>
      checkLinks(services, AbortSignal.timeout(AFTER_RESPONSE)),
    );
}

async function check(services: Services, link: Link): Promise<void> {
  const { storage } = services;
  const result = await resultOf(services, link);
  const now = services.now();
  if (result === "verified") {
    const found = { verified_at: now, checked_at: now, problem: null, misses: 0, attempts: 0 };
    await storage.write((tx) => release(tx, linkTable, link, { ...found, due_at: now + INTERVAL }));
  } else if (result === "no_link_back" || link.attempts >= MAX_FAILURES) {
    const columns = missed(link, result === "no_link_back" ? result : "unreachable", now);
    await storage.write((tx) => release(tx, linkTable, link, columns));
  } else {
    // What was verified stays so for now.
    const due_at = now + pauseAfterFailure(link.attempts, result);
    const columns = { problem: "unreachable", checked_at: now, due_at } as const;
    await storage.write((tx) => release(tx, linkTable, link, columns));
  }
}

/** The columns of a link that isn't verified, or no longer. */
function missed({ misses }: Link, problem: "no_link_back" | "unreachable", now: number): Partial<Link> {
  const interval = missIntervals[misses];
  const due_at = interval === undefined ? null : now + interval;
  return { verified_at: null, checked_at: now, problem, misses: misses + 1, attempts: 0, due_at };
}

function pauseAfterFailure(attempts: number, error: unknown): number {
  const pause = backoff(attempts, { first: HOUR, factor: 4, longest: 3 * DAY });
  return Math.round(error instanceof HostBusyError ? Math.max(pause, error.wait) : pause);
}

/** Also returns the error of a page that couldn't be read. */
async function resultOf(
  services: Services,
  link: Link,
): Promise<"verified" | "no_link_back" | OutgoingError | OriginError> {
  const profile = await profileOf(services, link);
  if (await isDenied(services, link)) return "no_link_back";
  try {
    const isVerified = await pointsBack(link.url, profile, outgoingTo(services, link));
    return isVerified ? "verified" : "no_link_back";
  } catch (error) {
    if (error instanceof OutgoingError || error instanceof OriginError) return error;
    throw error;
  }
}

async function profileOf({ storage, baseUrl }: Services, { user_id }: Link): Promise<URL> {
  const owner = await storage.read
    .selectFrom("users")
    .select("username")
    .where("id", "=", user_id)
    .executeTakeFirst();
  // The account was deleted, and the link with it.
  if (!owner) throw new LeaseLostError();
  return new URL(`/creators/${nativePlatform}/${owner.username}`, baseUrl);
}

/** Whether moderators have blocked the domain since the link was added. */
async function isDenied({ storage }: Services, { url }: Link): Promise<boolean> {
  try {
    await refuseDenied(storage.read, [{ name: "links", value: url }]);
    return false;
  } catch (error) {
    if (error instanceof ApiError) return true;
    throw error;
  }
}

/**
 * A client that follows redirects within the link's site only: else a site's open redirect would verify its address for
 * everyone. With and without `www.` is the same site.
 */
function outgoingTo(services: Services, link: Link): Outgoing {
  const { outgoing, config } = services;
  const signal = AbortSignal.timeout(LEASE);
  const site = siteOf(new URL(link.url));
  return (address, request) =>
    fetchFollowingRedirects(
      outgoing,
      new URL(address),
      { ...request, seconds: TIMEOUT, signal },
      async (url, send) => {
        if (siteOf(url) !== site) throw new LeftSiteError();
        const crawlDelay = await robots.check(services, url, signal);
        // A check sends few requests, so it needn't wait longer between them.
        const pace = {
          spacing: Math.min(Math.max(config.sourceSpacing, crawlDelay), MAX_WAIT),
          maxWait: MAX_WAIT,
          claim: true,
        };
        return hostsOf(services).run(url.host, signal, send, pace);
      },
    );
}

/** The host without its port, because http and https have different ones. */
const siteOf = ({ hostname }: URL): string => hostname.replace(/^www\./, "");
