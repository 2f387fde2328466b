import { isIP } from "node:net";
import { DAY, HOUR, MINUTE, SECOND, WEEK } from "@tandem/contract/durations";
import { HostThrottle } from "../../../crawl/host-throttle.ts";
import { MAX_WAIT } from "../../../crawl/visit.ts";
import { memoizePerInstance } from "../../../http/memoize-per-instance.ts";
import { retryAfterOf } from "../../../http/retry-after.ts";
import { webSubPath } from "../../../http/serve-websub.ts";
import type { Services } from "../../../http/services.ts";
import { backoff } from "../../../jobs/backoff.ts";
import { removeLeased } from "../../../jobs/queue.ts";
import type { RunOutcome } from "../../../jobs/queue-metrics.ts";
import { type Work, workOff } from "../../../jobs/work-queue.ts";
import type { OutgoingResponse } from "../../../outgoing/outgoing.ts";
import { HostBusyError, OutgoingError } from "../../../outgoing/outgoing-error.ts";
import { isAllowedAddress } from "../../../outgoing/public-address.ts";
import { keepAsking, type Subscription, subscriptionQueue } from "./subscriptions.queries.ts";

/** How long a subscription should last; hubs decide. */
const LEASE = 10 * DAY;
/** How long a hub that accepted a request has to verify it. */
const PATIENCE = HOUR;
/** After so many requests that failed or that the hub didn't verify, it is left alone for a week. */
const MAX_ATTEMPTS = 4;
export const REST = WEEK;
const MAX_REDIRECTS = 3;
const MAX_SECONDS = 15;
/** The response's content doesn't matter. */
const MAX_BYTES = 1024;

const hostsOf = memoizePerInstance(
  (services: Services) => new HostThrottle(services, services.config.sourceSpacing),
);

export const subscriptionWork: Work<"hub_subscriptions"> = {
  ...subscriptionQueue,
  atOnce: () => 4,
  run: async (services, row) => ({ outcome: await ask(services, row) }),
};

/** Asks hubs for what is due: to begin, renew and end subscriptions. */
export function askHubs(services: Services, signal?: AbortSignal): Promise<void> {
  return workOff(services, subscriptionWork, signal);
}

/** Whether hubs can reach this service, and may. */
export function takesPushes({ config, baseUrl }: Services): boolean {
  if (!config.webSub || !URL.canParse(baseUrl)) return false;
  const { protocol, hostname } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isLocal = isIP(host) ? !isAllowedAddress(host, []) : /^(.+\.)?localhost$/.test(host);
  return protocol === "https:" && !isLocal;
}

async function ask(services: Services, row: Subscription): Promise<RunOutcome> {
  const { storage, now, log } = services;
  if (row.attempts > MAX_ATTEMPTS) {
    await storage.write((tx) => giveUp(tx, row, now()));
    return "failed";
  }
  const asked = row.source_id === null || !takesPushes(services) ? "unsubscribe" : "subscribe";
  // First, because the hub may verify the request before it answers.
  if (row.asked !== asked)
    await storage.write((tx) =>
      tx.updateTable("hub_subscriptions").set({ asked }).where("id", "=", row.id).execute(),
    );
  try {
    const { status, headers } = await send(services, row, asked);
    if (status >= 200 && status < 300) {
      await storage.write((tx) => keepAsking(tx, row, { due_at: now() + PATIENCE }));
      return "done";
    }
    const pause = Math.min(SECOND * (retryAfterOf(headers, now()) ?? 0), DAY);
    await storage.write((tx) => keepAsking(tx, row, retryLater(row, pause, now())));
    log.info({ source: row.source_id, status }, "a hub refused a subscription");
  } catch (err) {
    if (!(err instanceof OutgoingError)) throw err;
    const busy = err instanceof HostBusyError ? { attempts: row.attempts - 1, wait: err.wait } : null;
    const later = retryLater(row, busy?.wait ?? 0, now());
    await storage.write((tx) => keepAsking(tx, row, busy ? { ...later, attempts: busy.attempts } : later));
    if (!busy) log.info({ source: row.source_id, err }, "a hub could not be asked for a subscription");
  }
  return "retried";
}

function retryLater({ attempts }: Subscription, pause: number, now: number) {
  const wait =
    backoff(attempts, { first: 10 * MINUTE, factor: 6, longest: DAY }) * (0.75 + 0.5 * Math.random());
  return { due_at: Math.round(now + Math.max(wait, pause)) };
}

/** A subscription that should end does so by itself, when the hub's lease ends. Another is tried again later. */
async function giveUp(tx: Parameters<typeof keepAsking>[0], row: Subscription, now: number): Promise<void> {
  if (row.source_id === null) await removeLeased(tx, subscriptionQueue, row);
  else await keepAsking(tx, row, { asked: null, attempts: 0, due_at: now + REST });
}

/** Follows the redirects with which a hub may name another. */
async function send(
  services: Services,
  row: Subscription,
  mode: "subscribe" | "unsubscribe",
): Promise<OutgoingResponse> {
  const { storage, baseUrl, config } = services;
  const body = new URLSearchParams({
    "hub.mode": mode,
    "hub.topic": row.topic,
    "hub.callback": baseUrl + webSubPath(row.callback),
    "hub.lease_seconds": String(LEASE / SECOND),
    "hub.secret": storage.read.secrets.decrypt("hub_subscriptions", row.secret),
  }).toString();
  const request = {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body,
    maxBytes: MAX_BYTES,
    partial: true,
    seconds: MAX_SECONDS,
  } as const;
  const signal = AbortSignal.timeout(subscriptionQueue.lease);
  const pace = { spacing: config.sourceSpacing, maxWait: MAX_WAIT, claim: true };
  let url = new URL(row.hub);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await hostsOf(services).run(
      url.host,
      signal,
      () => services.outgoing(url, { ...request, signal }),
      pace,
    );
    const { status, headers } = response;
    const location = headers.get("location");
    if ((status !== 307 && status !== 308) || !location || !URL.canParse(location, url)) return response;
    const next = new URL(location, url);
    // The secret would be sent in the clear.
    if (url.protocol === "https:" && next.protocol !== "https:") return response;
    url = next;
  }
  throw new OutgoingError("too_many_redirects", `There were more than ${MAX_REDIRECTS} redirects.`);
}
