import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { isPlatform } from "@tandem/contract/origins";
import { type SavedSearch, searchFilters } from "@tandem/contract/saved-searches";
import type { Selectable } from "kysely";
import { changedNothing } from "../../http/activity.ts";
import { invalid, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Call, Handlers } from "../../http/context.ts";
import type { SavedSearchRow } from "../../storage/schema/collections.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { inOneLine } from "../shared/line.ts";
import { isMutedPost, mutesOf, muteTexts } from "../shared/mutes.ts";
import { partsOf, readPosts } from "./feed.queries.ts";
import { isChosen, type Selection, selectionOf } from "./feed-query.ts";
import { newMatches } from "./feed-search.ts";
import { lastPostId } from "./listed.queries.ts";

/* Saved searches concern only the account that saves them. They run only when that account asks. */

export const savedSearches = {
  async listSavedSearches({ read, caller }) {
    const rows = await selectSearches(read).where("user_id", "=", caller.userId).execute();
    return { searches: rows.map(asSearch).sort((a, b) => a.name.localeCompare(b.name)) };
  },
  async readSavedSearch(ctx, { id }) {
    const db = await ctx.recent();
    const search = await findOwn(db, id, ctx);
    return { search: asSearch(search), hasNew: await hasNew(db, search, ctx) };
  },
  createSavedSearch: (ctx, input) => ctx.write((tx) => create(ctx, tx, input)),
  editSavedSearch: (ctx, input) => ctx.write((tx) => edit(ctx, tx, input)),
  deleteSavedSearch: (ctx, { id }) => ctx.write((tx) => remove(ctx, tx, id)),
} satisfies Handlers<
  "listSavedSearches" | "readSavedSearch" | "createSavedSearch" | "editSavedSearch" | "deleteSavedSearch"
>;

type Found = Pick<Selectable<SavedSearchRow>, "id" | "name" | "query" | "seen_upto" | "created_at">;
/** What {@link create} stored. */
type Filters = Omit<Input<Operations["createSavedSearch"]>, "name">;

function selectSearches(db: Db) {
  return db.selectFrom("saved_searches").select(["id", "name", "query", "seen_upto", "created_at"]);
}

/** A saved search of the caller's. Throws `not_found`. */
async function findOwn(db: Db, id: number, { caller }: { caller: Pick<Caller, "userId"> }): Promise<Found> {
  const search = await selectSearches(db)
    .where("id", "=", id)
    .where("user_id", "=", caller.userId)
    .executeTakeFirst();
  if (!search) throw notFound("saved search in your account");
  return search;
}

/** Whether a post that the caller would see matches and is newer than what they have seen. */
async function hasNew(
  db: Db,
  { query, seen_upto }: Found,
  { caller, now }: Pick<Call, "caller" | "now">,
): Promise<boolean> {
  const filters = filtersOf(query);
  const { platform } = filters;
  if (platform !== undefined && !isPlatform(platform)) return false;
  const input = { ...filters, platform, sort: undefined };
  const mutes = isChosen(input) ? null : await mutesOf(db, caller, now);
  // What someone imported from an export isn't new.
  const selection: Selection = { ...(await selectionOf(db, input, caller, mutes)), archived: "without" };
  if (!mutes || !muteTexts(mutes)) return (await newMatches(db, selection, seen_upto, 1)).length > 0;
  let { below } = selection;
  for (let page = 0; page < MUTED_PAGES; page++) {
    const ids = await newMatches(db, { ...selection, below }, seen_upto, limits.page.max);
    if (ids.length === 0) return false;
    const posts = partsOf(await readPosts(db, ids, selection));
    if (posts.some((post) => !isMutedPost(mutes, JSON.parse(post)))) return true;
    below = Math.min(...ids);
  }
  return false;
}

/** Pages of muted matches that are looked through for one that isn't: as far as feeds look. */
const MUTED_PAGES = 7;

async function create(call: Call, tx: Db, { name, ...sent }: Input<Operations["createSavedSearch"]>) {
  const { userId } = call.caller;
  const filters = Object.fromEntries(
    Object.keys(searchFilters).flatMap((field) => {
      const value = sent[field as keyof typeof sent];
      return value === undefined || value.trim() === "" ? [] : [[field, value]];
    }),
  ) as Input<Operations["listPosts"]>;
  const { sort: _sort, platform, ...others } = filters;
  if (Object.keys({ ...others, ...(platform !== undefined && { platform }) }).length === 0)
    throw invalid("q", "Send words in `q`, or another filter.");
  // Throws for filters that contradict each other.
  await selectionOf(tx, others, call.caller);
  await lockAccount(tx, userId);
  const last = await tx
    .selectFrom("saved_searches")
    .select("id")
    .where("user_id", "=", userId)
    .limit(1)
    .offset(limits.searchesPerAccount - 1)
    .executeTakeFirst();
  if (last)
    throw invalid(
      "name",
      `You can have at most ${limits.searchesPerAccount} saved searches. Delete one first.`,
    );
  const row = {
    user_id: userId,
    name: inOneLine(name),
    query: JSON.stringify(filters),
    seen_upto: await lastPostId(tx),
    created_at: call.now,
  };
  return { search: asSearch({ ...row, id: await insertSearch(tx, row) }) };
}

/** Saves a search, and returns its id. */
export async function insertSearch(tx: Db, row: Omit<Selectable<SavedSearchRow>, "id">): Promise<number> {
  const { id } = await tx.insertInto("saved_searches").values(row).returning("id").executeTakeFirstOrThrow();
  return id;
}

async function edit(call: Call, tx: Db, { id, name, seen }: Input<Operations["editSavedSearch"]>) {
  const search = await findOwn(tx, id, call);
  const changes = {
    ...(name !== undefined && { name: inOneLine(name) }),
    ...(seen && { seen_upto: await lastPostId(tx) }),
  };
  const edited = { ...search, ...changes };
  const response = { search: asSearch(edited) };
  if (edited.name === search.name && edited.seen_upto === search.seen_upto) return changedNothing(response);
  await tx.updateTable("saved_searches").set(changes).where("id", "=", id).execute();
  return response;
}

async function remove(call: Call, tx: Db, id: number) {
  await findOwn(tx, id, call);
  await tx.deleteFrom("saved_searches").where("id", "=", id).execute();
  return { deleted: true } as const;
}

const filtersOf = (query: string): Filters => JSON.parse(query) as Filters;

function asSearch({ id, name, query, created_at }: Omit<Found, "seen_upto">): SavedSearch {
  return { id, name, query: filtersOf(query), createdAt: new Date(created_at).toISOString() };
}
