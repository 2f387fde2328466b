import type { ColumnDefinitionBuilder, CreateTableBuilder } from "kysely";
import { sql } from "kysely";
import type { Db } from "../storage.ts";

type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

const required: Column = (c) => c.notNull();
const zero: Column = (c) => c.notNull().defaultTo(0);
const user: Column = (c) => c.notNull().references("users.id").onDelete("cascade");
const conversation: Column = (c) => c.notNull().references("conversations.id").onDelete("cascade");

/** Blocks, friends and messages. */
export async function betweenPeople(db: Db): Promise<void> {
  await blocks(db);
  await friends(db);
  await messages(db);
}

/** Each block is two rows, one from either side, so that a check is one lookup by the caller's id. */
async function blocks(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await clustered(db, "blocks", ["user_id", "other_id"], (t) =>
    t
      .addColumn("user_id", integer, user)
      .addColumn("other_id", integer, user)
      .addColumn("blocked_at", integer),
  );
  await index(db, "blocks", ["other_id"]);
  await db.schema.alterTable("users").addColumn("has_blocks", integer, zero).execute();
  // Only the rows of accounts that block, for the list of blocked accounts.
  await index(db, "blocks", ["user_id", "other_id"], "blocked_at is not null");
}

async function friends(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await clustered(db, "friendships", ["user_id", "friend_id"], (t) =>
    t
      .addColumn("user_id", integer, user)
      .addColumn("friend_id", integer, user)
      .addColumn("since", integer, required),
  );
  await index(db, "friendships", ["friend_id"]);
  await db.schema
    .createTable("friend_requests")
    .addColumn("id", id)
    .addColumn("from_id", integer, user)
    .addColumn("to_id", integer, user)
    .addColumn("created_at", integer, required)
    .addUniqueConstraint("friend_requests_once", ["from_id", "to_id"])
    .execute();
  await index(db, "friend_requests", ["from_id", "id"]);
  await index(db, "friend_requests", ["to_id", "id"]);
  await clustered(db, "friend_declines", ["from_id", "to_id"], (t) =>
    t
      .addColumn("from_id", integer, user)
      .addColumn("to_id", integer, user)
      .addColumn("ends_at", integer, required),
  );
  await index(db, "friend_declines", ["to_id"]);
  await index(db, "friend_declines", ["ends_at"]);
}

/**
 * A conversation has two sides. Each belongs to an account and is deleted with it. Messages reference a side instead of
 * an account, so that they outlive their author.
 */
async function messages(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("conversations")
    .addColumn("id", id)
    .addColumn("answered", integer, zero)
    .addColumn("created_at", integer, required)
    .execute();
  await db.schema
    .createTable("messages")
    .addColumn("id", id)
    .addColumn("conversation_id", integer, conversation)
    .addColumn("side", integer, required)
    .addColumn("body", "text", required)
    .addColumn("is_ai", integer, required)
    .addColumn("created_at", integer, required)
    .execute();
  await index(db, "messages", ["conversation_id", "id"]);
  await clustered(db, "conversation_sides", ["conversation_id", "side"], (t) =>
    t
      .addColumn("conversation_id", integer, conversation)
      .addColumn("side", integer, required)
      .addColumn("user_id", integer, user)
      .addColumn("other_id", integer, (c) => c.references("users.id").onDelete("set null"))
      .addColumn("last_id", integer, required)
      .addColumn("unread", integer, zero)
      .addUniqueConstraint("conversation_sides_once", ["user_id", "other_id"]),
  );
  await index(db, "conversation_sides", ["user_id", "last_id"]);
  await index(db, "conversation_sides", ["other_id"]);
}

type Table = CreateTableBuilder<string, string>;

/** A table stored in primary key order, on SQLite. */
async function clustered(
  db: Db,
  name: string,
  key: string[],
  columns: (table: Table) => Table,
): Promise<void> {
  await columns(db.schema.createTable(name) as Table)
    .addPrimaryKeyConstraint(`${name}_key`, key as never[])
    .modifyEnd(db.engine.types.clustered)
    .execute();
}

async function index(db: Db, table: string, columns: string[], where?: string): Promise<void> {
  const all = db.schema
    .createIndex([table, ...columns].join("_"))
    .on(table)
    .columns(columns);
  await (where ? all.where(sql.raw<boolean>(where)) : all).execute();
}
