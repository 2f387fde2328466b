import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** Sign-ups that wait for approval, invitations, and the inviter of each account. */
export async function registration(db: Db): Promise<void> {
  await signUpRequests(db);
  await invitations(db);
  await mailsWithoutAccount(db);
  await db.schema
    .createTable("sign_up_key")
    .addColumn("id", db.engine.types.integer, (c) => c.primaryKey())
    .addColumn("secret", "text", (c) => c.notNull())
    .execute();
}

async function signUpRequests(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("sign_up_requests")
    .addColumn("id", id)
    .addColumn("username", "text", (c) => c.notNull())
    .addColumn("username_key", "text", (c) => c.notNull().unique())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("email_key", "text", (c) => c.notNull().unique())
    .addColumn("email_verified", integer, (c) => c.notNull())
    .addColumn("password_hash", "text")
    .addColumn("display_name", "text")
    .addColumn("provider", "text")
    .addColumn("subject", "text")
    .addColumn("reason", "text")
    .addColumn("created_at", integer, (c) => c.notNull())
    .addUniqueConstraint("sign_up_requests_identity", ["provider", "subject"])
    .execute();
  await db.schema
    .createIndex("sign_up_requests_created")
    .on("sign_up_requests")
    .column("created_at")
    .execute();
}

async function invitations(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("invitations")
    .addColumn("id", id)
    .addColumn("user_id", integer, (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("by_admin", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("code", "text", (c) => c.notNull().unique())
    .addColumn("uses", integer, (c) => c.notNull())
    .addColumn("used", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("expires_at", integer, (c) => c.notNull())
    .addColumn("created_at", integer, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("invitations_user").on("invitations").columns(["user_id", "id"]).execute();
  await db.schema.createIndex("invitations_expiring").on("invitations").column("expires_at").execute();
  await db.schema
    .alterTable("users")
    .addColumn("invited_by", integer, (c) => c.references("users.id").onDelete("set null"))
    .execute();
  await db.schema
    .createIndex("users_invited")
    .on("users")
    .column("invited_by")
    .where(sql<boolean>`invited_by is not null`)
    .execute();
}

/** Mails to people whose sign-up was refused: they have no account. SQLite can't drop a column's `not null`. */
async function mailsWithoutAccount(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  const columns = sql.raw("kind, address, attempts, due_at, holder, lease_ends_at");
  await db.schema.alterTable("mails").renameTo("mails_before").execute();
  await db.schema.dropIndex("mails_due").execute();
  await db.schema.dropIndex("mails_user").execute();
  await db.schema
    .createTable("mails")
    .addColumn("id", id)
    .addColumn("user_id", integer, (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("username", "text")
    .addColumn("note", "text")
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("address", "text", (c) => c.notNull())
    .addColumn("attempts", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("due_at", integer, (c) => c.notNull())
    .addColumn("holder", "text")
    .addColumn("lease_ends_at", integer)
    .execute();
  await sql`insert into mails (user_id, ${columns}) select user_id, ${columns} from mails_before order by id`.execute(
    db,
  );
  await db.schema.dropTable("mails_before").execute();
  await db.schema.createIndex("mails_due").on("mails").columns(["due_at", "id"]).execute();
  await db.schema.createIndex("mails_user").on("mails").column("user_id").execute();
}
