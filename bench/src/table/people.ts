import { readConfig } from "@tandem/server/config";
import { insertRows } from "@tandem/server/storage/bulk";
import { openStorage } from "@tandem/server/storage/open";
import type { Db } from "@tandem/server/storage/storage";
import { addBulkUsers, type BulkUser, openSessions } from "@tandem/testing/bulk-users";
import type { World } from "./world.ts";

/** Callers, by the `Cookie` headers of their sessions, and what they look at, by ids: the newest posts first. */
export interface People {
  /** People of the demo data, with the likes and follows that they have there. */
  readers: string[];
  /** People who follow 50 creators each. */
  followers: string[];
  /** People without anything. */
  writers: BulkUser[];
  posts: number[];
  /** Posts written on this server, so that liking one notifies someone. */
  ownPosts: number[];
  /** Posts with at least {@link COMMENTS} comments. */
  discussed: number[];
}

export const COMMENTS = 30;
const READERS = 800;
const FOLLOWERS = 100;
const FOLLOWS = 50;
const WRITERS = 64;
const POSTS = 10_000;

/** Adds callers to the world, whose service isn't running yet. */
export async function addPeople({ env }: World): Promise<People> {
  const storage = await openStorage(readConfig(env));
  const [followers, writers] = [await addBulkUsers(storage, FOLLOWERS), await addBulkUsers(storage, WRITERS)];
  const people = await storage.write(async (tx) => {
    await follow(tx, followers.map(idOf));
    const newest = tx.selectFrom("posts").orderBy("id", "desc").limit(POSTS);
    const posts = await newest.select("id").execute();
    const own = await newest.where("platform", "=", "native").select("id").execute();
    const discussed = await newest.where("comment_count", ">=", COMMENTS).select("id").execute();
    const readers = await tx
      .selectFrom("users")
      .where("operator_id", "is", null)
      .where("password_hash", "is not", null)
      .orderBy("id")
      .limit(READERS)
      .select("id")
      .execute();
    return {
      readers: await openSessions(tx, readers.map(idOf)),
      posts: posts.map(idOf),
      ownPosts: own.map(idOf),
      discussed: discussed.map(idOf),
    };
  });
  await storage.close();
  return { ...people, followers: followers.map(({ cookie }) => cookie), writers };
}

function idOf({ id }: { id: number }): number {
  return id;
}

/** Lets each follow others of the creators with the most posts. */
async function follow(tx: Db, users: number[]): Promise<void> {
  const creators = await tx
    .selectFrom("creators")
    .orderBy("post_count", "desc")
    .limit(8 * FOLLOWS)
    .select("id")
    .execute();
  const rows = users.flatMap((user_id, i) =>
    Array.from({ length: FOLLOWS }, (_, k) => ({
      user_id,
      creator_id: creators[(7 * i + 8 * k) % creators.length]?.id ?? 0,
    })),
  );
  await insertRows(tx, "follows", rows);
}
