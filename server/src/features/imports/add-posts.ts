import { createHash } from "node:crypto";
import type { AiProvenance } from "@tandem/contract/digital-source-types";
import type { ImportPlatform } from "@tandem/contract/imports";
import { operations } from "@tandem/contract/operations";
import { sql } from "kysely";
import { ApiError } from "../../http/api-error.ts";
import { linkCheck } from "../../http/denied-links.ts";
import { keyCheck } from "../../http/exposed-keys.ts";
import type { Services } from "../../http/services.ts";
import { InvalidMedia } from "../../media/invalid-media.ts";
import { inspectPicture } from "../../media/pictures.ts";
import { addMedium, type MediaFile } from "../../media/rows.ts";
import { type MediaUpload, withUploads } from "../../media/upload.ts";
import type { ArchivedPost } from "../../origins/archives/archive.ts";
import { insertRows } from "../../storage/bulk.ts";
import { authorNameOf, postDefaults, withLink } from "../../storage/post-fragment.ts";
import { type Db, Overloaded } from "../../storage/storage.ts";
import { type Author, authorOf } from "../accounts/author.ts";
import { insertArchived } from "../posts/archived-posts.ts";
import { type ProcessedMedia, storeMedia } from "../posts/post-media.ts";
import { archivedAuthorship } from "../shared/authorship.ts";
import type { Progress } from "./progress.ts";

/** A post that is ready to be added. */
interface PreparedPost extends ArchivedPost {
  media: ProcessedMedia | null;
  /** The files of its picture. */
  files: readonly MediaFile[];
  alt: string | null;
  /** Whether it may not be published here. */
  isDenied: boolean;
}

/**
 * Checks posts as new ones are checked, and converts their pictures: the first of each. `work` then adds the posts; files that it
 * doesn't give to a post are deleted.
 */
export async function preparePost(
  services: Services,
  posts: readonly ArchivedPost[],
  work: (prepared: PreparedPost[]) => Promise<void>,
): Promise<void> {
  const checks = [keyCheck(services, operations.createPost), linkCheck(services, operations.createPost)];
  await withUploads(services, async (upload) => {
    const prepared: PreparedPost[] = [];
    for (const post of posts) {
      const { title, body, link: url, contentWarning, pictures } = post;
      // Posts link to their address on the platform, too, which in a forged export can be any.
      const input = { title, body, url: [url, post.url], contentWarning, alt: pictures[0]?.alt };
      const isDenied = !(await passes(() => Promise.all(checks.map((check) => check(input)))));
      prepared.push({ ...post, isDenied, ...(await picture(upload, isDenied ? null : post)) });
    }
    await work(prepared);
  });
}

async function passes(check: () => Promise<unknown>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch (error) {
    if (error instanceof ApiError && ["denied_link", "key_exposed"].includes(error.code)) return false;
    throw error;
  }
}

async function picture(upload: MediaUpload, post: ArchivedPost | null) {
  const none = { media: null, files: [], alt: null };
  const [first] = post?.pictures ?? [];
  if (!first) return none;
  const before = upload.files.length;
  try {
    const { path, alt } = first;
    const is = await inspectPicture(path);
    const image = { field: "image", path, bytes: 0, sha256: Buffer.alloc(0), is };
    const media = await storeMedia(upload, { image: [image] }, "human");
    return { media, files: upload.files.slice(before), alt };
  } catch (error) {
    // The last one: the file ended its process, twice.
    const isInvalid =
      error instanceof InvalidMedia ||
      (error instanceof ApiError && error.code === "invalid_input") ||
      (error instanceof Overloaded && !error.isTransient);
    if (isInvalid) return { ...none, losesMedia: true };
    throw error;
  }
}

interface Importing {
  userId: number;
  platform: ImportPlatform;
  now: number;
}

/** Adds posts that weren't imported before. The account must be locked. */
export async function addPosts(
  tx: Db,
  { userId, platform, now }: Importing,
  prepared: readonly PreparedPost[],
  progress: Progress,
): Promise<void> {
  const keys = prepared.map(({ key }) => keyOf(platform, key));
  const known = await importedAmong(tx, userId, keys);
  const author = await authorOf(tx, userId);
  const added = prepared.flatMap((post, i) => {
    const key = keys[i] as string;
    if (known.has(key)) progress.count("posts", "existing");
    else if (post.isDenied) progress.count("posts", "denied");
    else if (isEmpty(post)) progress.count("posts", "empty");
    else return [{ key, post }];
    return [];
  });
  if (added.length === 0) return;
  const rows = added.map(({ post }) => ({
    facts: { ...factsOf(post, author), importedFrom: platform },
    postedAt: post.postedAt,
    originUrl: post.url,
  }));
  const ids = await insertArchived(tx, author, rows, now);
  const idOf = (i: number) => ids[i] as number;
  await insertRows(
    tx,
    "imported_posts",
    added.map(({ key }, i) => ({ user_id: userId, key, post_id: idOf(i) })),
  );
  for (const [i, { post }] of added.entries())
    if (post.media)
      await addMedium(tx, { owner: { post_id: idOf(i) }, state: "ready", files: post.files, now });
  progress.count("posts", "added", added.length);
  progress.count("posts", "lost_media", added.filter(({ post }) => post.losesMedia).length);
}

/** Keys can be long addresses. */
function keyOf(platform: ImportPlatform, key: string): string {
  return `${platform}:${createHash("sha256").update(key).digest("base64url")}`;
}

async function importedAmong(tx: Db, userId: number, keys: readonly string[]): Promise<Set<string>> {
  const listed = tx.engine.jsonRows(JSON.stringify(keys.map((key) => ({ key }))), { key: "text" });
  const { rows } = await sql<{ key: string }>`select key from imported_posts
    where user_id = ${userId} and key in (select key from (${listed}) as listed)`.execute(tx);
  return new Set(rows.map(({ key }) => key));
}

/** A post that only had a picture may have lost it. */
const isEmpty = ({ title, body, link, media }: PreparedPost) =>
  title === null && body === null && link === null && media === null;

function factsOf(post: PreparedPost, author: Author) {
  const { title, body, link, contentWarning, sensitive, media, alt, postedAt } = post;
  const stated: AiProvenance | null = media?.stated ?? null;
  const facts = {
    ...postDefaults,
    ...media?.facts,
    alt,
    author: author.username,
    ...authorNameOf(author.displayName),
    authorIsAgent: author.isAgent,
    authorAvatarUrl: author.avatarUrl,
    title,
    body,
    ...(contentWarning !== null && { contentWarning }),
    ...(sensitive && { sensitive }),
    ...archivedAuthorship(stated),
    postedAt: new Date(postedAt).toISOString(),
  };
  return link === null ? facts : withLink(facts, link);
}
