import { MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { Mute, MuteType } from "@tandem/contract/mutes";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { Platform } from "@tandem/contract/origins";
import { MAX_ID } from "@tandem/contract/schema";
import { type RawBuilder, sql } from "kysely";
import { changedNothing } from "../../http/activity.ts";
import { invalid } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import type { Services } from "../../http/services.ts";
import type { Job } from "../../jobs/job.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { creatorOf, deleteUnusedCreators } from "../creators/creators.queries.ts";
import { hasWords, tagIn, tagKey, wordsOf } from "../shared/muted-text.ts";
import { type CreatorName, knownCreator, namedCreator } from "./named-creator.ts";

/*
 * Mutes concern only the account that makes them: no one else's data changes, so they need no lock on the relationship of the two.
 */

export const mutes = {
  listMutes: async (ctx, { cursor }) => {
    const rows = await selectMutes(ctx.read, ctx.now)
      .where("m.user_id", "=", ctx.caller.userId)
      .where("m.id", "<", cursor ?? MAX_ID)
      .orderBy("m.id", "desc")
      .limit(limits.longList + 1)
      .execute();
    const { page, nextCursor } = pageOf(ctx, rows, limits.longList);
    return { mutes: page.map(asMute), nextCursor };
  },
  mute: (ctx, input) => ctx.write((tx) => mute(ctx, tx, input)),
  unmute: (ctx, input) => ctx.write((tx) => unmute(ctx, tx, input)),
} satisfies Handlers<"listMutes" | "mute" | "unmute">;

type Target =
  | { type: "account"; platform: Platform; author: string }
  | { type: Exclude<MuteType, "account">; text: string; folded: string };

/** Throws `invalid_input` if the input names none, or more than one. */
function targetIn({ platform, author, word, tag }: Input<Operations["unmute"]>): Target {
  const fields = { author: author ?? platform, word, tag };
  const [first, second] = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  if (first === undefined) throw invalid("author", "Send platform and author, or word, or tag.");
  if (second !== undefined)
    throw invalid(second, "Send only one of these: platform and author, or word, or tag.");
  if (word !== undefined) return wordIn(word);
  if (tag !== undefined) {
    const name = tagIn(tag);
    if (name === null) throw invalid("tag", "A tag is letters, digits and _, at least one of them a letter.");
    return { type: "tag", text: name, folded: tagKey(name) };
  }
  if (author === undefined) throw invalid("author", "`platform` needs an `author`.");
  if (platform === undefined) throw invalid("platform", "`author` needs a `platform`.");
  return { type: "account", platform, author };
}

function wordIn(word: string): Target {
  const folded = wordsOf(word);
  if (!hasWords(folded)) throw invalid("word", "It needs at least one letter, digit or emoji.");
  return { type: "word", text: word.trim().replace(/\s+/gu, " "), folded };
}

async function mute(ctx: SignedIn, tx: Db, { until, ...input }: Input<Operations["mute"]>) {
  const { caller, now } = ctx;
  const until_at = until == null ? null : Date.parse(until);
  if (until_at !== null && until_at <= now) throw invalid("until", "Choose a time in the future.");
  const target = targetIn(input);
  // Or else several changes at once would each compute `noteChange` without the others.
  await lockAccount(tx, caller.userId);
  const { id, isThere } = await addMute(tx, caller, target, { until_at, created_at: now });
  const response = async () => ({
    mute: asMute(await selectMutes(tx, now).where("m.id", "=", id).executeTakeFirstOrThrow()),
  });
  if (isThere) return changedNothing(await response());
  await requireRoom(tx, caller, target.type);
  await noteChange(tx, caller.userId);
  return response();
}

interface Times {
  until_at: number | null;
  created_at: number;
}

/** Returns the mute's id, and whether it is there already, with the same end. */
async function addMute(
  tx: Db,
  caller: Caller,
  target: Target,
  times: Times,
): Promise<{ id: number; isThere: boolean }> {
  const same = tx
    .selectFrom("mutes")
    .select("id")
    .where("user_id", "=", caller.userId)
    .where("until_at", "is not distinct from", times.until_at);
  if (target.type === "account") {
    const creatorId = await namedCreator(tx, target);
    if (creatorId === (await creatorOf(tx, caller.userId)))
      throw invalid("author", "You can't mute yourself.");
    const before = await same.where("creator_id", "=", creatorId).executeTakeFirst();
    const id = before?.id ?? (await muteCreator(tx, caller.userId, creatorId, times));
    return { id, isThere: before !== undefined };
  }
  const { type, text, folded } = target;
  const before = await same.where("type", "=", type).where("folded", "=", folded).executeTakeFirst();
  const id = before?.id ?? (await muteText(tx, caller.userId, { type, text, folded }, times));
  return { id, isThere: before !== undefined };
}

/** Mutes a creator, or replaces the times of that mute; returns its id. Call {@link noteChange} afterwards. */
export async function muteCreator(
  tx: Db,
  userId: number,
  creatorId: number,
  { until_at, created_at }: Times,
): Promise<number> {
  const { id } = await tx
    .insertInto("mutes")
    .values({ user_id: userId, type: "account", creator_id: creatorId, until_at, created_at })
    .onConflict((conflict) =>
      conflict
        .columns(["creator_id", "user_id"])
        .where("creator_id", "is not", null)
        .doUpdateSet({ until_at }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** The outcome for many creators. Those of `wanted` that are in neither were muted before. */
interface Muted {
  /** The new mutes, by creator. */
  added: Map<number, number>;
  /** Those that would exceed the account's limit. */
  tooMany: Set<number>;
}

/** Mutes creators permanently, if the account doesn't mute them and as far as it may. The account must be locked. */
export async function muteAll(
  tx: Db,
  userId: number,
  wanted: readonly number[],
  now: number,
): Promise<Muted> {
  const muted = await tx
    .selectFrom("mutes")
    .select("creator_id")
    .where("user_id", "=", userId)
    .where("type", "=", "account")
    .execute();
  const known = new Set(muted.map(({ creator_id }) => creator_id));
  const unknown = wanted.filter((id) => !known.has(id));
  const room = Math.max(0, limits.mutedAccounts - muted.length);
  const times = { until_at: null, created_at: now };
  const added = new Map<number, number>();
  for (const id of unknown.slice(0, room)) added.set(id, await muteCreator(tx, userId, id, times));
  if (added.size > 0) await noteChange(tx, userId);
  return { added, tooMany: new Set(unknown.slice(room)) };
}

/** Deletes those of these mutes of an account that have no end. Returns how many are left. The account must be locked. */
export async function unmuteAll(tx: Db, userId: number, ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ creator_id: number }>`
    delete from mutes where id in (${tx.engine.oneOf(ids)}) and user_id = ${userId} and until_at is null
    returning creator_id`.execute(tx);
  const creators = tx.engine.oneOf(rows.map(({ creator_id }) => creator_id));
  await deleteUnusedCreators(tx, sql`select id from (${creators}) as former`);
  await noteChange(tx, userId);
  const left =
    await sql`select id from mutes where id in (${tx.engine.oneOf(ids)}) and user_id = ${userId}`.execute(tx);
  return left.rows.length;
}

/** The same for a word or tag. */
export async function muteText(
  tx: Db,
  userId: number,
  { type, text, folded }: Exclude<Target, { type: "account" }>,
  { until_at, created_at }: Times,
): Promise<number> {
  const { id } = await tx
    .insertInto("mutes")
    .values({ user_id: userId, type, text, folded, creator_id: null, until_at, created_at })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "type", "folded"])
        .where("folded", "is not", null)
        .doUpdateSet({ until_at }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Runs after the insert, so the new mute counts; if it is one too many, the transaction rolls back. */
async function requireRoom(tx: Db, { userId }: Caller, type: MuteType): Promise<void> {
  const isAccount = type === "account";
  const most = isAccount ? limits.mutedAccounts : limits.mutedTexts;
  const tooMany = await tx
    .selectFrom("mutes")
    .select("id")
    .where("user_id", "=", userId)
    .where("type", isAccount ? "=" : "<>", "account")
    .limit(1)
    .offset(most)
    .executeTakeFirst();
  if (!tooMany) return;
  throw isAccount
    ? invalid("author", `You can mute at most ${most} accounts. Remove a mute first.`)
    : invalid(type, `You can mute at most ${most} words and tags. Remove one first.`);
}

async function unmute({ caller }: SignedIn, tx: Db, input: Input<Operations["unmute"]>) {
  const target = targetIn(input);
  await lockAccount(tx, caller.userId);
  const removed =
    target.type === "account"
      ? await unmuteAccount(tx, caller, target)
      : await removeMute(tx, caller, sql`type = ${target.type} and folded = ${target.folded}`);
  const response = { muted: false } as const;
  if (!removed) return changedNothing(response);
  await noteChange(tx, caller.userId);
  return response;
}

async function unmuteAccount(tx: Db, caller: Caller, name: CreatorName): Promise<boolean> {
  const creatorId = await knownCreator(tx, name);
  if (creatorId === null) return false;
  const removed = await removeMute(tx, caller, sql`creator_id = ${creatorId}`);
  if (removed) await deleteUnusedCreators(tx, sql`${creatorId}`);
  return removed;
}

/** Returns whether there was one. */
async function removeMute(tx: Db, { userId }: Caller, which: RawBuilder<unknown>): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from mutes where user_id = ${userId} and ${which}`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Records on the account's row whether it has mutes, and when the first of them ends. */
export async function noteChange(tx: Db, userId: number): Promise<void> {
  await sql`update users set mutes_change_at = ${firstEnd(sql`users.id`)} where id = ${userId}`.execute(tx);
}

/** When the first of an account's mutes ends; null if it has none. */
export const firstEnd = (userId: ReturnType<typeof sql>) =>
  sql`(select min(coalesce(m.until_at, ${sql.lit(MAX_ID)})) from mutes m where m.user_id = ${userId})`;

/** Removes the mutes that these accounts have of a creator, before that creator's account is deleted. */
export async function dropMutesOf(
  tx: Db,
  creator: RawBuilder<number>,
  muters: RawBuilder<number>,
): Promise<void> {
  if (tx.engine.rowLocks) {
    // In ascending id order, to avoid deadlocks.
    await sql`select id from users where id in (${muters}) order by id for no key update`.execute(tx);
    // Waits for mutes that are being made, and prevents others.
    await sql`select id from creators where id in (${creator}) for update`.execute(tx);
  }
  const { rows } = await sql<{ user_id: number }>`
    delete from mutes where creator_id in (${creator}) and user_id in (${muters}) returning user_id`.execute(
    tx,
  );
  const users = tx.engine.oneOf(rows.map(({ user_id }) => user_id));
  await sql`update users set mutes_change_at = ${firstEnd(sql`users.id`)} where id in (${users})`.execute(tx);
}

/** Accounts per transaction. */
const BATCH = 100;

/** Deletes mutes that have ended. They stop applying at their end; this only makes known answers usable again. */
export const endMutes: Job = {
  name: "mutes",
  every: MINUTE,
  async run(services: Services, signal) {
    while (!signal.aborted && (await endBatch(services, BATCH)) === BATCH);
  },
};

async function endBatch({ storage, now }: Services, size: number): Promise<number> {
  const time = now();
  const ended = (db: Db) =>
    db
      .selectFrom("mutes")
      .select("user_id")
      .where("until_at", "<=", time)
      .orderBy("until_at")
      .limit(size)
      .execute();
  // Read first: usually nothing has ended, and this avoids the write lock.
  if ((await ended(storage.read)).length === 0) return 0;
  return storage.write(async (tx) => {
    const rows = await ended(tx);
    // In ascending id order, to avoid deadlocks.
    const users = [...new Set(rows.map(({ user_id }) => user_id))].sort((a, b) => a - b);
    const creators: number[] = [];
    for (const userId of users) {
      await lockAccount(tx, userId);
      const gone = await tx
        .deleteFrom("mutes")
        .where("user_id", "=", userId)
        .where("until_at", "<=", time)
        .returning("creator_id")
        .execute();
      await noteChange(tx, userId);
      creators.push(...gone.flatMap(({ creator_id }) => creator_id ?? []));
    }
    await deleteUnusedCreators(tx, sql`select id from (${tx.engine.oneOf(creators)}) as ended`);
    return rows.length;
  });
}

/** Mutes that haven't ended, with the names of accounts. */
function selectMutes(db: Db, now: number) {
  return db
    .selectFrom("mutes as m")
    .leftJoin("creators as c", "c.id", "m.creator_id")
    .leftJoin("users as u", "u.id", "c.user_id")
    .select(["m.id", "m.type", "m.text", "m.until_at", "m.created_at", "c.platform", "c.author"])
    .select(["u.display_name", "u.avatar_url", "u.role"])
    .where((eb) => eb.or([eb("m.until_at", "is", null), eb("m.until_at", ">", now)]));
}

type Row = Awaited<ReturnType<ReturnType<typeof selectMutes>["execute"]>>[number];

function asMute(row: Row): Mute {
  return {
    id: row.id,
    type: row.type,
    platform: row.platform,
    author: row.author,
    displayName: row.display_name,
    avatarUrl: row.avatar_url,
    isAgent: row.role === "agent",
    word: row.type === "word" ? row.text : null,
    tag: row.type === "tag" ? row.text : null,
    until: row.until_at === null ? null : new Date(row.until_at).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
  };
}
