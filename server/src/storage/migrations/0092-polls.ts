import type { Db } from "../storage.ts";

/**
 * Polls. What a poll asks is in its post's fragment; here are only its votes and their counts. Positions of options count from 0 and have
 * one digit. `choices` is a list of them, as JSON. `by_ai`: whether a key or agent voted.
 */
export async function polls(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .createTable("polls")
    .addColumn("post_id", integer, (c) => c.primaryKey().references("posts.id").onDelete("cascade"))
    .addColumn("voter_count", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("ai_voter_count", integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("poll_options")
    .addColumn("post_id", integer, (c) => c.notNull().references("polls.post_id").onDelete("cascade"))
    .addColumn("position", integer, (c) => c.notNull())
    .addColumn("vote_count", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("ai_vote_count", integer, (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("poll_options_key", ["post_id", "position"])
    .execute();
  await db.schema
    .createTable("poll_votes")
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("post_id", integer, (c) => c.notNull().references("polls.post_id").onDelete("cascade"))
    .addColumn("choices", "text", (c) => c.notNull())
    .addColumn("by_ai", integer, (c) => c.notNull())
    .addColumn("voted_at", integer, (c) => c.notNull())
    .addPrimaryKeyConstraint("poll_votes_key", ["user_id", "post_id"])
    .execute();
  await db.schema.createIndex("poll_votes_by_post").on("poll_votes").columns(["post_id"]).execute();
}
