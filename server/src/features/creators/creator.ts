import type { Platform } from "@tandem/contract/origins";
import type { Creator, Role } from "@tandem/contract/resources";
import { sql } from "kysely";
import { notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Context, Handlers } from "../../http/context.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { aiFieldsOf, profileName } from "../shared/ai-fields.ts";
import { authorKey, isPublic, latestAvatar } from "./creators.queries.ts";
import { type OperatorColumns, operatorColumns, operatorOf } from "./operator.ts";
import { readProfileLinks } from "./profile-links.ts";
import { readRelationship } from "./relationship.ts";

export const creatorPage = {
  readCreator: async (ctx, { platform, author }) => ({
    creator: await readCreator(ctx.read, platform, author, ctx),
  }),
} satisfies Handlers<"readCreator">;

/** Throws `not_found`. */
async function readCreator(
  db: Db,
  platform: Platform,
  author: string,
  { caller, now }: Pick<Context, "caller" | "now">,
): Promise<Creator> {
  const [row] = await byName(db, { platform, key: authorKey(author), caller: caller?.userId ?? 0 });
  const muted = row !== undefined && (await isMutedBy(db, row.id, caller, now));
  if (!row || !(muted || isPublic(row) || (await isListedBy(db, row.id, caller)))) throw notFound("creator");
  const links = row.user_id === null ? [] : await readProfileLinks(db, row.user_id);
  return {
    platform: row.platform,
    author: row.author,
    displayName: row.display_name,
    avatarUrl: row.avatar_url ?? (row.user_id === null ? await latestAvatar(db, row) : null),
    bannerUrl: row.banner_url,
    bio: row.bio,
    aiGeneratedFields: aiFieldsOf({ ...row, links }),
    links,
    joinedAt: row.joined_at === null ? null : new Date(row.joined_at).toISOString(),
    pinnedPostId: row.pinned,
    postCount: row.post_count,
    hasImportedPosts: row.archived_post !== null,
    followerCount: row.follower_count,
    following: row.followed_by !== null,
    muted,
    authorIsAgent: row.role === "agent",
    operator: operatorOf(row),
    relationship: await readRelationship(db, caller, row.user_id),
  };
}

interface Row extends OperatorColumns {
  id: number;
  platform: Platform;
  author: string;
  user_id: number | null;
  post_count: number;
  follower_count: number;
  followed_by: number | null;
  display_name: string | null;
  avatar_url: string | null;
  banner_url: string | null;
  bio: string | null;
  display_name_is_ai: number | null;
  bio_is_ai: number | null;
  avatar_is_ai: number | null;
  banner_is_ai: number | null;
  links_is_ai: number | null;
  role: Role | null;
  joined_at: number | null;
  pinned: number | null;
  archived_post: number | null;
}

/** Whether the caller mutes this creator itself, and not only its operator. */
async function isMutedBy(db: Db, id: number, caller: Caller | null, now: number): Promise<boolean> {
  if (!caller || caller.mutesChangeAt === null) return false;
  return (await muteOf(db, { id, userId: caller.userId, now })).length > 0;
}

/** Whether a creator whom no one else may know is on one of the caller's lists. */
async function isListedBy(db: Db, id: number, caller: Caller | null): Promise<boolean> {
  if (!caller) return false;
  const row = await db
    .selectFrom("list_members")
    .select("list_id")
    .where("creator_id", "=", id)
    .where("user_id", "=", caller.userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const muteOf = prepared<{ id: number; userId: number; now: number }, { id: number }>(
  (db, { id, userId, now }) =>
    sql<{ id: number }>`select id from mutes where creator_id = ${id} and user_id = ${userId}
      and (until_at is null or until_at > ${now})`.compile(db),
);

const byName = prepared<{ platform: Platform; key: string; caller: number }, Row>(
  (db, { platform, key, caller }) =>
    db
      .selectFrom("creators as c")
      .leftJoin("users as u", "u.id", "c.user_id")
      .leftJoin("users as o", "o.id", "u.operator_id")
      .leftJoin("follows as f", (join) =>
        join.onRef("f.creator_id", "=", "c.id").on("f.user_id", "=", caller),
      )
      .select(["c.id", "c.platform", "c.author", "c.user_id", "c.post_count", "c.follower_count"])
      .select(["f.user_id as followed_by", "u.avatar_url", "u.banner_url", "u.bio", "u.role"])
      .select(profileName("u").as("display_name"))
      .select(["u.display_name_is_ai", "u.bio_is_ai", "u.avatar_is_ai", "u.banner_is_ai", "u.links_is_ai"])
      .select("u.created_at as joined_at")
      .select((eb) =>
        eb
          .selectFrom("pinned_posts as pin")
          .innerJoin("posts as p", "p.id", "pin.post_id")
          .select("p.id")
          .whereRef("pin.user_id", "=", "c.user_id")
          .where("p.removed", "=", 0)
          .as("pinned"),
      )
      .select(
        sql<
          number | null
        >`(select p.id from posts p where p.creator_id = c.id and p.archived = 1 limit 1)`.as(
          "archived_post",
        ),
      )
      .select(operatorColumns)
      .where("c.platform", "=", platform)
      .where("c.author_key", "=", key)
      .compile(),
);
