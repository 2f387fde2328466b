import { limits } from "@tandem/contract/limits";
import type { List, ListMember } from "@tandem/contract/lists";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { nativePlatform } from "@tandem/contract/origins";
import { type Selectable, sql } from "kysely";
import { changedNothing } from "../../http/activity.ts";
import { invalid, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Call, Handlers } from "../../http/context.ts";
import type { ListMemberRow, ListRow } from "../../storage/schema/people.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { deleteUnusedCreators, findCreator } from "../creators/creators.queries.ts";
import { inOneLine } from "../shared/line.ts";
import { type CreatorName, knownCreator, namedCreator } from "./named-creator.ts";

/* Lists concern only the account that makes them. Those on a list don't learn of it. */

export const lists = {
  async listLists({ read, caller }, { platform, author }) {
    const creatorId = await creatorAsked(read, { platform, author });
    const rows = await selectLists(read)
      .select((eb) =>
        eb
          .exists(
            eb
              .selectFrom("list_members as m")
              .select("m.list_id")
              .whereRef("m.list_id", "=", "lists.id")
              .where("m.creator_id", "=", creatorId ?? 0),
          )
          .as("includes"),
      )
      .where("user_id", "=", caller.userId)
      .execute();
    const shown = rows.map((row) => asList(row, creatorId === undefined ? null : Boolean(row.includes)));
    return { lists: shown.sort((a, b) => a.name.localeCompare(b.name)) };
  },
  async readList(ctx, { id }) {
    const list = await findOwnList(ctx.read, id, ctx);
    const rows = await selectMembers(ctx.read)
      .where("m.list_id", "=", id)
      .orderBy("m.creator_id", "desc")
      .execute();
    return { list: asList(list), members: rows.map(asMember) };
  },
  createList: (ctx, { name }) => ctx.write((tx) => create(ctx, tx, name)),
  renameList: (ctx, input) => ctx.write((tx) => rename(ctx, tx, input)),
  deleteList: (ctx, { id }) => ctx.write((tx) => remove(ctx, tx, id)),
  addToList: (ctx, input) => ctx.write((tx) => add(ctx, tx, input)),
  removeFromList: (ctx, input) => ctx.write((tx) => takeOff(ctx, tx, input)),
} satisfies Handlers<
  "listLists" | "readList" | "createList" | "renameList" | "deleteList" | "addToList" | "removeFromList"
>;

/** The creator that the query names; null if it isn't known here, undefined if it names none. */
async function creatorAsked(
  db: Db,
  { platform = nativePlatform, author }: Partial<CreatorName>,
): Promise<number | null | undefined> {
  if (author === undefined) return undefined;
  return (await findCreator(db, platform, author)) ?? null;
}

/** A list of the caller's. Throws `not_found`. */
export async function findOwnList(
  db: Db,
  id: number,
  { caller }: { caller: Pick<Caller, "userId"> },
): Promise<Selectable<ListRow>> {
  const list = await selectLists(db)
    .select("user_id")
    .where("id", "=", id)
    .where("user_id", "=", caller.userId)
    .executeTakeFirst();
  if (!list) throw notFound("list in your account");
  return list;
}

function selectLists(db: Db) {
  return db.selectFrom("lists").select(["lists.id", "lists.name", "lists.created_at"]);
}

async function create({ caller, now }: Call, tx: Db, name: string) {
  const { userId } = caller;
  await lockAccount(tx, userId);
  const last = await tx
    .selectFrom("lists")
    .select("id")
    .where("user_id", "=", userId)
    .limit(1)
    .offset(limits.listsPerAccount - 1)
    .executeTakeFirst();
  if (last) throw invalid("name", `You can have at most ${limits.listsPerAccount} lists. Delete one first.`);
  const shown = inOneLine(name);
  const id = await insertList(tx, userId, shown, now);
  return { list: asList({ id, name: shown, created_at: now }) };
}

/** Adds a list, and returns its id. */
export async function insertList(tx: Db, userId: number, name: string, now: number): Promise<number> {
  const row = { user_id: userId, name, created_at: now };
  const { id } = await tx.insertInto("lists").values(row).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** What became of creators who were to be put on a list. */
interface Listed {
  listId: number;
  isNewList: boolean;
  added: number[];
  existing: number[];
  tooMany: number[];
}

/**
 * Puts creators on the account's list with this name, which is created if necessary, as far as the limits allow. Null if there is no
 * room for the list. The account must be locked.
 */
export async function addToNamed(
  tx: Db,
  { userId, now }: { userId: number; now: number },
  name: string,
  creators: readonly number[],
): Promise<Listed | null> {
  const lists = await selectLists(tx).where("user_id", "=", userId).orderBy("id").execute();
  const known = lists.find((list) => list.name === name);
  if (!known && lists.length >= limits.listsPerAccount) return null;
  const listId = known?.id ?? (await insertList(tx, userId, name, now));
  const members = await tx
    .selectFrom("list_members")
    .select("creator_id")
    .where("list_id", "=", listId)
    .execute();
  const before = new Set(members.map(({ creator_id }) => creator_id));
  const unknown = creators.filter((id) => !before.has(id));
  const room = Math.max(0, limits.listMembers - before.size);
  const added = unknown.slice(0, room);
  for (const creator_id of added) await insertMember(tx, { list_id: listId, creator_id, user_id: userId });
  const existing = creators.filter((id) => before.has(id));
  return { listId, isNewList: !known, added, existing, tooMany: unknown.slice(room) };
}

/** Takes creators off lists of an account, which must be locked. */
export async function takeAllOff(
  tx: Db,
  userId: number,
  members: readonly { list_id: number | null; target_id: number | null }[],
): Promise<void> {
  const listed = tx.engine.jsonRows(JSON.stringify(members), { list_id: "integer", target_id: "integer" });
  const gone = await sql<{ creator_id: number }>`
    delete from list_members where user_id = ${userId}
      and (list_id, creator_id) in (select list_id, target_id from (${listed}) as listed)
    returning creator_id`.execute(tx);
  const creators = tx.engine.oneOf(gone.rows.map(({ creator_id }) => creator_id));
  await deleteUnusedCreators(tx, sql`select id from (${creators}) as former`);
}

/** Deletes those of these lists of an account that have no one on them. Returns how many are left. The account must be locked. */
export async function deleteEmpty(tx: Db, userId: number, ids: readonly number[]): Promise<number> {
  await sql`delete from lists where id in (${tx.engine.oneOf(ids)}) and user_id = ${userId}
    and not exists (select 1 from list_members m where m.list_id = lists.id)`.execute(tx);
  const { rows } =
    await sql`select id from lists where id in (${tx.engine.oneOf(ids)}) and user_id = ${userId}`.execute(tx);
  return rows.length;
}

/** Puts a creator on a list of the account. Returns whether they are new there. */
export async function insertMember(tx: Db, member: ListMemberRow): Promise<boolean> {
  const added = await tx
    .insertInto("list_members")
    .values(member)
    .onConflict((conflict) => conflict.doNothing())
    .returning("creator_id")
    .execute();
  return added.length > 0;
}

async function rename(call: Call, tx: Db, { id, name }: Input<Operations["renameList"]>) {
  const list = await findOwnList(tx, id, call);
  const shown = inOneLine(name);
  await tx.updateTable("lists").set({ name: shown }).where("id", "=", id).execute();
  return { list: asList({ ...list, name: shown }) };
}

async function remove(call: Call, tx: Db, id: number) {
  await lockAccount(tx, call.caller.userId);
  await findOwnList(tx, id, call);
  const members = await tx
    .deleteFrom("list_members")
    .where("list_id", "=", id)
    .returning("creator_id")
    .execute();
  await tx.deleteFrom("lists").where("id", "=", id).execute();
  const creators = members.map(({ creator_id }) => creator_id);
  await deleteUnusedCreators(tx, sql`select id from (${tx.engine.oneOf(creators)}) as former`);
  return { deleted: true } as const;
}

async function add(call: Call, tx: Db, { id, ...name }: Input<Operations["addToList"]>) {
  const { userId } = call.caller;
  await lockAccount(tx, userId);
  await findOwnList(tx, id, call);
  const creatorId = await namedCreator(tx, name);
  const response = { included: true } as const;
  if (!(await insertMember(tx, { list_id: id, creator_id: creatorId, user_id: userId })))
    return changedNothing(response);
  await requireRoom(tx, id);
  return response;
}

/** Runs after the insert, so the new member counts; if it is one too many, the transaction rolls back. */
async function requireRoom(tx: Db, id: number): Promise<void> {
  const tooMany = await tx
    .selectFrom("list_members")
    .select("creator_id")
    .where("list_id", "=", id)
    .limit(1)
    .offset(limits.listMembers)
    .executeTakeFirst();
  if (tooMany)
    throw invalid("author", `A list can have at most ${limits.listMembers} creators. Take one off first.`);
}

async function takeOff(call: Call, tx: Db, { id, ...name }: Input<Operations["removeFromList"]>) {
  await lockAccount(tx, call.caller.userId);
  await findOwnList(tx, id, call);
  const creatorId = await knownCreator(tx, name);
  const response = { included: false } as const;
  if (creatorId === null) return changedNothing(response);
  const gone = await tx
    .deleteFrom("list_members")
    .where("list_id", "=", id)
    .where("creator_id", "=", creatorId)
    .executeTakeFirst();
  if (gone.numDeletedRows === 0n) return changedNothing(response);
  await deleteUnusedCreators(tx, sql`${creatorId}`);
  return response;
}

function asList(
  { id, name, created_at }: Pick<Selectable<ListRow>, "id" | "name" | "created_at">,
  includes: boolean | null = null,
): List {
  return { id, name, includes, createdAt: new Date(created_at).toISOString() };
}

function selectMembers(db: Db) {
  return db
    .selectFrom("list_members as m")
    .innerJoin("creators as c", "c.id", "m.creator_id")
    .leftJoin("users as u", "u.id", "c.user_id")
    .select(["c.platform", "c.author", "u.display_name", "u.avatar_url", "u.role"]);
}

type MemberRow = Awaited<ReturnType<ReturnType<typeof selectMembers>["execute"]>>[number];

function asMember(row: MemberRow): ListMember {
  return {
    platform: row.platform,
    author: row.author,
    displayName: row.display_name,
    avatarUrl: row.avatar_url,
    isAgent: row.role === "agent",
  };
}
