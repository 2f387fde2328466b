import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LinkCard } from "@tandem/contract/resources";
import { conditions, pageOf, restOf, WAIT } from "../../crawl/ask.ts";
import { askOnward } from "../../crawl/follow-redirects.ts";
import { Busy, Hosts } from "../../crawl/hosts.ts";
import { Robots } from "../../crawl/robots.ts";
import type { Services } from "../../http/services.ts";
import { inFolder } from "../../media/folder.ts";
import { InvalidMedia } from "../../media/invalid-media.ts";
import { MEDIA_PATH } from "../../media/names.ts";
import { type MediaUpload, type StoredPicture, withUploads } from "../../media/upload.ts";
import { MediaBusy } from "../../media/worker-pool.ts";
import { unfurl } from "../../origins/card.ts";
import { OriginError } from "../../origins/connector.ts";
import type { Outgoing, OutgoingAnswer } from "../../outgoing/outgoing.ts";
import { OutgoingError, type OutgoingReason } from "../../outgoing/outgoing-error.ts";
import { Overloaded } from "../../storage/storage.ts";
import {
  claimLink,
  dueLink,
  isHeld,
  keyOf,
  type Link,
  releaseLease,
  rested,
  type Shown,
  settledCard,
  settleLink,
} from "./links.queries.ts";

const MINUTE = 60_000;
/** Milliseconds after which whoever has taken a link on counts as dead; longer than all that one may take. */
const LEASE = 5 * MINUTE;
/** After so many failures a link has no card; it can be followed all the same. */
const ATTEMPTS = 3;
/** Links of posts made here that a process looks at at a time, and of others. */
const AT_ONCE = 4;
const GATHERED_AT_ONCE = 2;
/** Milliseconds for which what a page said of itself is good for others who link to it. */
const RECENT = 24 * 60 * MINUTE;
/** Seconds that one answer may take. */
const PATIENCE = 10;
const MOST_OF_PICTURE = 8 * 2 ** 20;

/** What may be otherwise another time. */
const passing: readonly OutgoingReason[] = ["unknown_host", "unreachable", "too_slow", "bad_answer"];

/** A process asks each host for one thing at a time, be it a page or a picture; and knows their wishes. */
const hosts = new Hosts(0);
const robots = new Robots();

/**
 * Has posts show what the pages that they link to say of themselves, until none waits or the signal says to stop. Several
 * processes may do so at once.
 */
export async function drawCards(services: Services, signal: AbortSignal): Promise<void> {
  await Promise.all(Array.from({ length: AT_ONCE }, () => drawNext(services, [false], signal)));
}

/** The same for posts that were gathered as well: some look after those that were made here alone. */
export async function drawAllCards(services: Services, signal: AbortSignal): Promise<void> {
  const both = Array.from({ length: GATHERED_AT_ONCE }, () => drawNext(services, [false, true], signal));
  await Promise.all([drawCards(services, signal), ...both]);
}

async function drawNext(services: Services, kinds: readonly boolean[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const link = await claimFirst(services, kinds);
    if (!link) return;
    await drawCard(services, link).catch((error) => fail(services, link, error));
  }
}

/** What posts made here link to comes first. */
async function claimFirst({ storage, now }: Services, kinds: readonly boolean[]): Promise<Link | null> {
  for (const gathered of kinds) {
    const claim = { now: now(), gathered, holder: randomUUID(), lease: LEASE };
    // Looked at first, for most of the time none is due: a look costs nobody else their turn.
    if (!(await dueLink(storage.read, claim).executeTakeFirst())) continue;
    const link = await storage.write((tx) => claimLink(tx, claim));
    if (link) return link;
  }
  return null;
}

async function fail(services: Services, link: Link, error: unknown): Promise<void> {
  const { storage, log } = services;
  const now = services.now();
  if (error instanceof Unchanged) return storage.write((tx) => releaseLease(tx, link, rested(link, now)));
  // That others are at work is no failure of this link's.
  if (error instanceof MediaBusy || error instanceof Overloaded) {
    const values = { attempts: link.attempts - 1, due_at: now + MINUTE };
    return storage.write((tx) => releaseLease(tx, link, values));
  }
  // Nor is what became of the post meanwhile.
  if (!(await isHeld(storage.read, link))) return;
  const theirs = error instanceof OutgoingError || error instanceof OriginError;
  // Not its address: that may hold a secret.
  const about = { err: error, post: link.post_id };
  if (theirs) log.info(about, "a link can't be looked at");
  else log.error(about, "a link's card could not be drawn");
  const over = link.attempts >= ATTEMPTS || isFinal(error);
  const wait = Math.max(MINUTE * 10 ** (link.attempts - 1), error instanceof Busy ? error.wait : 0);
  const values = over ? rested(link, now) : { due_at: Math.round(now + wait) };
  await storage.write((tx) => releaseLease(tx, link, values));
}

/** Whether another time will be no different. */
function isFinal(error: unknown): boolean {
  return error instanceof OriginError || (error instanceof OutgoingError && !passing.includes(error.reason));
}

/** What the post shows of the page is what there is to show. */
class Unchanged extends Error {}

/** What a page says of itself, with the way to its picture. */
interface Found extends Pick<Shown, "card" | "canonicalKey" | "validators"> {
  /** Does the work with the picture as a file; null where there is none to be had. */
  withPicture<T>(folder: string, work: (path: string) => Promise<T>): Promise<T | null>;
}

async function drawCard(services: Services, link: Link): Promise<void> {
  const { media, storage } = services;
  const { card, withPicture, ...found } = (await known(services, link)) ?? (await ask(services, link));
  await withUploads(services, (keeper) =>
    inFolder(media.incoming, async (folder) => {
      const picture = card?.imageUrl ? await withPicture(folder, (path) => pictureOf(keeper, path)) : null;
      const shown = { ...found, card: withKept(card, picture), picture, files: keeper.files };
      await storage.write((tx) => settleLink(tx, services.now(), link, shown));
    }),
  );
}

/** Null where it can't be read: a card is not worth less for what it lacks. */
async function pictureOf(keeper: MediaUpload, path: string): Promise<StoredPicture | null> {
  try {
    return await keeper.picture(path, null);
  } catch (error) {
    if (error instanceof InvalidMedia) return null;
    throw error;
  }
}

/** Whoever reads the post asks us for the picture, and not those whose it is. Null if nothing is left to be shown. */
function withKept(card: LinkCard | null, picture: StoredPicture | null): LinkCard | null {
  if (card === null || (card.title === null && picture === null)) return null;
  return { ...card, imageUrl: picture?.full ?? null };
}

/** What another post shows of the same page, if that was found not long ago. */
async function known({ storage, media, now }: Services, link: Link): Promise<Found | null> {
  const same = await settledCard(storage.read, link, now() - RECENT);
  if (!same) return null;
  const name = same.card?.imageUrl?.slice(MEDIA_PATH.length) ?? "";
  return { ...same, withPicture: (_folder, work) => media.store.withFile(name, work) };
}

/** Asks the page; one that was there before and has nothing to say just now throws {@link Unchanged}. */
async function ask(services: Services, link: Link): Promise<Found> {
  const outgoing = politely(services, link);
  const [page, validators] = remembering(link, outgoing);
  const found = await unfurl(link.url, page);
  if (!found && link.found_at !== null) throw new Unchanged();
  return {
    card: found?.card ?? null,
    canonicalKey: found && keyOf(found.url),
    validators,
    async withPicture(folder, work) {
      const bytes = await download(found?.card.imageUrl ?? "", outgoing);
      if (!bytes) return null;
      const path = join(folder, "picture");
      await writeFile(path, bytes);
      return work(path);
    },
  };
}

/** Asks for the page only if it has changed, and notes by what to ask next time. What isn't the page is asked as ever. */
function remembering(link: Link, outgoing: Outgoing): [Outgoing, Shown["validators"]] {
  const validators: Shown["validators"] = { etag: null, last_modified: null };
  const page: Outgoing = async (url, request) => {
    if (url !== link.url) return outgoing(url, request);
    const answer = await outgoing(url, { ...request, headers: { ...request?.headers, ...conditions(link) } });
    if (answer.status === 304) throw new Unchanged();
    const { etag, last_modified } = pageOf(link.url, answer.headers);
    Object.assign(validators, { etag, last_modified });
    return answer;
  };
  return [page, validators];
}

async function download(url: string, outgoing: Outgoing): Promise<Buffer | null> {
  try {
    const { status, bytes } = await outgoing(url, {
      headers: { accept: "image/*" },
      maxBytes: MOST_OF_PICTURE,
    });
    return status === 200 ? bytes : null;
  } catch (error) {
    if (error instanceof OutgoingError || error instanceof OriginError) return null;
    throw error;
  }
}

/** Every host in its turn. Who linked to a page here meant it to be looked at; else the page's own site has a say. */
function politely({ outgoing, config, now }: Services, { gathered }: Link): Outgoing {
  return (address, request) => {
    const signal = AbortSignal.timeout(LEASE);
    const asked = { ...request, seconds: PATIENCE };
    return askOnward(outgoing, new URL(address), asked, async (url, send) => {
      const wished = gathered ? await robots.judge(url, outgoing, signal, now()) : 0;
      const turn = { spacing: gathered ? Math.max(config.sourceSpacing, wished) : 0, patience: WAIT };
      const answer = await hosts.inTurn(url.host, signal, send, turn);
      if (!wantsRest(answer)) return answer;
      restOf(answer, hosts, url.host, now());
      throw new Busy(hosts.waitFor(url.host));
    });
  };
}

/** Whether another time, of which it says something, would be better. */
function wantsRest({ status, headers }: OutgoingAnswer): boolean {
  return status === 429 || (status === 503 && headers.has("retry-after"));
}
