import { isWrite, type Operation } from "@tandem/contract/operation";
import type { Db } from "../storage/storage.ts";
import { ApiError } from "./api-error.ts";
import type { Caller } from "./caller.ts";

/** The end of a permanent suspension: the latest representable time, in milliseconds since 1970. */
export const FOR_GOOD = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Throws if the account or its operator is suspended, unless the operation only appeals, protects or deletes. The end of
 * the suspension comes with the caller; the reason is only read if the call is refused.
 */
export async function refuseSuspended(
  db: Db,
  op: Operation,
  caller: Caller | null,
  now: number,
): Promise<void> {
  const until = caller?.suspendedUntil ?? null;
  if (!caller || until === null || until <= now) return;
  if (!stopsBySuspension(op)) return;
  const term = until >= FOR_GOOD ? "permanently" : `until ${new Date(until).toISOString()}`;
  const reason = await reasonFor(db, caller.userId);
  throw new ApiError("suspended", `This account is suspended ${term}. ${reason ?? ""}`.trim());
}

/** Whether a suspension blocks this operation: writes, except public ones and those that appeal, protect the account, or delete what is its own. */
export function stopsBySuspension(op: Operation): boolean {
  return isWrite(op) && !op.whileSuspended && op.access.kind !== "anyone";
}

async function reasonFor(db: Db, userId: number): Promise<string | undefined> {
  const why = await db
    .selectFrom("decisions as d")
    .innerJoin("users as u", (join) =>
      join.on((eb) =>
        eb.or([eb("d.user_id", "=", eb.ref("u.id")), eb("d.user_id", "=", eb.ref("u.operator_id"))]),
      ),
    )
    .select("d.reason")
    .where("u.id", "=", userId)
    .where("d.act", "=", "suspend")
    .where("d.undone_at", "is", null)
    .orderBy("d.id", "desc")
    .limit(1)
    .executeTakeFirst();
  return why && `A moderator's reason: ${why.reason}`;
}
