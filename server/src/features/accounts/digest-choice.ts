import { randomBytes } from "node:crypto";
import { DAY } from "@tandem/contract/durations";
import type { EmailDigest } from "@tandem/contract/resources";
import type { Db } from "../../storage/storage.ts";

/** Milliseconds from one digest to the next; null if there is none. */
export const digestPeriods: Record<EmailDigest, number | null> = { off: null, daily: DAY, weekly: 7 * DAY };

/** Sets how often an account gets a digest, from now on. Choosing the same again changes nothing. */
export async function chooseDigest(tx: Db, userId: number, every: EmailDigest, now: number): Promise<void> {
  const period = digestPeriods[every];
  const { last } = await tx
    .selectFrom("posts")
    .select((eb) => eb.fn.max("id").as("last"))
    .executeTakeFirstOrThrow();
  // Ends a lease, too: a digest that is being sent doesn't set when the next one is due.
  const choice = {
    every,
    told_upto: last ?? 0,
    due_at: period && now + period,
    attempts: 0,
    holder: null,
  };
  await tx
    .insertInto("digests")
    .values({ user_id: userId, token: randomBytes(24).toString("base64url"), ...choice })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet(choice).where("digests.every", "<>", every),
    )
    .execute();
}
