import { createHash } from "node:crypto";
import type { LinkCard } from "@tandem/contract/resources";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Services } from "../../http/services.ts";
import { addMedium, disownPictures, type MediaFile } from "../../media/rows.ts";
import { insertRows } from "../../storage/bulk.ts";
import { fromFragment } from "../../storage/post-fragment.ts";
import type { PostLinkRow } from "../../storage/schema/sources.ts";
import type { Db } from "../../storage/storage.ts";
import { lockForModeration } from "./moderation-removal.ts";
import { posterFacts } from "./post-media.ts";
import { readFacts, writeFacts } from "./posts.queries.ts";

export type Link = Selectable<PostLinkRow>;

/** Of one address whatever its length, and as short as an index likes it. */
export function keyOf(url: string): string {
  return createHash("sha256").update(new URL(url).href).digest("base64url").slice(0, 22);
}

/** A post of this transaction's own links to another page from now on, or to none; what was shown of the one before goes. */
export async function setLink(
  { services, now }: { services: Services; now: number },
  tx: Db,
  postId: number,
  url: string | null,
): Promise<void> {
  await tx.deleteFrom("post_links").where("post_id", "=", postId).execute();
  await disownPictures(tx, postId);
  if (url === null || !services.config.linkCards || !URL.canParse(url)) return;
  await tx
    .insertInto("post_links")
    .values(linkRow(postId, url, now))
    .execute();
}

function linkRow(postId: number, url: string, now: number) {
  const host = new URL(url).host;
  return { post_id: postId, url, url_key: keyOf(url), host, attempts: 0, due_at: now };
}

/** Links of gathered posts that wait at most: many come in a minute, and few can be asked for. */
const WAITING = 1000;

/** Posts that were gathered in this transaction link to these pages, which are asked when there is time; the latest stand first. */
export async function addLinks(
  tx: Db,
  links: readonly { postId: number; url: string }[],
  now: number,
): Promise<void> {
  if (links.length === 0) return;
  const waiting = sql<{ id: number }>`select post_id as id from post_links
    where gathered = 1 and due_at is not null limit ${WAITING}`;
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from (${waiting}) as waiting`.execute(tx);
  const room = WAITING - Number(rows[0]?.count);
  // They are asked once: what was gathered is old in a week.
  const added = links.slice(0, room).map(({ postId, url }) => {
    return { ...linkRow(postId, url, now), gathered: 1, checks: CHECKS };
  });
  await insertRows(tx, "post_links", added);
}

/** Gathered posts link elsewhere by now; what was shown of their links goes. */
export async function dropLinks(tx: Db, ids: RawBuilder<{ id: number }>): Promise<void> {
  await sql`delete from post_links where post_id in (${ids})`.execute(tx);
  await sql`update media set post_id = null where post_id in (${ids})`.execute(tx);
}

export interface Claim {
  now: number;
  /** Of posts that were gathered, or of those made here. */
  gathered: boolean;
  holder: string;
  /** Milliseconds after which another may take it. */
  lease: number;
}

/** Takes on a link that is due, and of whose host nobody asks anything just now. */
export async function claimLink(tx: Db, claim: Claim, but: string[] = []): Promise<Link | null> {
  const { now, gathered, holder, lease } = claim;
  const row = await dueLink(tx, { now, gathered }, but)
    .$if(tx.engine.rowLocks, (query) => query.forUpdate().skipLocked())
    .executeTakeFirst();
  if (!row) return null;
  const { host, post_id } = row;
  // Another may have taken a link of that host at this very moment.
  const free = (await tx.engine.tryLock(tx, `link to ${host}`)) && !(await isBusy(tx, host, now));
  if (!free) return claimLink(tx, claim, [...but, host]);
  return tx
    .updateTable("post_links")
    .set({ holder, due_at: now + lease, attempts: row.attempts + 1 })
    .where("post_id", "=", post_id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The link that is longest due, but of these hosts, and of those that are being asked. */
export function dueLink(
  db: Db,
  { now, gathered }: Pick<Claim, "now" | "gathered">,
  but: readonly string[] = [],
) {
  return (
    db
      .selectFrom("post_links")
      .select(["post_id", "host", "attempts"])
      // As it stands in the index; a parameter would leave an engine in doubt.
      .where("gathered", "=", sql.lit(gathered ? 1 : 0))
      .where("due_at", "<=", now)
      .where("host", "not in", busyHosts(db, now))
      .$if(but.length > 0, (query) => query.where("host", "not in", but))
      .orderBy("due_at")
      .orderBy("post_id")
      .limit(1)
  );
}

function busyHosts(db: Db, now: number) {
  return db
    .selectFrom("post_links as busy")
    .select("busy.host")
    .where("busy.holder", "is not", null)
    .where("busy.due_at", ">", now);
}

async function isBusy(db: Db, host: string, now: number): Promise<boolean> {
  return (await busyHosts(db, now).where("busy.host", "=", host).limit(1).executeTakeFirst()) !== undefined;
}

/** Whether it is still one's own: the post may be gone or link elsewhere, or another may have taken it on. */
export async function isHeld(db: Db, { post_id, holder }: Link): Promise<boolean> {
  const row = await held(db, post_id, holder).executeTakeFirst();
  return row !== undefined;
}

function held(db: Db, postId: number, holder: string | null) {
  return db
    .selectFrom("post_links")
    .select("post_id")
    .where("post_id", "=", postId)
    .where("holder", "=", holder);
}

/** Lets go of a link, to be asked again or not. One that isn't one's own any more is left alone. */
export async function releaseLease(tx: Db, { post_id, holder }: Link, values: Partial<Link>): Promise<void> {
  await tx
    .updateTable("post_links")
    .set({ ...values, holder: null })
    .where("post_id", "=", post_id)
    .where("holder", "=", holder)
    .execute();
}

/** Milliseconds until a page is asked anew: a week, and twice as long each time after. */
const CHECK = 7 * 24 * 3_600_000;
/** So often it is, and then no more. */
const CHECKS = 4;

/** A link of which nothing more is to be found out for a while. */
export function rested({ checks }: Link, now: number): Partial<Link> {
  const due_at = checks < CHECKS ? now + CHECK * 2 ** checks : null;
  return { attempts: 0, checks: checks + 1, due_at, found_at: now };
}

/** The link was another's to settle. */
export class LeaseLostError extends Error {}

/** What a post is to show of its link. */
export interface Shown {
  card: LinkCard | null;
  canonicalKey: string | null;
  picture: { feed: string; thumbHash: string } | null;
  /** What the page said by which to ask whether it is still the same. */
  validators: Pick<Link, "etag" | "last_modified">;
  files: readonly MediaFile[];
}

/** The post shows this of its link from now on. Throws {@link LeaseLostError}, or `not_found` where the post is gone. */
export async function settleLink(tx: Db, now: number, link: Link, shown: Shown): Promise<void> {
  const { post_id: id } = link;
  await lockForModeration(tx, id);
  if (!(await isHeld(tx, link))) throw new LeaseLostError();
  const { card, picture, files, validators, canonicalKey: canonical_key } = shown;
  const facts = await readFacts(tx, id);
  // The origin may have shown a picture of its own meanwhile.
  const poster = picture || !link.gathered ? posterFacts(picture) : {};
  await writeFacts(tx, id, { ...facts, card, ...poster });
  await disownPictures(tx, id);
  if (files.length > 0) await addMedium(tx, { owner: { post_id: id }, state: "ready", files, now });
  await releaseLease(tx, link, { ...rested(link, now), ...validators, canonical_key });
}

/** What another post shows of the same page, if that was settled after that time. */
export async function settledCard(
  db: Db,
  { url_key }: Link,
  after: number,
): Promise<Pick<Shown, "card" | "canonicalKey" | "validators"> | null> {
  const by = (column: "url_key" | "canonical_key") =>
    db
      .selectFrom("post_links as l")
      .innerJoin("posts as p", "p.id", "l.post_id")
      .select(["l.canonical_key", "l.etag", "l.last_modified", "p.fragment"])
      .where(`l.${column}`, "=", url_key)
      .where("l.found_at", ">", after)
      .orderBy("l.found_at", "desc")
      .limit(1)
      .executeTakeFirst();
  const row = (await by("url_key")) ?? (await by("canonical_key"));
  if (!row) return null;
  const { canonical_key: canonicalKey, fragment, ...validators } = row;
  return { card: fromFragment(fragment).card, canonicalKey, validators };
}
