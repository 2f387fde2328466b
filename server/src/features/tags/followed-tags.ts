import { limits } from "@tandem/contract/limits";
import { sql } from "kysely";
import { changedNothing } from "../../http/activity.ts";
import { invalid } from "../../http/api-error.ts";
import type { Call, Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { tagIn, tagKey } from "../shared/muted-text.ts";

/* Followed hashtags concern only the account that follows them. */

export const followedTags = {
  async listFollowedTags({ read, caller }) {
    const rows = await read
      .selectFrom("tag_follows")
      .select("name")
      .where("user_id", "=", caller.userId)
      .execute();
    return { tags: rows.sort((a, b) => a.name.localeCompare(b.name)) };
  },
  followTag: (ctx, { tag }) => ctx.write((tx) => follow(ctx, tx, tag)),
  unfollowTag: (ctx, { tag }) => ctx.write((tx) => unfollow(ctx, tx, tag)),
} satisfies Handlers<"listFollowedTags" | "followTag" | "unfollowTag">;

/** A hashtag as it was sent, without its `#`. Throws `invalid_input`. */
function nameOf(tag: string): string {
  const name = tagIn(tag);
  if (name === null || name.length > limits.tag || tagKey(name).length > limits.tag)
    throw invalid(
      "tag",
      `A tag is letters, digits and _, at least one of them a letter, and at most ${limits.tag} characters.`,
    );
  return name;
}

async function follow({ caller: { userId } }: Call, tx: Db, tag: string) {
  const name = nameOf(tag);
  await lockAccount(tx, userId);
  const response = { following: true };
  if (!(await insertTagFollow(tx, userId, name))) return changedNothing(response);
  const tooMany = await tx
    .selectFrom("tag_follows")
    .select("tag")
    .where("user_id", "=", userId)
    .limit(1)
    .offset(limits.followedTags)
    .executeTakeFirst();
  if (tooMany)
    throw invalid("tag", `You can follow at most ${limits.followedTags} hashtags. Unfollow one first.`);
  await countFollowed(tx, userId);
  return response;
}

/** Adds a hashtag to those that an account follows. Returns whether it is new. Call {@link countFollowed} afterwards. */
export async function insertTagFollow(tx: Db, userId: number, name: string): Promise<boolean> {
  const added = await tx
    .insertInto("tag_follows")
    .values({ user_id: userId, tag: tagKey(name), name })
    .onConflict((conflict) => conflict.doNothing())
    .returning("tag")
    .execute();
  return added.length > 0;
}

async function unfollow({ caller: { userId } }: Call, tx: Db, tag: string) {
  const response = { following: false };
  return (await unfollowTags(tx, [nameOf(tag)], userId)) > 0 ? response : changedNothing(response);
}

/** Removes an account's follows of these hashtags; returns how many there were. */
export async function unfollowTags(tx: Db, names: readonly string[], userId: number): Promise<number> {
  if (names.length === 0) return 0;
  await lockAccount(tx, userId);
  const { numDeletedRows } = await tx
    .deleteFrom("tag_follows")
    .where("user_id", "=", userId)
    .where("tag", "in", names.map(tagKey))
    .executeTakeFirst();
  if (numDeletedRows > 0n) await countFollowed(tx, userId);
  return Number(numDeletedRows);
}

/** Counts the hashtags that an account follows, so that the feeds of those who follow none needn't look. */
export async function countFollowed(tx: Db, userId: number): Promise<void> {
  await sql`
    update users set followed_tags = (select count(*) from tag_follows f where f.user_id = users.id)
    where id = ${userId}`.execute(tx);
}
