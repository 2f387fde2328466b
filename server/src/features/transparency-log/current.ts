import {
  type CurrentKind,
  contentText,
  currentKinds,
  FILE_HASH,
  type LoggedAuthor,
  type LoggedMedia,
  linkAddress,
} from "@tandem/contract/log/entry";
import { nativePlatform } from "@tandem/contract/origins";
import { type RawBuilder, sql } from "kysely";
import { insertRows } from "../../storage/bulk.ts";
import type { Db } from "../../storage/storage.ts";
import { aiFieldsOf, profileMarks, profileName } from "../shared/ai-fields.ts";
import { markOf, mediaOf, pending } from "./append.ts";
import { sha256Hex } from "./digests.ts";
import { nextSequence } from "./sequence.ts";

/*
 * What is only as it is now: products, profiles, live streams and communities. Each version is one pending row, and makes the
 * log forget the salt of the one before, whose text is gone. They are written rarely, so the row is read again for its entry.
 */

/** What an entry says of something as it is now. */
export interface CurrentState {
  id: number;
  author: LoggedAuthor;
  /** The operator's username if it is an agent's. */
  operator: string | null;
  isAi: boolean;
  content: string;
  media: LoggedMedia;
}

/** How a kind is found, in SQL: by its id, or by the name that its address has. */
interface Reader {
  byId(id: number): RawBuilder<unknown>;
  byName(name: string): RawBuilder<unknown>;
  read(db: Db, where: RawBuilder<unknown>): Promise<CurrentState | null>;
}

const noMedia: LoggedMedia = { media: null, banner: null };

/** The account `u` that something belongs to, and the operator `o`. */
const owner = sql`u.username, o.username as operator`;
const withOperator = sql`left join users o on o.id = u.operator_id`;

interface Owned {
  id: number;
  username: string;
  operator: string | null;
}

function ownedBy({ id, username, operator }: Owned) {
  return { id, author: { platform: nativePlatform, author: username }, operator } as const;
}

const ofAccount = {
  byId: (id: number) => sql`u.id = ${id}`,
  byName: (name: string) => sql`u.username_key = ${name.toLowerCase()}`,
};

const readers: Record<CurrentKind, Reader> = {
  product: {
    byId: (id) => sql`p.id = ${id}`,
    byName: (name) => sql`p.id = ${/^[1-9]\d{0,14}$/.test(name) ? Number(name) : 0}`,
    async read(db, where) {
      const { rows } = await sql<
        Owned & {
          title: string;
          url: string;
          image_url: string | null;
          price: string | null;
          category: string | null;
          is_ai: number;
        }
      >`select p.id, p.title, p.url, p.image_url, p.price, p.category, p.is_ai, ${owner}
        from products p join users u on u.id = p.user_id ${withOperator} where ${where}`.execute(db);
      const [row] = rows;
      if (!row) return null;
      const { title, image_url: imageUrl, category } = row;
      const price: string | number | null = row.price === null ? null : JSON.parse(row.price);
      // Only following the link shows its address, so that clicks are counted.
      const media = { ...noMedia, media: FILE_HASH + sha256Hex(linkAddress(row.url)) };
      const content = contentText("product", { title, imageUrl, price, category }, media);
      return { ...ownedBy(row), isAi: row.is_ai === 1, content, media };
    },
  },
  profile: {
    ...ofAccount,
    async read(db, where) {
      const marks = sql.join(profileMarks.map((mark) => sql.ref(`u.${mark}`)));
      const { rows } = await sql<
        Owned &
          Record<"display_name" | "bio" | "avatar_url" | "banner_url", string | null> &
          Record<(typeof profileMarks)[number], number>
      >`select u.id, ${profileName("u")} as display_name, u.bio, u.avatar_url, u.banner_url, ${marks}, ${owner}
        from users u ${withOperator} where ${where}`.execute(db);
      const [row] = rows;
      if (!row) return null;
      const links = await linksOf(db, row.id);
      const { display_name: displayName, bio } = row;
      const aiGeneratedFields = aiFieldsOf({ ...row, links });
      const media = {
        media: await pictureOf(db, row.avatar_url),
        banner: await pictureOf(db, row.banner_url),
      };
      const content = contentText("profile", { displayName, bio, links, aiGeneratedFields }, media);
      return { ...ownedBy(row), isAi: aiGeneratedFields.length > 0, content, media };
    },
  },
  live: {
    ...ofAccount,
    async read(db, where) {
      const { rows } = await sql<
        Owned & { title: string; role: string }
      >`select u.id, l.title, u.role, ${owner}
        from lives l join users u on u.id = l.user_id ${withOperator} where ${where}`.execute(db);
      const [row] = rows;
      if (!row) return null;
      const content = contentText("live", { title: row.title }, noMedia);
      // Keys can't go live, so all that an agent's stream shows is by the agent.
      return { ...ownedBy(row), isAi: row.role === "agent", content, media: noMedia };
    },
  },
  community: {
    byId: (id) => sql`c.id = ${id}`,
    byName: (name) => sql`c.name = ${name.toLowerCase()}`,
    async read(db, where) {
      const { rows } = await sql<{
        id: number;
        name: string;
        description: string | null;
        rules: string | null;
        picture_url: string | null;
        picture_is_ai: number;
      }>`select c.id, c.name, c.description, c.rules, c.picture_url, c.picture_is_ai
        from communities c where ${where}`.execute(db);
      const [row] = rows;
      if (!row) return null;
      const { id, name, description, rules } = row;
      const isAi = row.picture_is_ai === 1;
      const media = { ...noMedia, media: await pictureOf(db, row.picture_url) };
      const content = contentText("community", { description, rules, pictureIsAi: isAi }, media);
      const author = { platform: nativePlatform, author: name } as const;
      return { id, author, operator: null, isAi, content, media };
    },
  },
};

function pictureOf(db: Db, mediaUrl: string | null): Promise<string | null> {
  return mediaOf(db, { mediaType: "image", mediaUrl });
}

async function linksOf(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom("profile_links")
    .select("url")
    .where("user_id", "=", userId)
    .orderBy("position")
    .execute();
  return rows.map(({ url }) => url);
}

/** By the name in its address: a product's id, an account's username or a community's name. */
export function findCurrent(db: Db, kind: CurrentKind, name: string): Promise<CurrentState | null> {
  const { byName, read } = readers[kind];
  return read(db, byName(name));
}

/**
 * Logs a version as this transaction has left it, by the id of the product, account (of a profile or live stream) or community, whose row
 * must be locked. `signer` is the host whose key signed the request, if that brings all of the version and not only a change.
 */
export async function logCurrent(
  tx: Db,
  kind: CurrentKind,
  id: number,
  now: number,
  signer: string | null = null,
): Promise<void> {
  const { byId, read } = readers[kind];
  const state = await read(tx, byId(id));
  if (!state) throw new Error(`there is no ${kind} ${id} to log`);
  const last = (await lastVersions(tx, kind, [id])).get(id);
  if (last) await forget(tx, kind, [id]);
  const { author, operator, content, isAi } = state;
  const subject = { kind, id, version: (last?.version ?? 0) + 1, ...markOf(isAi) };
  const time = new Date(now).toISOString();
  await insertRows(tx.later, "log_pending", [pending(subject, { content, author, operator, signer, time })]);
}

/**
 * Logs deletions, and forgets the salts. Those that aren't in the log, or whose deletion is, are left out. Call it once their rows
 * are locked or deleted.
 */
export async function logCurrentDeletions(tx: Db, kind: CurrentKind, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const last = await lastVersions(tx, kind, ids);
  const published = [...last].filter(([, { isPublished }]) => isPublished);
  if (published.length === 0) return;
  await forget(
    tx,
    kind,
    published.map(([id]) => id),
  );
  // A version of its own, so that its place is after those before and before those after.
  const rows = published.map(([subject_id, { version }]) => ({
    kind,
    subject_id,
    version: version + 1,
    sequence: nextSequence(),
    salt: null,
    entry: null,
    signer: null,
  }));
  await insertRows(tx.later, "log_pending", rows);
}

interface LastVersion {
  version: number;
  /** False after a deletion. */
  isPublished: boolean;
}

/** By id; ids without an entry are left out. In one statement: an entry can move from one table to the other meanwhile. */
async function lastVersions(
  tx: Db,
  kind: CurrentKind,
  ids: readonly number[],
): Promise<Map<number, LastVersion>> {
  const ofThese = sql`kind = ${kind} and subject_id in (${tx.engine.oneOf(ids)})`;
  const { rows } = await sql<{ id: number; version: number; salt: string | null }>`
    select subject_id as id, max(version) as version, max(salt) as salt from (
      select subject_id, version, salt from log_pending where ${ofThese}
      union all select subject_id, version, salt from current_receipts where ${ofThese}
    ) as entries group by subject_id order by subject_id`.execute(tx);
  return new Map(
    rows.map(({ id, version, salt }) => [id, { version: Number(version), isPublished: salt !== null }]),
  );
}

/** In this order: the first waits for a concurrent integration of these entries, which adds receipts. */
async function forget(tx: Db, kind: CurrentKind, ids: readonly number[]): Promise<void> {
  const ofThese = sql`kind = ${kind} and subject_id in (${tx.engine.oneOf(ids)})`;
  await sql`update log_pending set salt = null where ${ofThese}`.execute(tx);
  await sql`delete from current_receipts where ${ofThese}`.execute(tx);
}

export function isCurrentKind(kind: string): kind is CurrentKind {
  return currentKinds.some((known) => known === kind);
}
