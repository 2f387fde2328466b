import { toBase64 } from "@tandem/contract/log/bytes";
import type { CurrentKind, VersionedKind } from "@tandem/contract/log/entry";
import { TiledTree } from "@tandem/contract/log/tiles";
import { nativePlatform, type Platform } from "@tandem/contract/origins";
import type { PostPicture } from "@tandem/contract/post-resources";
import type { Receipt } from "@tandem/contract/receipts";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { Context, Handlers } from "../../http/context.ts";
import { fromFragment, type PostFacts } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { loggedPictures, mediaOf, operatorOf, operatorsOf } from "./append.ts";
import { findCurrent } from "./current.ts";
import { sha256 } from "./digests.ts";
import { type FirstEntry, firstEntryOf } from "./first-entries.ts";
import { type Head, openLog } from "./head.ts";
import { signStatement } from "./keys.ts";
import { tileReader } from "./stored-tiles.ts";

export const receipts = {
  readPostReceipt: async (ctx, { id, version }) => {
    const { first, ...logged } = await postVersion(ctx.read, id, version);
    // In this order, as an entry moves from the post's row to one of its own and on to the tree.
    const found =
      (await findEntry(ctx.read, "post", id, logged.version)) ?? (first && { ...first, position: null });
    return { receipt: await receiptOf(ctx, logged, found) };
  },
  readCommentReceipt: async (ctx, { id, version }) => {
    const logged = await commentVersion(ctx.read, id, version);
    const found = await findEntry(ctx.read, "comment", id, logged.version);
    return { receipt: await receiptOf(ctx, logged, found) };
  },
  readReceipt: async (ctx, { kind, name }) => {
    const state = await findCurrent(ctx.read, kind, name);
    if (!state) throw notFound(kind === "live" ? "live stream" : kind);
    const { id, author, operator, media } = state;
    const found = await findCurrentEntry(ctx.read, kind, id);
    return { receipt: await receiptOf(ctx, { ...author, operator, ...media }, found) };
  },
} satisfies Handlers<"readPostReceipt" | "readCommentReceipt" | "readReceipt">;

/** What a receipt says of a version besides its entry. */
type Logged = Pick<Receipt, "media" | "pictures" | "banner" | "platform" | "author" | "operator">;

type ShownMedia = Pick<PostFacts, "mediaType" | "mediaUrl"> & {
  pictures?: readonly Pick<PostPicture, "url" | "alt">[];
};

/**
 * With `first`, the entry that its row stands for, if it does. Throws `not_found`, and `no_receipt` for a version whose text isn't
 * kept.
 */
async function postVersion(
  db: Db,
  id: number,
  wanted: number | undefined,
): Promise<Logged & { version: number; first: FirstEntry | null }> {
  const row = await db
    .selectFrom("posts")
    .select(["id", "fragment", "version", "first_entry"])
    .where("id", "=", id)
    .where("removed", "=", 0)
    .executeTakeFirst();
  if (!row) throw notFound("post");
  const { version = row.version } = { version: wanted };
  const { fragment, first_entry } = row;
  const facts = fromFragment(fragment);
  const { platform, author, authorIsAgent } = facts;
  const shown = version === row.version ? facts : await earlierMedia(db, id, version);
  const operators = authorIsAgent ? await operatorsOf(db, [id]) : null;
  return {
    version,
    platform,
    author,
    operator: operators?.get(id) ?? null,
    media: await mediaOf(db, shown),
    ...(await picturesOf(db, platform, shown)),
    banner: null,
    first: version === 1 && first_entry !== null ? firstEntryOf({ id, fragment, first_entry }) : null,
  };
}

async function picturesOf(
  db: Db,
  platform: Platform,
  { pictures }: ShownMedia,
): Promise<Pick<Receipt, "pictures">> {
  const logged = await loggedPictures(db, { platform, pictures });
  return logged ? { pictures: logged.map(({ media }) => media ?? "") } : {};
}

async function earlierMedia(db: Db, id: number, version: number): Promise<ShownMedia> {
  const row = await db
    .selectFrom("post_versions")
    .select("content")
    .where("post_id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  if (!row?.content) throw new ApiError("no_receipt");
  return JSON.parse(row.content);
}

/** Throws `not_found`, also if the comment or its post was deleted or removed. */
async function commentVersion(
  db: Db,
  id: number,
  wanted: number | undefined,
): Promise<Logged & { version: number }> {
  const row = await db
    .selectFrom("comments as c")
    .innerJoin("posts as p", "p.id", "c.post_id")
    .innerJoin("users as u", "u.id", "c.user_id")
    .select(["c.version", "u.id as user_id", "u.username", "u.role"])
    .where("c.id", "=", id)
    .where("c.deleted", "=", 0)
    .where("p.removed", "=", 0)
    .executeTakeFirst();
  if (!row) throw notFound("comment");
  return {
    version: wanted ?? row.version,
    platform: nativePlatform,
    author: row.username,
    operator: row.role === "agent" ? await operatorOf(db, row.user_id) : null,
    media: null,
    banner: null,
  };
}

/** Throws `no_receipt` if nothing was found. */
async function receiptOf(
  { services, read }: Pick<Context, "services" | "read">,
  { media, pictures, banner, platform, author, operator }: Logged,
  found: FoundEntry | null | undefined,
): Promise<Receipt> {
  if (!found) throw new ApiError("no_receipt");
  const { head, key } = await openLog(services);
  const { entry, salt, signer, position } = found;
  const statement = await signStatement(key, { iss: services.baseUrl, log: head.origin, entry });
  const proof = await proofOf(read, head, position);
  const covered = { media, ...(pictures && { pictures }), banner };
  return { statement, entry, salt, ...covered, platform, author, operator, signer, proof };
}

interface FoundEntry {
  entry: string;
  salt: string;
  signer: string | null;
  /** Null while it is pending. */
  position: number | null;
}

async function findEntry(
  db: Db,
  kind: VersionedKind,
  id: number,
  version: number,
): Promise<FoundEntry | undefined> {
  const pending = await db
    .selectFrom("log_pending")
    .select(["entry", "salt", "signer"])
    .where("kind", "=", kind)
    .where("subject_id", "=", id)
    .where("version", "=", version)
    .where("salt", "is not", null)
    .executeTakeFirst();
  if (pending?.entry && pending.salt) {
    const { entry, salt, signer } = pending;
    return { entry, salt, signer, position: null };
  }
  const query =
    kind === "post"
      ? db.selectFrom("post_receipts as r").where("r.post_id", "=", id)
      : db.selectFrom("comment_receipts as r").where("r.comment_id", "=", id);
  return query
    .innerJoin("log_entries as e", "e.position", "r.position")
    .select(["e.entry", "r.salt", "r.signer", "r.position"])
    .where("r.version", "=", version)
    .executeTakeFirst();
}

/** Of the current version; undefined if it has no entry, or its deletion has. */
async function findCurrentEntry(db: Db, kind: CurrentKind, id: number): Promise<FoundEntry | undefined> {
  const pending = await db
    .selectFrom("log_pending")
    .select(["entry", "salt", "signer"])
    .where("kind", "=", kind)
    .where("subject_id", "=", id)
    .where("salt", "is not", null)
    .executeTakeFirst();
  if (pending?.entry && pending.salt) {
    const { entry, salt, signer } = pending;
    return { entry, salt, signer, position: null };
  }
  const added = await db
    .selectFrom("current_receipts as r")
    .innerJoin("log_entries as e", "e.position", "r.position")
    .select(["e.entry", "r.salt", "r.signer", "r.position"])
    .where("r.kind", "=", kind)
    .where("r.subject_id", "=", id)
    .where("r.salt", "is not", null)
    .executeTakeFirst();
  return added?.salt ? { ...added, salt: added.salt } : undefined;
}

async function proofOf(db: Db, head: Head, position: number | null): Promise<Receipt["proof"]> {
  // Added to the tree since the head was read.
  if (position === null || position >= head.size) return null;
  const path = await new TiledTree(head.size, tileReader(db), sha256).inclusionProof(position);
  return { index: position, path: path.map(toBase64), checkpoint: head.checkpoint };
}
