import type { ColumnDefinitionBuilder, CreateTableBuilder } from "kysely";
import { sql } from "kysely";
import { REMOVED_CREATOR } from "../removed.ts";
import type { Db } from "../storage.ts";

type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

const required: Column = (c) => c.notNull();
const zero: Column = (c) => c.notNull().defaultTo(0);

/**
 * Moderation: reports and their cases, decisions and appeals, suspensions, blocked link hosts and an append-only audit
 * log. Removed posts move out of the ranges that feeds read.
 */
export async function moderation(db: Db): Promise<void> {
  await removable(db);
  await decisions(db);
  await reports(db);
  await audit(db);
  await links(db);
}

async function removable(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  for (const table of ["posts", "comments"]) {
    await db.schema.alterTable(table).addColumn("removed", integer, zero).execute();
    await db.schema.alterTable(table).addColumn("made_with", integer).execute();
  }
  await db.schema.alterTable("users").addColumn("suspended_until", integer).execute();
  const nobody = { platform: "removed", author: "", author_key: "" };
  const none = { post_count: 0, view_count: 0, like_count: 0, comment_count: 0, click_count: 0 };
  await sql`insert into creators (id, ${sql.join(Object.keys({ ...nobody, ...none }).map((name) => sql.ref(name)))})
    values (${sql.lit(REMOVED_CREATOR)}, ${sql.join(Object.values({ ...nobody, ...none }).map((value) => sql.lit(value)))})`.execute(
    db,
  );
  await table(db, "removed_posts", (t) =>
    t
      .addColumn("post_id", integer, (c) => c.primaryKey().references("posts.id").onDelete("cascade"))
      .addColumn("creator_id", integer, (c) => c.notNull().references("creators.id").onDelete("cascade"))
      .addColumn("source_id", integer)
      .addColumn("story", "text")
      .addColumn("item_key", "text"),
  );
  for (const column of ["creator_id", "source_id"]) await index(db, "removed_posts", [column]);
  // The feed of all posts scans this index; duplicates and removed posts are null in it, so it skips any number of them.
  await db.schema
    .createIndex("posts_shown")
    .on("posts")
    .expression(sql`(case when story_rest = 0 then id end)`)
    .execute();
  await db.schema
    .createIndex("users_by_name")
    .on("users")
    .expression(sql`(username_key ${db.engine.binaryCollation})`)
    .execute();
  await index(db, "users", ["role", "id"]);
  await partial(db, "users_suspended", "users", ["suspended_until", "id"], sql`suspended_until is not null`);
}

async function decisions(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await table(db, "decisions", (t) =>
    t
      .addColumn("id", id)
      .addColumn("act", "text", required)
      .addColumn("user_id", integer, (c) => c.references("users.id").onDelete("cascade"))
      .addColumn("post_id", integer)
      .addColumn("comment_id", integer)
      .addColumn("excerpt", "text", required)
      .addColumn("reason", "text", required)
      .addColumn("automated", integer, required)
      .addColumn("key_id", integer)
      .addColumn("until_at", integer)
      .addColumn("created_at", integer, required)
      .addColumn("undone_at", integer)
      .addColumn("appeal", "text")
      .addColumn("appealed_at", integer)
      .addColumn("answer", "text")
      .addColumn("answered_at", integer)
      .addColumn("accepted", integer),
  );
  await index(db, "decisions", ["user_id", "id"]);
  const stands = sql`undone_at is null`;
  for (const column of ["post_id", "comment_id"])
    await partial(db, `decisions_${column}`, "decisions", [column], sql`${sql.ref(column)} is not null`);
  await partial(db, "decisions_suspending", "decisions", ["user_id"], sql`act = 'suspend' and ${stands}`);
  await partial(
    db,
    "decisions_appealed",
    "decisions",
    ["id"],
    sql`appealed_at is not null and answered_at is null`,
  );
  await db.schema.alterTable("notifications").addColumn("decision_id", integer).execute();
}

async function reports(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await table(db, "report_cases", (t) =>
    t
      .addColumn("id", id)
      .addColumn("kind", "text", required)
      .addColumn("target_id", integer, required)
      .addColumn("state", "text", required)
      .addColumn("outcome", "text")
      .addColumn("reports", integer, zero)
      .addColumn("recent", integer, zero)
      .addColumn("recent_since", integer, required)
      .addColumn("created_at", integer, required)
      .addColumn("newest_at", integer, required)
      .addColumn("resolved_at", integer),
  );
  await index(db, "report_cases", ["state", "id"]);
  await index(db, "report_cases", ["state", "kind", "id"]);
  await index(db, "report_cases", ["kind", "target_id", "id"]);
  await db.schema
    .createIndex("report_cases_open")
    .on("report_cases")
    .columns(["kind", "target_id"])
    .where(sql<boolean>`state = 'open'`)
    .unique()
    .execute();
  await table(db, "reports", (t) =>
    t
      .addColumn("id", id)
      .addColumn("case_id", integer, (c) => c.notNull().references("report_cases.id").onDelete("cascade"))
      .addColumn("reporter_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("reason", "text", required)
      .addColumn("note", "text")
      .addColumn("created_at", integer, required)
      .addUniqueConstraint("reports_once", ["case_id", "reporter_id"]),
  );
  for (const column of ["reporter_id", "case_id"]) await index(db, "reports", [column, "id"]);
}

async function audit(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await table(db, "audit_log", (t) =>
    t
      .addColumn("id", integer, (c) => c.primaryKey())
      .addColumn("at", integer, required)
      .addColumn("actor_id", integer)
      .addColumn("actor", "text", required)
      .addColumn("act", "text", required)
      .addColumn("target", "text")
      .addColumn("detail", "text", required)
      .addColumn("before", "text", required)
      .addColumn("hash", "text", required),
  );
  await partial(db, "audit_log_actor", "audit_log", ["actor_id", "id"], sql`actor_id is not null`);
  await partial(db, "audit_log_target", "audit_log", ["target", "id"], sql`target is not null`);
  await db.engine.forbidChanges(db, "audit_log");
}

async function links(db: Db): Promise<void> {
  const { integer, clustered } = db.engine.types;
  await db.schema
    .createTable("denied_links")
    .addColumn("host", "text", (c) => c.notNull().primaryKey())
    .addColumn("reason", "text")
    .addColumn("created_at", integer, required)
    .modifyEnd(clustered)
    .execute();
  await db.schema
    .createTable("day_counts")
    .addColumn("day", integer, required)
    .addColumn("what", "text", required)
    .addColumn("shard", integer, required)
    .addColumn("counted", integer, required)
    .addPrimaryKeyConstraint("day_counts_key", ["day", "what", "shard"])
    .modifyEnd(clustered)
    .execute();
}

type Table = CreateTableBuilder<string, string>;

async function table(db: Db, name: string, columns: (table: Table) => Table): Promise<void> {
  await columns(db.schema.createTable(name) as Table).execute();
}

async function index(db: Db, name: string, columns: string[]): Promise<void> {
  await db.schema
    .createIndex([name, ...columns].join("_"))
    .on(name)
    .columns(columns)
    .execute();
}

async function partial(
  db: Db,
  name: string,
  on: string,
  columns: string[],
  where: ReturnType<typeof sql>,
): Promise<void> {
  await db.schema.createIndex(name).on(on).columns(columns).where(sql<boolean>`${where}`).execute();
}
