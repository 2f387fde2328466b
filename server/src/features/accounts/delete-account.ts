import { sql } from "kysely";
import type { Handlers } from "../../http/context.ts";
import { operatorCookie, sessionCookie } from "../../http/credential.ts";
import type { House } from "../../http/house.ts";
import { collect } from "../../media/collect.ts";
import type { Db } from "../../storage/storage.ts";
import { removePosts } from "../posts/remove-posts.ts";
import { lockAccount, readUser } from "./accounts.queries.ts";
import { sweepExports } from "./exports.queries.ts";
import { requireOwner } from "./proof.ts";
import { removeAccount } from "./remove-account.ts";

/** An account with more posts, or more comments, is removed in steps, so that others' writes get their turn between them. */
const AT_ONCE = { posts: 500, comments: 2000 };
/** Posts that go in one transaction. */
const BATCH = 200;

export const accountRemoval = {
  async deleteAccount(ctx, { password }) {
    const { house, caller, now } = ctx;
    await requireOwner(ctx, password);
    const answer = await ctx.write(async (tx) => {
      await lockAccount(tx, caller.userId);
      // Throws where it was deleted while this waited.
      await readUser(tx, caller.userId);
      for (const id of await agentsOf(tx, caller.userId)) await removeOrRetire(tx, id, now);
      await removeOrRetire(tx, caller.userId, now);
      ctx.setCookie(sessionCookie(null));
      ctx.setCookie(operatorCookie(null));
      return { deleted: true };
    });
    afterRemoval(house);
    return answer;
  },
} satisfies Handlers<"deleteAccount">;

async function agentsOf(tx: Db, operatorId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom("users")
    .select("id")
    .where("operator_id", "=", operatorId)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes an account at once; or where that would take long, has it do nothing any more, and leaves the rest to `removeRetired`. */
export async function removeOrRetire(tx: Db, userId: number, now: number): Promise<void> {
  if (await isLarge(tx, userId)) await retire(tx, userId, now);
  else await removeAccount(tx, userId);
}

async function isLarge(tx: Db, userId: number): Promise<boolean> {
  const { posts, comments } = AT_ONCE;
  const { rows } = await sql<{ id: number }>`
    select id from creators where user_id = ${userId} and post_count > ${posts}
    union all
    select id from (select id from comments where user_id = ${userId} order by id limit 1 offset ${comments}) as beyond
    limit 1`.execute(tx);
  return rows.length > 0;
}

/** Its name stays taken until all that bears it is gone. */
async function retire(tx: Db, userId: number, now: number): Promise<void> {
  await tx
    .updateTable("users")
    .set({ removing_at: now, password_hash: null, operator_id: null })
    .where("id", "=", userId)
    .execute();
  await tx
    .deleteFrom("keys")
    .where((eb) => eb.or([eb("user_id", "=", userId), eb("owner_id", "=", userId)]))
    .execute();
  for (const table of [
    "sessions",
    "identities",
    "tokens",
    "mails",
    "second_factors",
    "passkeys",
    "lives",
  ] as const)
    await tx.deleteFrom(table).where("user_id", "=", userId).execute();
}

/** What an answer needn't wait for: the rest of large accounts, and the files of all. */
export function afterRemoval(house: House): void {
  const rest = async () => {
    await removeRetired(house);
    await collect(house);
    await sweepExports(house);
  };
  house.media.later("removals", rest);
}

/** Removes what is left of retired accounts, some of it at a time, until nothing is or the signal says to stop. */
export async function removeRetired({ storage }: House, signal?: AbortSignal): Promise<void> {
  for (let after = 0; !signal?.aborted; ) {
    const next = await storage.read
      .selectFrom("users")
      .select("id")
      .where("removing_at", "is not", null)
      .where("id", ">", after)
      .orderBy("id")
      .limit(1)
      .executeTakeFirst();
    if (!next) return;
    while (!signal?.aborted && !(await storage.write((tx) => removeSome(tx, next.id))));
    after = next.id;
  }
}

/** One step; gives back whether it was the last. */
async function removeSome(tx: Db, userId: number): Promise<boolean> {
  const posts = sql<{ id: number }>`select id from posts
    where creator_id in (select id from creators where user_id = ${userId}) order by id limit ${BATCH}`;
  const ids = (await posts.execute(tx)).rows.map(({ id }) => id);
  if (ids.length > 0) {
    await removePosts(tx, sql<number>`${tx.engine.oneOf(ids)}`);
    return false;
  }
  await removeAccount(tx, userId);
  return true;
}
