import { DAY } from "@tandem/contract/durations";
import { strikeActs } from "@tandem/contract/moderation-names";
import type { LimitTable } from "@tandem/contract/tiers";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";

/* An account's strikes are the decisions that removed its content and still stand; nothing else records them. */

/** More than this aren't counted. */
const MOST_COUNTED = 100;

/** How many strikes of an account haven't expired. */
export async function countStrikes(
  db: Db,
  userId: number,
  { strikes }: LimitTable,
  now: number,
): Promise<number> {
  const rows = await standingStrikes(db, userId)
    .where("created_at", ">", now - strikes.days * DAY)
    .limit(MOST_COUNTED)
    .execute();
  return rows.length;
}

/** Copies the time of the latest strike to the account's row, where every authentication can read it. */
export async function updateLastStrike(tx: Db, userId: number): Promise<void> {
  // Or else a concurrent decision about the same account could be overlooked.
  await lockAccount(tx, userId);
  const latest = await standingStrikes(tx, userId).limit(1).executeTakeFirst();
  await tx
    .updateTable("users")
    .set({ last_strike_at: latest?.created_at ?? null })
    .where("id", "=", userId)
    .execute();
}

/** Newest first. */
function standingStrikes(db: Db, userId: number) {
  return db
    .selectFrom("decisions")
    .select("created_at")
    .where("user_id", "=", userId)
    .where("undone_at", "is", null)
    .where("act", "in", strikeActs)
    .orderBy("created_at", "desc");
}
