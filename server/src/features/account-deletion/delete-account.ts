import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Handlers } from "../../http/context.ts";
import { operatorCookie, sessionCookie } from "../../http/credential.ts";
import { forgetResponses } from "../../http/idempotency.ts";
import type { Services } from "../../http/services.ts";
import { deleteOrphans } from "../../media/delete-orphans.ts";
import type { Db } from "../../storage/storage.ts";
import { sweepExports } from "../account-export/exports.queries.ts";
import { lockAccount, readUser } from "../accounts/accounts.queries.ts";
import { reauthenticate } from "../accounts/reauthentication.ts";
import { leaveCommunities } from "../communities/hand-over.ts";
import { isLarge, removeNextBatch } from "./removal-steps.ts";
import { endProfile, removeAccount } from "./remove-account.ts";

export const accountRemoval = {
  async deleteAccount(ctx, { password }) {
    const { services, caller, now } = ctx;
    await reauthenticate(ctx, password);
    const response = await ctx.write(async (tx) => {
      await lockAccount(tx, caller.userId);
      // Throws if it was deleted while this waited for the lock.
      await readUser(tx, caller.userId);
      for (const id of await agentsOf(tx, caller.userId)) await removeOrRetire(tx, id, now);
      await removeOrRetire(tx, caller.userId, now);
      ctx.setCookie(sessionCookie(null));
      ctx.setCookie(operatorCookie(null));
      return { deleted: true };
    });
    afterRemoval(services);
    return response;
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

/**
 * Removes an account immediately. If that would take so long that other writes had to wait, it only retires the account,
 * so that it can no longer do anything; `removeRetired` removes the rest.
 */
export async function removeOrRetire(tx: Db, userId: number, now: number): Promise<void> {
  if (await isLarge(tx, userId)) await retire(tx, userId, now);
  else await removeAccount(tx, userId);
}

/** The username stays taken until everything that shows it is removed. */
async function retire(tx: Db, userId: number, now: number): Promise<void> {
  await tx
    .updateTable("users")
    .set({ removing_at: now, password_hash: null, operator_id: null })
    .where("id", "=", userId)
    .execute();
  await forgetResponses(tx, userId);
  await leaveCommunities(tx, userId);
  for (const table of ["exports", "imports"] as const)
    await tx.updateTable(table).set({ user_id: null }).where("user_id", "=", userId).execute();
  for (const table of ["keys", "drafts"] as const)
    await tx.deleteFrom(table).where(ownedBy(userId)).execute();
  // Their deliveries may be many, so they are removed in batches.
  await tx.updateTable("webhooks").set({ state: "gone", due_at: null }).where(ownedBy(userId)).execute();
  for (const table of [
    "sessions",
    "identities",
    "tokens",
    "mails",
    "digests",
    "second_factors",
    "recovery_codes",
    "passkeys",
    "known_places",
    "stream_keys",
    "live_viewers",
    "profile_links",
  ] as const)
    await tx.deleteFrom(table).where("user_id", "=", userId).execute();
  await endProfile(tx, userId);
}

/** Rows that the account manages, or that act as it. */
function ownedBy(userId: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(owner_id = ${userId} or user_id = ${userId})`;
}

/** After the response: removes the rest of large accounts, and the files of all deleted ones. */
export function afterRemoval(services: Services): void {
  const cleanUp = async () => {
    await removeRetired(services);
    await deleteOrphans(services);
    await sweepExports(services);
  };
  services.afterResponse.run("removals", cleanUp);
}

/** Removes the rest of retired accounts in batches, until nothing is left or `signal` aborts. */
export async function removeRetired({ storage }: Services, signal?: AbortSignal): Promise<void> {
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
    while (!signal?.aborted && !(await storage.write((tx) => removeNextBatch(tx, next.id))));
    after = next.id;
  }
}
