import type { Collection } from "@tandem/contract/collections";
import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { changedNothing } from "../../http/activity.ts";
import { invalid, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Call, Handlers } from "../../http/context.ts";
import type { CollectionRow } from "../../storage/schema/collections.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { inOneLine } from "../shared/line.ts";
import { lockPost } from "./posts.queries.ts";

/*
 * Collections concern only the account that makes them. What is in one is saved, too: adding a post saves it, and whatever unsaves a post
 * takes it out of all collections. Changing a collection locks the account. Unsaving or deleting a post doesn't: adding it locks the post
 * and the row that saves it.
 */

export const collections = {
  async listCollections({ read, caller }, { postId }) {
    const rows = await selectCollections(read)
      .select((eb) =>
        eb
          .exists(
            eb
              .selectFrom("collection_posts as p")
              .select("p.id")
              .whereRef("p.collection_id", "=", "collections.id")
              .where("p.post_id", "=", postId ?? 0),
          )
          .as("includes"),
      )
      .where("user_id", "=", caller.userId)
      .execute();
    const shown = rows.map((row) => asCollection(row, postId === undefined ? null : Boolean(row.includes)));
    return { collections: shown.sort((a, b) => a.name.localeCompare(b.name)) };
  },
  readCollection: async (ctx, { id }) => ({
    collection: asCollection(await findOwnCollection(ctx.read, id, ctx)),
  }),
  createCollection: (ctx, { name }) => ctx.write((tx) => create(ctx, tx, name)),
  renameCollection: (ctx, input) => ctx.write((tx) => rename(ctx, tx, input)),
  deleteCollection: (ctx, { id }) => ctx.write((tx) => remove(ctx, tx, id)),
  addToCollection: (ctx, input) => ctx.write((tx) => add(ctx, tx, input)),
  removeFromCollection: (ctx, input) => ctx.write((tx) => takeOut(ctx, tx, input)),
} satisfies Handlers<
  | "listCollections"
  | "readCollection"
  | "createCollection"
  | "renameCollection"
  | "deleteCollection"
  | "addToCollection"
  | "removeFromCollection"
>;

type Shown = Pick<Selectable<CollectionRow>, "id" | "name" | "post_count" | "created_at">;

/** A collection of the caller's. Throws `not_found`. */
export async function findOwnCollection(
  db: Db,
  id: number,
  { caller }: { caller: Pick<Caller, "userId"> },
): Promise<Shown> {
  const collection = await selectCollections(db)
    .where("id", "=", id)
    .where("user_id", "=", caller.userId)
    .executeTakeFirst();
  if (!collection) throw notFound("collection in your account");
  return collection;
}

function selectCollections(db: Db) {
  return db
    .selectFrom("collections")
    .select(["collections.id", "collections.name", "collections.post_count", "collections.created_at"]);
}

async function create({ caller, now }: Call, tx: Db, name: string) {
  const { userId } = caller;
  await lockAccount(tx, userId);
  const last = await tx
    .selectFrom("collections")
    .select("id")
    .where("user_id", "=", userId)
    .limit(1)
    .offset(limits.collectionsPerAccount - 1)
    .executeTakeFirst();
  if (last)
    throw invalid(
      "name",
      `You can have at most ${limits.collectionsPerAccount} collections. Delete one first.`,
    );
  const row = { user_id: userId, name: inOneLine(name), created_at: now };
  return { collection: asCollection({ ...row, id: await insertCollection(tx, row), post_count: 0 }) };
}

/** Adds an empty collection, and returns its id. */
export async function insertCollection(
  tx: Db,
  row: Pick<Selectable<CollectionRow>, "user_id" | "name" | "created_at">,
): Promise<number> {
  const { id } = await tx.insertInto("collections").values(row).returning("id").executeTakeFirstOrThrow();
  return id;
}

async function rename(call: Call, tx: Db, { id, name }: Input<Operations["renameCollection"]>) {
  const collection = await findOwnCollection(tx, id, call);
  const shown = inOneLine(name);
  await tx.updateTable("collections").set({ name: shown }).where("id", "=", id).execute();
  return { collection: asCollection({ ...collection, name: shown }) };
}

async function remove(call: Call, tx: Db, id: number) {
  await lockAccount(tx, call.caller.userId);
  await findOwnCollection(tx, id, call);
  // Before the collection: the same order as when a post is deleted.
  await tx.deleteFrom("collection_posts").where("collection_id", "=", id).execute();
  await tx.deleteFrom("collections").where("id", "=", id).execute();
  return { deleted: true } as const;
}

async function add(call: Call, tx: Db, { id, postId }: Input<Operations["addToCollection"]>) {
  const { userId } = call.caller;
  await lockPost(tx, postId);
  await lockAccount(tx, userId);
  const { post_count } = await findOwnCollection(tx, id, call);
  const response = { included: true } as const;
  const isNew = await collectPost(tx, { collection_id: id, post_id: postId, user_id: userId });
  if (!isNew) return changedNothing(response);
  if (post_count >= limits.collectionPosts)
    throw invalid(
      "postId",
      `A collection can have at most ${limits.collectionPosts} posts. Take one out first.`,
    );
  return response;
}

/** Saves a post and puts it in a collection of the account. Returns whether it is new there. */
export async function collectPost(
  tx: Db,
  post: { collection_id: number; post_id: number; user_id: number },
): Promise<boolean> {
  const { collection_id, post_id, user_id } = post;
  // Locks the row if there is one, so that the post isn't unsaved meanwhile.
  await tx
    .insertInto("post_saves")
    .values({ user_id, post_id })
    .onConflict((conflict) => conflict.columns(["user_id", "post_id"]).doUpdateSet({ post_id }))
    .execute();
  const [id = 0] = await tx.engine.nextIds(tx, "collections", 1);
  const added = await tx
    .insertInto("collection_posts")
    .values({ ...post, id })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .execute();
  if (added.length === 0) return false;
  await tx
    .updateTable("collections")
    .set((eb) => ({ post_count: eb("post_count", "+", 1) }))
    .where("id", "=", collection_id)
    .execute();
  return true;
}

async function takeOut(call: Call, tx: Db, { id, postId }: Input<Operations["removeFromCollection"]>) {
  await lockAccount(tx, call.caller.userId);
  await findOwnCollection(tx, id, call);
  const response = { included: false } as const;
  const isGone = await removePostsWhere(tx, sql`collection_id = ${id} and post_id = ${postId}`);
  return isGone ? response : changedNothing(response);
}

/** Takes posts out of all collections of an account that has just unsaved them. `posts` is an id or a query of ids. */
export async function removeUnsaved(tx: Db, userId: number, posts: RawBuilder<unknown>): Promise<void> {
  await removePostsWhere(tx, sql`user_id = ${userId} and post_id in (${posts})`);
}

/** Takes posts that are about to be deleted out of all collections. `posts` is an id or a query of ids. */
export async function removeDeleted(tx: Db, posts: RawBuilder<number>): Promise<void> {
  // Otherwise someone could add one before it is deleted.
  if (tx.engine.rowLocks)
    await sql`select id from posts where id in (${posts}) order by id for update`.execute(tx);
  await removePostsWhere(tx, sql`post_id in (${posts})`);
}

/** Deletes rows of collections, and counts them off. Returns whether there were any. */
async function removePostsWhere(tx: Db, which: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    delete from collection_posts where ${which} returning collection_id as id`.execute(tx);
  if (rows.length === 0) return false;
  const ids = rows.map(({ id }) => id);
  await sql`update collections set post_count = post_count - gone.total
    from (select id, count(*) as total from (${tx.engine.oneOf(ids)}) as listed group by id) as gone
    where collections.id = gone.id`.execute(tx);
  return true;
}

function asCollection(
  { id, name, post_count, created_at }: Shown,
  includes: boolean | null = null,
): Collection {
  return { id, name, postCount: post_count, includes, createdAt: new Date(created_at).toISOString() };
}
