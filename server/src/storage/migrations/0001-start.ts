import type { ColumnDefinitionBuilder, CreateTableBuilder } from "kysely";
import { sql } from "kysely";
import type { Db } from "../storage.ts";

type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

const required: Column = (c) => c.notNull();
const zero: Column = (c) => c.notNull().defaultTo(0);
const owned =
  (target: string): Column =>
  (c) =>
    c.notNull().references(target).onDelete("cascade");

/** The first schema: accounts, posts and everything that belongs to them. */
export async function start(db: Db): Promise<void> {
  await accounts(db);
  await posts(db);
  await engagement(db);
  await shop(db);
  await db.engine.createSearch(db);
}

async function accounts(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("users")
    .addColumn("id", id)
    .addColumn("username", "text", required)
    .addColumn("username_key", "text", (c) => c.notNull().unique())
    .addColumn("email", "text", required)
    .addColumn("email_key", "text", (c) => c.notNull().unique())
    .addColumn("password_hash", "text")
    .addColumn("display_name", "text")
    .addColumn("avatar_url", "text")
    .addColumn("bio", "text")
    .addColumn("role", "text", required)
    .addColumn("operator_id", integer, (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("unread", integer, zero)
    .addColumn("read_upto", integer, zero)
    .addColumn("created_at", integer, required)
    .execute();
  await index(db, "users", "operator_id");
  await clustered(db, "identities", ["provider", "subject"], (t) =>
    t
      .addColumn("provider", "text", required)
      .addColumn("subject", "text", required)
      .addColumn("user_id", integer, owned("users.id")),
  );
  await index(db, "identities", "user_id");
  await db.schema
    .createTable("sessions")
    .addColumn("id", id)
    .addColumn("token_hash", "text", (c) => c.notNull().unique())
    .addColumn("user_id", integer, owned("users.id"))
    .addColumn("created_at", integer, required)
    .addColumn("expires_at", integer, required)
    .execute();
  await index(db, "sessions", "user_id");
  await index(db, "sessions", "expires_at");
  await db.schema
    .createTable("keys")
    .addColumn("id", id)
    .addColumn("owner_id", integer, owned("users.id"))
    .addColumn("user_id", integer, owned("users.id"))
    .addColumn("name", "text", required)
    .addColumn("hint", "text", required)
    .addColumn("hash", "text", (c) => c.notNull().unique())
    .addColumn("scopes", "text", required)
    .addColumn("tier", "text", required)
    .addColumn("strikes", integer, zero)
    .addColumn("accepted_writes", integer, zero)
    .addColumn("created_at", integer, required)
    .addColumn("last_used_at", integer)
    .execute();
  await index(db, "keys", "owner_id");
  await index(db, "keys", "user_id");
  await clustered(db, "quota_windows", ["holder", "quota"], (t) =>
    t
      .addColumn("holder", "text", required)
      .addColumn("quota", "text", required)
      .addColumn("started_at", integer, required)
      .addColumn("ends_at", integer, required)
      .addColumn("used", integer, required),
  );
  await index(db, "quota_windows", "ends_at");
  await clustered(db, "idempotency", ["holder", "key"], (t) =>
    t
      .addColumn("holder", "text", required)
      .addColumn("key", "text", required)
      .addColumn("fingerprint", "text", required)
      .addColumn("answer", "text", required)
      .addColumn("created_at", integer, required),
  );
  await index(db, "idempotency", "created_at");
  await clustered(db, "nonces", ["hash"], (t) =>
    t.addColumn("hash", "text", required).addColumn("expires_at", integer, required),
  );
  await index(db, "nonces", "expires_at");
}

async function posts(db: Db): Promise<void> {
  const { id, integer, real } = db.engine.types;
  await db.schema
    .createTable("creators")
    .addColumn("id", id)
    .addColumn("platform", "text", required)
    .addColumn("author", "text", required)
    .addColumn("author_key", "text", required)
    .addColumn("user_id", integer, (c) => c.unique().references("users.id").onDelete("cascade"))
    .addColumn("post_count", integer, zero)
    .addColumn("view_count", integer, zero)
    .addColumn("like_count", integer, zero)
    .addColumn("comment_count", integer, zero)
    .addColumn("click_count", integer, zero)
    .addUniqueConstraint("creators_by_name", ["platform", "author_key"])
    .execute();
  await index(db, "creators", "author_key");
  await index(db, "creators", "post_count", "id");
  await db.schema
    .createTable("sources")
    .addColumn("id", id)
    .addColumn("platform", "text", required)
    .addColumn("name", "text", required)
    .addColumn("community", "text")
    .execute();
  await db.schema
    .createTable("posts")
    .addColumn("id", id)
    .addColumn("creator_id", integer, owned("creators.id"))
    .addColumn("platform", "text", required)
    .addColumn("source_id", integer, (c) => c.references("sources.id").onDelete("cascade"))
    .addColumn("community_key", "text")
    .addColumn("media_type", "text", required)
    .addColumn("provenance", "text", required)
    .addColumn("origin_score", integer, zero)
    .addColumn("like_count", integer, zero)
    .addColumn("comment_count", integer, zero)
    .addColumn("view_count", integer, zero)
    .addColumn("click_count", integer, zero)
    .addColumn("hot_rank", real, required)
    .addColumn("posted_at", integer, required)
    .addColumn("fragment", "text", required)
    .execute();
  await postIndexes(db);
  await texts(db, "post_texts", "post_id", "posts.id");
  await texts(db, "creator_texts", "creator_id", "creators.id");
}

/** A table of searchable texts. */
async function texts(db: Db, table: string, key: string, target: string): Promise<void> {
  await db.schema
    .createTable(table)
    .addColumn(key, db.engine.types.integer, (c) => c.primaryKey().references(target).onDelete("cascade"))
    .addColumn("folded", "text", required)
    .execute();
}

/** Each feed filter has an index for each order, so that a page costs the same however many posts there are. */
async function postIndexes(db: Db): Promise<void> {
  await index(db, "posts", "hot_rank", "id");
  for (const column of ["creator_id", "platform", "provenance"]) {
    await index(db, "posts", column, "id");
    await index(db, "posts", column, "hot_rank", "id");
  }
  await index(db, "posts", "creator_id", "view_count", "id");
  // Partial, because most posts have no source, no community and no video.
  for (const column of ["source_id", "community_key"] as const) {
    await partialIndex(db, column, sql`${sql.ref(column)} is not null`);
  }
  await partialIndex(db, "media_type", sql`media_type = 'video'`);
  // Without this, the videos of a platform that has none would be a scan of all videos.
  await partialIndex(db, "platform", sql`media_type = 'video'`, "video_platform");
}

async function partialIndex(
  db: Db,
  column: string,
  condition: ReturnType<typeof sql<boolean>>,
  name: string = column,
): Promise<void> {
  for (const order of [["id"], ["hot_rank", "id"]]) {
    await db.schema
      .createIndex(["posts", name, ...order].join("_"))
      .on("posts")
      .columns([column, ...order])
      .where(condition)
      .execute();
  }
}

async function engagement(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  for (const table of ["post_likes", "post_saves", "dismissals"]) {
    await clustered(db, table, ["user_id", "post_id"], (t) =>
      t.addColumn("user_id", integer, owned("users.id")).addColumn("post_id", integer, owned("posts.id")),
    );
    await index(db, table, "post_id");
  }
  await db.schema
    .createTable("comments")
    .addColumn("id", id)
    .addColumn("post_id", integer, owned("posts.id"))
    .addColumn("user_id", integer, (c) => c.references("users.id").onDelete("set null"))
    .addColumn("parent_id", integer, (c) => c.references("comments.id"))
    .addColumn("body", "text", required)
    .addColumn("is_ai", integer, required)
    .addColumn("like_count", integer, zero)
    .addColumn("reply_count", integer, zero)
    .addColumn("deleted", integer, zero)
    .addColumn("created_at", integer, required)
    .addColumn("edited_at", integer)
    .execute();
  await index(db, "comments", "post_id", "id");
  await index(db, "comments", "user_id", "id");
  await index(db, "comments", "parent_id");
  await clustered(db, "comment_likes", ["user_id", "comment_id"], (t) =>
    t.addColumn("user_id", integer, owned("users.id")).addColumn("comment_id", integer, owned("comments.id")),
  );
  await index(db, "comment_likes", "comment_id");
  await clustered(db, "follows", ["user_id", "creator_id"], (t) =>
    t.addColumn("user_id", integer, owned("users.id")).addColumn("creator_id", integer, owned("creators.id")),
  );
  await index(db, "follows", "creator_id");
  await db.schema
    .createTable("notifications")
    .addColumn("id", id)
    .addColumn("user_id", integer, owned("users.id"))
    .addColumn("type", "text", required)
    .addColumn("actor_id", integer, owned("users.id"))
    .addColumn("post_id", integer, (c) => c.references("posts.id").onDelete("cascade"))
    .addColumn("comment_id", integer, (c) => c.references("comments.id").onDelete("cascade"))
    .addColumn("created_at", integer, required)
    .execute();
  await index(db, "notifications", "user_id", "id");
  // Finds the notifications of an action when it is undone.
  await index(db, "notifications", "actor_id", "type", "post_id", "comment_id");
  for (const column of ["post_id", "comment_id"]) await index(db, "notifications", column);
}

async function shop(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("products")
    .addColumn("id", id)
    .addColumn("user_id", integer, owned("users.id"))
    .addColumn("title", "text", required)
    .addColumn("url", "text", required)
    .addColumn("image_url", "text")
    .addColumn("price", "text")
    .addColumn("category", "text")
    .addColumn("created_at", integer, required)
    .execute();
  await index(db, "products", "user_id", "id");
  await clustered(db, "post_products", ["post_id", "product_id"], (t) =>
    t
      .addColumn("post_id", integer, owned("posts.id"))
      .addColumn("product_id", integer, owned("products.id"))
      .addColumn("position", integer, required),
  );
  await index(db, "post_products", "product_id");
  await clustered(db, "product_clicks", ["product_id", "day", "post_id"], (t) =>
    t
      .addColumn("product_id", integer, owned("products.id"))
      .addColumn("day", integer, required)
      .addColumn("post_id", integer, required)
      .addColumn("clicks", integer, required),
  );
  await clustered(db, "lives", ["user_id"], (t) =>
    t
      .addColumn("user_id", integer, owned("users.id"))
      .addColumn("title", "text", required)
      .addColumn("started_at", integer, required),
  );
  await index(db, "lives", "started_at");
}

type Table = CreateTableBuilder<string, string>;

/** A table stored in primary key order, on SQLite. */
async function clustered(
  db: Db,
  name: string,
  key: string[],
  columns: (table: Table) => Table,
): Promise<void> {
  const table = columns(db.schema.createTable(name) as unknown as Table);
  await table
    .addPrimaryKeyConstraint(`${name}_key`, key as never[])
    .modifyEnd(db.engine.types.clustered)
    .execute();
}

async function index(db: Db, table: string, ...columns: string[]): Promise<void> {
  await db.schema
    .createIndex([table, ...columns].join("_"))
    .on(table)
    .columns(columns)
    .execute();
}
