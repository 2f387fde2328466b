import { createHash } from "node:crypto";
import { type AiProvenance, digitalSourceTypes } from "@tandem/contract/digital-source-types";
import type { ImportPlatform } from "@tandem/contract/imports";
import { operations } from "@tandem/contract/operations";
import { sql } from "kysely";
import { ApiError } from "../../http/api-error.ts";
import { linkCheck } from "../../http/denied-links.ts";
import { keyCheck } from "../../http/exposed-keys.ts";
import type { Services } from "../../http/services.ts";
import { InvalidMedia } from "../../media/invalid-media.ts";
import { inspectPicture, type PictureFacts } from "../../media/pictures.ts";
import type { MediaFile } from "../../media/rows.ts";
import { strongest } from "../../media/source-type.ts";
import { type MediaUpload, type StoredPicture, withUploads } from "../../media/upload.ts";
import type { ArchivedPicture, ArchivedPost } from "../../origins/archives/archive.ts";
import { insertRows } from "../../storage/bulk.ts";
import { authorNameOf, postDefaults, withLink } from "../../storage/post-fragment.ts";
import { type Db, Overloaded } from "../../storage/storage.ts";
import { type Author, authorOf } from "../accounts/author.ts";
import { withAlts } from "../posts/alt-texts.ts";
import { insertArchived } from "../posts/archived-posts.ts";
import { type ProcessedMedia, processedPictures } from "../posts/post-media.ts";
import { archivedAuthorship } from "../shared/authorship.ts";
import type { Progress } from "./progress.ts";

/** A post that is ready to be added. */
interface PreparedPost extends Omit<ArchivedPost, "pictures"> {
  /** As `imported_posts` has it. */
  importKey: string;
  /** It is here already, so nothing was prepared. */
  isKnown: boolean;
  /** Whether it may not be published here. */
  isDenied: boolean;
  pictures: Pictures | null;
}

/** A post's pictures. */
interface Pictures {
  media: ProcessedMedia;
  files: readonly MediaFile[];
  alts: (string | null)[];
}

/**
 * Checks posts that aren't here yet as new ones are checked, and converts their pictures. `work` then adds the posts; files that it
 * doesn't give to a post are deleted.
 */
export async function preparePosts(
  services: Services,
  platform: ImportPlatform,
  posts: readonly (ArchivedPost & { isKnown: boolean })[],
  work: (prepared: PreparedPost[]) => Promise<void>,
): Promise<void> {
  const checks = [keyCheck(services, operations.createPost), linkCheck(services, operations.createPost)];
  await withUploads(services, async (upload) => {
    const prepared: PreparedPost[] = [];
    for (const post of posts) {
      const { title, body, link: url, contentWarning, pictures, isKnown } = post;
      // Posts link to their address on the platform, too, which in a forged export can be any.
      const alts = pictures.map(({ alt }) => alt ?? "");
      const input = { title, body, url: [url, post.url], contentWarning, alts };
      const isDenied = !isKnown && !(await passes(() => Promise.all(checks.map((check) => check(input)))));
      const converted = isKnown || isDenied ? null : await convert(upload, pictures);
      const losesMedia = post.losesMedia || (converted?.alts.length ?? 0) < pictures.length;
      const importKey = keyOf(platform, post.key);
      prepared.push({ ...post, importKey, isDenied, losesMedia, pictures: converted });
    }
    await work(prepared);
  });
}

/** Posts with whether the account imported them before. */
export async function withKnown<Post extends ArchivedPost>(
  db: Db,
  { userId, platform }: Pick<Importing, "userId" | "platform">,
  posts: readonly Post[],
): Promise<(Post & { isKnown: boolean })[]> {
  const keys = posts.map(({ key }) => keyOf(platform, key));
  const known = await importedAmong(db, userId, keys);
  return posts.map((post, i) => ({ ...post, isKnown: known.has(keys[i] as string) }));
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

/** Converts the pictures that can be. Null if none can. */
async function convert(upload: MediaUpload, archived: readonly ArchivedPicture[]): Promise<Pictures | null> {
  const before = upload.files.length;
  const readable: (ArchivedPicture & { mark: PictureFacts["mark"] })[] = [];
  for (const picture of archived) {
    const facts = await unlessInvalid(() => inspectPicture(picture.path));
    if (facts) readable.push({ ...picture, mark: facts.mark });
  }
  // As with uploads: if one of them makes the post AI content, all get its mark.
  const mark = readable.map((one) => one.mark).reduce(strongest, digitalSourceTypes.human);
  const stored: StoredPicture[] = [];
  const alts: Pictures["alts"] = [];
  for (const { path, alt } of readable) {
    const picture = await unlessInvalid(() => upload.picture(path, mark));
    if (!picture) continue;
    stored.push(picture);
    alts.push(alt);
  }
  const [first, ...rest] = stored;
  if (!first) return null;
  return { media: processedPictures([first, ...rest]), files: upload.files.slice(before), alts };
}

/** Null if the picture can't be read. */
async function unlessInvalid<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    // The last one: the file ended its process, twice.
    if (error instanceof InvalidMedia || (error instanceof Overloaded && !error.isTransient)) return null;
    throw error;
  }
}

interface Importing {
  userId: number;
  importId: number;
  platform: ImportPlatform;
  now: number;
}

/** Adds posts that weren't imported before. The account must be locked. */
export async function addPosts(
  tx: Db,
  { userId, importId, platform, now }: Importing,
  prepared: readonly PreparedPost[],
  progress: Progress,
): Promise<void> {
  const known = await importedAmong(
    tx,
    userId,
    prepared.map(({ importKey }) => importKey),
  );
  const author = await authorOf(tx, userId);
  const added = prepared.filter((post) => {
    // What its author deleted a moment ago was here, too.
    if (post.isKnown || known.has(post.importKey)) progress.count("posts", "existing");
    else if (post.isDenied) progress.count("posts", "denied");
    else if (isEmpty(post)) progress.count("posts", "empty");
    else return true;
    return false;
  });
  if (added.length === 0) return;
  const rows = added.map((post) => ({
    facts: { ...factsOf(post, author), importedFrom: platform },
    postedAt: post.postedAt,
    originUrl: post.url,
    files: post.pictures?.files ?? [],
  }));
  const ids = await insertArchived(tx, author.creatorId, rows, now);
  const idOf = (i: number) => ids[i] as number;
  await insertRows(
    tx,
    "imported_posts",
    added.map(({ importKey }, i) => ({
      user_id: userId,
      key: importKey,
      post_id: idOf(i),
      import_id: importId,
    })),
  );
  progress.count("posts", "added", added.length);
  progress.count("posts", "lost_media", added.filter(({ losesMedia }) => losesMedia).length);
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
const isEmpty = ({ title, body, link, pictures }: PreparedPost) =>
  title === null && body === null && link === null && pictures === null;

function factsOf(post: PreparedPost, author: Author) {
  const { title, body, link, contentWarning, sensitive, pictures, postedAt } = post;
  const stated: AiProvenance | null = pictures?.media.stated ?? null;
  const facts = {
    ...postDefaults,
    ...(pictures && withAlts({ ...pictures.media.facts, alt: null }, { alts: pictures.alts })),
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
