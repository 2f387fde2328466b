import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mostAi, provenanceOfSourceType } from "@tandem/contract/digital-source-types";
import { DAY, MINUTE } from "@tandem/contract/durations";
import type { LinkCard } from "@tandem/contract/post-resources";
import { fetchFollowingRedirects } from "../../crawl/follow-redirects.ts";
import { HostThrottle } from "../../crawl/host-throttle.ts";
import { Robots } from "../../crawl/robots.ts";
import { conditionalHeaders, MAX_WAIT, validatorsOf } from "../../crawl/visit.ts";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import { pauseAskedBy } from "../../http/retry-after.ts";
import type { Services } from "../../http/services.ts";
import { backoff } from "../../jobs/backoff.ts";
import { release } from "../../jobs/queue.ts";
import { retried, type Work, workOff } from "../../jobs/work-queue.ts";
import { inFolder } from "../../media/folder.ts";
import { InvalidMedia } from "../../media/invalid-media.ts";
import { MEDIA_PATH } from "../../media/names.ts";
import { type MediaUpload, type StoredPicture, withUploads } from "../../media/upload.ts";
import { unfurl } from "../../origins/card.ts";
import { OriginError } from "../../origins/connector.ts";
import type { Outgoing } from "../../outgoing/outgoing.ts";
import { HostBusyError, OutgoingError, type OutgoingReason } from "../../outgoing/outgoing-error.ts";
import type { Db } from "../../storage/storage.ts";
import {
  type CardContent,
  importedLinks,
  LINK_LEASE,
  type Link,
  linkTable,
  ownLinks,
  settledCard,
  settledColumns,
  settleLink,
} from "./links.queries.ts";

/** Milliseconds for which other posts with the same link reuse the card of a page. */
const RECENT = DAY;
/** Seconds that one response may take. */
const TIMEOUT = 10;
const MAX_PICTURE_BYTES = 8 * 2 ** 20;

/** Errors that a retry may not meet. */
const temporaryErrors: readonly OutgoingReason[] = ["unknown_host", "unreachable", "too_slow", "bad_answer"];

/** A process sends each host one request at a time, for pages and pictures alike, and respects its robots.txt. */
const hostsOf = memoizePerInstance((services: Services) => new HostThrottle(services, 0));
const robots = new Robots();

const cards = {
  maxAttempts: 3,
  waitsWhenBusy: true,
  pauseAfter: (attempts: number, error: unknown) =>
    Math.max(
      backoff(attempts, { first: MINUTE, factor: 10, longest: RECENT }),
      error instanceof HostBusyError ? error.wait : 0,
    ),
  isFinal,
  run: createCard,
  giveUp: (tx: Db, { now }: Services, link: Link) =>
    release(tx, linkTable, link, settledColumns(link, now())),
  log({ log }: Services, { post_id }: Link, err: unknown) {
    const isExternal = err instanceof OutgoingError || err instanceof OriginError;
    // Without the URL, which may contain a secret.
    const about = { err, post: post_id };
    if (isExternal) log.info(about, "a link's page could not be fetched");
    else log.error(about, "a link's card could not be created");
  },
} as const;

export const cardQueue: Work<"post_links"> = retried<"post_links">({ ...ownLinks, ...cards, atOnce: 4 });
export const importedCardQueue: Work<"post_links"> = retried<"post_links">({
  ...importedLinks,
  ...cards,
  atOnce: 2,
});

/** Fetches the pages that posts made here link to, and adds their cards to the posts. */
export function createCards(services: Services, signal: AbortSignal): Promise<void> {
  return workOff(services, cardQueue, signal);
}

/** The same for imported posts, too. */
export async function createAllCards(services: Services, signal: AbortSignal): Promise<void> {
  await Promise.all([createCards(services, signal), workOff(services, importedCardQueue, signal)]);
}

/** Whether another attempt can't help. */
function isFinal(error: unknown): boolean {
  return (
    error instanceof OriginError ||
    (error instanceof OutgoingError && !temporaryErrors.includes(error.reason))
  );
}

/** The post already shows the current card of the page. */
class Unchanged extends Error {}

/** A page's card, and how to get its picture. */
interface PageCard extends Pick<CardContent, "card" | "validators"> {
  /** Calls `work` with the picture as a file; null if there is none. */
  withPicture<T>(folder: string, work: (path: string) => Promise<T>): Promise<T | null>;
}

async function createCard(services: Services, link: Link): Promise<void> {
  const { storage, now } = services;
  const found =
    (await recentCard(services, link)) ?? (await fetchCard(services, link).catch(unlessUnchanged));
  if (found) await storeCard(services, link, found);
  else await storage.write((tx) => release(tx, linkTable, link, settledColumns(link, now())));
}

/** Null if the post already shows the current card. */
function unlessUnchanged(error: unknown): null {
  if (error instanceof Unchanged) return null;
  throw error;
}

async function storeCard(
  services: Services,
  link: Link,
  { card, withPicture, ...found }: PageCard,
): Promise<void> {
  const { media, storage } = services;
  await withUploads(services, (uploads) =>
    inFolder(media.incoming, async (folder) => {
      const picture = card?.imageUrl ? await withPicture(folder, (path) => pictureOf(uploads, path)) : null;
      const content = { ...found, card: withStoredPicture(card, picture), picture, files: uploads.files };
      await storage.write((tx) => settleLink(tx, services.now(), link, content));
    }),
  );
}

/** Null if it can't be read: the card is shown without it. */
async function pictureOf(uploads: MediaUpload, path: string): Promise<StoredPicture | null> {
  try {
    return await uploads.picture(path, null);
  } catch (error) {
    if (error instanceof InvalidMedia) return null;
    throw error;
  }
}

/** The card with our copy of the picture: readers never load it from its own site. Null if nothing is left to show. */
function withStoredPicture(card: LinkCard | null, picture: StoredPicture | null): LinkCard | null {
  if (card === null || (card.title === null && picture === null)) return null;
  const provenance = mostAi(card.provenance, provenanceOfSourceType(picture?.mark));
  return { ...card, imageUrl: picture?.full ?? null, ...(provenance && { provenance }) };
}

/** The card that another post shows of the same page, if its page was fetched recently. */
async function recentCard({ storage, media, now }: Services, link: Link): Promise<PageCard | null> {
  const same = await settledCard(storage.read, link, now() - RECENT);
  if (!same) return null;
  const name = same.card?.imageUrl?.slice(MEDIA_PATH.length) ?? "";
  return { ...same, withPicture: (_folder, work) => media.store.withFile(name, work) };
}

/** Fetches the page. Throws {@link Unchanged} if it had a card before and has none now. */
async function fetchCard(services: Services, link: Link): Promise<PageCard> {
  const outgoing = throttled(services, link);
  const [page, validators] = conditionally(link, outgoing);
  const card = await unfurl(link.url, page);
  if (!card && link.found_at !== null) throw new Unchanged();
  return {
    card,
    validators,
    async withPicture(folder, work) {
      const bytes = await download(card?.imageUrl ?? "", outgoing);
      if (!bytes) return null;
      const path = join(folder, "picture");
      await writeFile(path, bytes);
      return work(path);
    },
  };
}

/** A client that requests the page conditionally, and the validators of its response. Other requests are unchanged. */
function conditionally(link: Link, outgoing: Outgoing): [Outgoing, CardContent["validators"]] {
  const validators: CardContent["validators"] = { etag: null, last_modified: null };
  const page: Outgoing = async (url, request) => {
    if (url !== link.url) return outgoing(url, request);
    const response = await outgoing(url, {
      ...request,
      headers: { ...request?.headers, ...conditionalHeaders(link) },
    });
    if (response.status === 304) throw new Unchanged();
    const { etag, last_modified } = validatorsOf(link.url, response.headers);
    Object.assign(validators, { etag, last_modified });
    return response;
  };
  return [page, validators];
}

async function download(url: string, outgoing: Outgoing): Promise<Buffer | null> {
  try {
    const { status, bytes } = await outgoing(url, {
      headers: { accept: "image/*" },
      maxBytes: MAX_PICTURE_BYTES,
    });
    return status === 200 ? bytes : null;
  } catch (error) {
    if (error instanceof OutgoingError || error instanceof OriginError) return null;
    throw error;
  }
}

/** A client that spaces requests to a host. For imported posts it obeys robots.txt; a person who links to a page here wants a card. */
function throttled(services: Services, { gathered }: Link): Outgoing {
  const { outgoing, config, now } = services;
  return (address, request) => {
    const signal = AbortSignal.timeout(LINK_LEASE);
    const limited = { ...request, seconds: TIMEOUT };
    return fetchFollowingRedirects(outgoing, new URL(address), limited, async (url, send) => {
      const crawlDelay = gathered ? await robots.check(services, url, signal) : 0;
      const response = await hostsOf(services).run(url.host, signal, send, {
        spacing: gathered ? Math.max(config.sourceSpacing, crawlDelay) : 0,
        maxWait: MAX_WAIT,
        claim: gathered === 1,
      });
      const pause = pauseAskedBy(response, now());
      if (pause > 0) throw new HostBusyError(pause);
      return response;
    });
  };
}
