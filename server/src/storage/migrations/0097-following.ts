import { sql } from "kysely";
import { fromFragment } from "../post-fragment.ts";
import { tagKeysOf } from "../post-tags.ts";
import type { Db } from "../storage.ts";

/** Hashtags of this many latest posts are found by their followers. The feed shows the newest first, so earlier ones don't matter. */
const TAGGED_POSTS = 20_000;
const BATCH = 500;

/** Followed hashtags and communities, and saved searches. Members follow their communities. */
export async function following(db: Db): Promise<void> {
  const { id, integer, clustered } = db.engine.types;
  await db.schema
    .createTable("post_tags")
    .addColumn("tag", "text", (c) => c.notNull())
    .addColumn("post_id", integer, (c) => c.notNull().references("posts.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("post_tags_key", ["tag", "post_id"])
    .modifyEnd(clustered)
    .execute();
  await db.schema.createIndex("post_tags_post").on("post_tags").columns(["post_id", "tag"]).execute();
  await db.schema
    .createTable("tag_follows")
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("tag", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("tag_follows_key", ["user_id", "tag"])
    .modifyEnd(clustered)
    .execute();
  await db.schema
    .createTable("community_follows")
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("platform", "text", (c) => c.notNull())
    .addColumn("community_key", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("community_follows_key", ["user_id", "platform", "community_key"])
    .modifyEnd(clustered)
    .execute();
  await db.schema
    .createTable("saved_searches")
    .addColumn("id", id)
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("query", "text", (c) => c.notNull())
    .addColumn("seen_upto", integer, (c) => c.notNull())
    .addColumn("created_at", integer, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("saved_searches_of").on("saved_searches").columns(["user_id", "id"]).execute();
  for (const column of ["followed_tags", "followed_communities"])
    await db.schema
      .alterTable("users")
      .addColumn(column, integer, (c) => c.notNull().defaultTo(0))
      .execute();
  // Apart from posts of communities of the same name elsewhere, of which there may be very many.
  await db.schema
    .createIndex("posts_platform_community_id")
    .on("posts")
    .expression(sql`platform, community_key, (id + 0)`)
    .where(sql<boolean>`community_key is not null`)
    .execute();
  await followJoined(db);
  await tagLatest(db);
}

async function followJoined(db: Db): Promise<void> {
  await sql`
    insert into community_follows (user_id, platform, community_key, name)
    select m.user_id, 'native', c.name, c.name from community_members m join communities c on c.id = m.community_id
    where m.role <> 'banned'`.execute(db);
  await sql`
    update users set followed_communities = (select count(*) from community_follows f where f.user_id = users.id)
    where id in (select user_id from community_follows)`.execute(db);
}

async function tagLatest(db: Db): Promise<void> {
  let below = Number.MAX_SAFE_INTEGER;
  for (let read = 0; read < TAGGED_POSTS; read += BATCH) {
    const { rows } = await sql<{ id: number; fragment: string }>`
      select id, fragment from posts where id < ${below} order by id desc limit ${BATCH}`.execute(db);
    const tags = rows.flatMap(({ id, fragment }) =>
      tagKeysOf(fromFragment(fragment)).map((tag) => ({ tag, post_id: id })),
    );
    if (tags.length > 0) await db.insertInto("post_tags").values(tags).execute();
    if (rows.length < BATCH) break;
    below = rows.at(-1)?.id ?? 0;
  }
}
