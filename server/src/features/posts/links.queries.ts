import { createHash } from "node:crypto";
import { MINUTE, WEEK } from "@tandem/contract/durations";
import type { LinkCard } from "@tandem/contract/post-resources";
import { type RawBuilder, sql } from "kysely";
import type { Services } from "../../http/services.ts";
import { isStillLeased, LeaseLostError, type Queue, type QueueRow, release } from "../../jobs/queue.ts";
import { addMedium, detachPostMedia, type MediaFile } from "../../media/rows.ts";
import { insertRows } from "../../storage/bulk.ts";
import { fromFragment } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { authorshipIn, withStatement } from "../shared/authorship.ts";
import { lockForModeration } from "./moderation-removal.ts";
import { posterFacts } from "./post-media.ts";
import { isNewVersion } from "./post-versions.ts";
import { readFacts, writeFacts, writeVersion } from "./posts.queries.ts";

export type Link = QueueRow<"post_links">;

/** Milliseconds until another process may take over a link: longer than fetching the page and its picture may take. */
export const LINK_LEASE = 5 * MINUTE;

/** A short hash of a URL of any length, for an index. */
export function keyOf(url: string): string {
  return createHash("sha256").update(new URL(url).href).digest("base64url").slice(0, 22);
}

/** Sets or removes the link of a post that this transaction wrote. The card of the previous link is removed. */
export async function setLink(
  { services, now }: { services: Services; now: number },
  tx: Db,
  postId: number,
  url: string | null,
): Promise<void> {
  await tx.deleteFrom("post_links").where("post_id", "=", postId).execute();
  await detachPostMedia(tx, postId);
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

/** The maximum number of imported links that wait: many are imported in a minute, and few can be fetched. */
const MAX_WAITING = 1000;

/** Queues the links of posts imported in this transaction; pass the newest first, as only so many may wait. */
export async function addLinks(
  tx: Db,
  links: readonly { postId: number; url: string }[],
  now: number,
): Promise<void> {
  if (links.length === 0) return;
  const waiting = sql<{ id: number }>`select post_id as id from post_links
    where gathered = 1 and due_at is not null limit ${MAX_WAITING}`;
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from (${waiting}) as waiting`.execute(tx);
  const room = MAX_WAITING - Number(rows[0]?.count);
  // Fetched only once: an imported post is old after a week.
  const added = links.slice(0, room).map(({ postId, url }) => {
    return { ...linkRow(postId, url, now), gathered: 1, checks: MAX_CHECKS };
  });
  await insertRows(tx, "post_links", added);
}

/** Removes the links of imported posts that now link elsewhere, with their cards. */
export async function dropLinks(tx: Db, ids: RawBuilder<{ id: number }>): Promise<void> {
  await sql`delete from post_links where post_id in (${ids})`.execute(tx);
  await sql`update media set post_id = null where post_id in (${ids})`.execute(tx);
}

/** Either queue of links. */
export const linkTable = { table: "post_links", key: "post_id" } as const;

/** Links of posts made here and of imported posts. Of one host, one link is in progress at a time. */
export const ownLinks = linkQueue("cards", 0);
export const importedLinks = linkQueue("imported_cards", 1);

function linkQueue(kind: string, gathered: 0 | 1) {
  return {
    kind,
    ...linkTable,
    // A literal, as in the index; a parameter would keep the planner from using it.
    where: sql<boolean>`gathered = ${sql.lit(gathered)}`,
    lane: "host",
    lease: LINK_LEASE,
  } as const satisfies Queue<"post_links">;
}

/** Milliseconds until a page is fetched again: a week, and twice as long each further time. */
const CHECK_INTERVAL = WEEK;
/** How often it is fetched again. */
const MAX_CHECKS = 4;

/** The columns of a link whose page was fetched, until it is fetched again. */
export function settledColumns({ checks }: Link, now: number): Partial<Link> {
  const due_at = checks < MAX_CHECKS ? now + CHECK_INTERVAL * 2 ** checks : null;
  return { attempts: 0, checks: checks + 1, due_at, found_at: now };
}

/** The card that a post shows of its link. */
export interface CardContent {
  card: LinkCard | null;
  picture: { feed: string; thumbHash: string } | null;
  /** The page's cache validators, for conditional requests. */
  validators: Pick<Link, "etag" | "last_modified">;
  files: readonly MediaFile[];
}

/** Shows this card of its link on the post. Throws {@link LeaseLostError}, or `not_found` if the post is gone. */
export async function settleLink(tx: Db, now: number, link: Link, content: CardContent): Promise<void> {
  const { post_id: id } = link;
  await lockForModeration(tx, id);
  if (!(await isStillLeased(tx, linkTable, link))) throw new LeaseLostError();
  const { card, picture, files, validators } = content;
  const facts = await readFacts(tx, id);
  // The origin may have provided a picture of its own meanwhile.
  const poster = picture || !link.gathered ? posterFacts(picture) : {};
  const authorship = link.gathered ? withStatement(authorshipIn(facts), card?.provenance) : {};
  const after = { ...facts, card, ...poster, ...authorship };
  // The author edited nothing, but readers see another AI label.
  if (isNewVersion(facts, after))
    await writeVersion(tx, id, { before: facts, after }, { by: "origin", keyId: null, now });
  else await writeFacts(tx, id, after);
  await detachPostMedia(tx, id);
  if (files.length > 0) await addMedium(tx, { owner: { post_id: id }, state: "ready", files, now });
  await release(tx, linkTable, link, { ...settledColumns(link, now), ...validators });
}

/** The card that another post shows of the same URL, if its page was fetched after that time. */
export async function settledCard(
  db: Db,
  { url_key }: Link,
  after: number,
): Promise<Pick<CardContent, "card" | "validators"> | null> {
  const row = await db
    .selectFrom("post_links as l")
    .innerJoin("posts as p", "p.id", "l.post_id")
    .select(["l.etag", "l.last_modified", "p.fragment"])
    .where("l.url_key", "=", url_key)
    .where("l.found_at", ">", after)
    .orderBy("l.found_at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { fragment, ...validators } = row;
  return { card: fromFragment(fragment).card, validators };
}
