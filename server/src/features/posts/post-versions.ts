import { stableAddress } from "@tandem/contract/log/entry";
import { nativePlatform } from "@tandem/contract/origins";
import type { PostPicture } from "@tandem/contract/post-resources";
import { sql } from "kysely";
import { fromFragment, type PostFacts } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { type FirstEntryRow, settleFirstEntries } from "../transparency-log/first-entries.ts";
import {
  type FirstVersion,
  keepVersions,
  type ReplacedVersion,
  type VersionColumns,
} from "../versions/keep-versions.ts";

/** What a version of a post shows. Products are listed by id: a product's own changes make no version. */
export type PostContent = Pick<
  PostFacts,
  | "title"
  | "body"
  | "url"
  | "mediaType"
  | "mediaUrl"
  | "alt"
  | "contentWarning"
  | "sensitive"
  | "quoteId"
  | "poll"
> & {
  /** All pictures of a native post with several. */
  pictures?: ShownPicture[];
  productIds: number[];
};

type ShownPicture = Pick<PostPicture, "url" | "alt">;

export function contentOf(facts: PostFacts): PostContent {
  const { title, body, url, mediaType, mediaUrl, alt, contentWarning, sensitive, quoteId, poll, products } =
    facts;
  return {
    title,
    body,
    url,
    mediaType,
    mediaUrl,
    alt,
    ...(contentWarning !== undefined && { contentWarning }),
    ...(sensitive && { sensitive }),
    ...(quoteId !== undefined && { quoteId }),
    ...(poll && { poll }),
    ...withPictures(facts),
    productIds: products.map(({ id }) => id),
  };
}

/** Of imported posts, an address can be signed differently each time, so only the first picture counts. */
function withPictures({ platform, pictures }: PostFacts): Pick<PostContent, "pictures"> {
  if (platform !== nativePlatform || !pictures) return {};
  return { pictures: pictures.map(({ url, alt }) => ({ url, alt })) };
}

/** Whether readers see a difference: in the text, link, media, description, warning, products or provenance. */
export function isNewVersion(before: PostFacts, after: PostFacts): boolean {
  return showsOther(before, after) || provenanceKey(before) !== provenanceKey(after);
}

/** Whether the content differs, leaving aside the provenance. */
export function showsOther(before: PostFacts, after: PostFacts): boolean {
  return contentKey(before) !== contentKey(after);
}

function provenanceKey({ provenance, provenanceBasis }: PostFacts): string {
  return `${provenance} ${provenanceBasis}`;
}

function contentKey(facts: PostFacts): string {
  return JSON.stringify({ ...contentOf(facts), mediaUrl: mediaKey(facts) });
}

/** A media URL without its query: many platforms sign the address of the same file differently each time. */
export function mediaKey({ mediaType, mediaUrl }: Pick<PostFacts, "mediaType" | "mediaUrl">): string | null {
  return mediaUrl === null ? null : stableAddress(mediaType, mediaUrl);
}

/** What of a post's facts says who made its first version, and when. */
export function firstVersion(facts: PostFacts): FirstVersion {
  return {
    provenance: facts.provenance,
    basis: facts.provenanceBasis,
    isImported: facts.platform !== nativePlatform,
    createdAt: Date.parse(facts.postedAt),
    editedAt: facts.editedAt === null ? null : Date.parse(facts.editedAt),
  };
}

/**
 * Stores the current versions of posts that this transaction is about to change, which must be locked. Call it for every
 * change that {@link isNewVersion}, and change the row with `nextVersion`.
 */
export async function keepPostVersions(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<VersionColumns & { id: number; fragment: string; first_entry: string | null }>`
    select id, version, version_at, version_by, edited_with, made_with, fragment, first_entry
    from posts where id in (${tx.engine.oneOf(ids)})`.execute(tx);
  await settle(
    tx,
    rows.flatMap(({ id, fragment, first_entry }) =>
      first_entry === null ? [] : [{ id, fragment, first_entry }],
    ),
  );
  await keepVersions(
    tx,
    "post",
    rows.map(({ id, fragment, first_entry: _, ...columns }): ReplacedVersion => {
      const facts = fromFragment(fragment);
      return { id, columns, first: firstVersion(facts), content: contentOf(facts) };
    }),
  );
}

/** The rows don't stand for their first versions' log entries any more. */
async function settle(tx: Db, posts: readonly FirstEntryRow[]): Promise<void> {
  if (posts.length === 0) return;
  await settleFirstEntries(tx, posts);
  const ids = tx.engine.oneOf(posts.map(({ id }) => id));
  await sql`update posts set first_entry = null where id in (${ids})`.execute(tx.later);
}
