import { limits } from "@tandem/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { SILENCE } from "./features/live/on-air.ts";
import type { House } from "./http/house.ts";
import { IDEMPOTENCY_LIFE } from "./http/idempotency.ts";
import type { Job } from "./jobs/job.ts";
import type { Storage } from "./storage/storage.ts";

/** A caller's last write is told from its window of quota a little longer than the window lasts; in milliseconds. */
const WINDOWS_KEPT = 60_000;
/** What was sent to webhooks is on record for so many milliseconds. */
const DELIVERY_LIFE = limits.deliveryDays * 86_400_000;
/** How many rows go in one transaction: writes that wait behind it wait no longer than for some of their own. */
const BATCH = 2000;

/** Sweeps out what has ended: sessions, quota windows, idempotency records, nonces, and more that is kept for a time. */
export const sweep: Job = {
  name: "sweep",
  every: 600_000,
  run: (house, signal) => sweepOut(house, signal, BATCH),
};

/** Takes so many rows at a time, until none is left that has ended or the signal says to stop. */
export async function sweepOut(
  { storage, now, config }: House,
  signal: AbortSignal,
  batch: number,
): Promise<void> {
  const time = now();
  const ended: [table: string, key: string[], condition: RawBuilder<unknown>][] = [
    ["sessions", ["id"], sql`expires_at <= ${time}`],
    ["quota_windows", ["holder", "quota"], sql`ends_at <= ${time - WINDOWS_KEPT}`],
    ["nonces", ["hash"], sql`expires_at <= ${time}`],
    ["tokens", ["hash"], sql`expires_at <= ${time}`],
    ["lives", ["user_id"], sql`last_sign_at <= ${time - SILENCE}`],
    ["idempotency", ["holder", "key"], sql`created_at <= ${time - IDEMPOTENCY_LIFE}`],
    ["friend_declines", ["from_id", "to_id"], sql`ends_at <= ${time}`],
    ["webhook_deliveries", ["id"], sql`created_at <= ${time - DELIVERY_LIFE}`],
  ];
  for (const [name, columns, condition] of ended) {
    const [table, key] = [sql.table(name), sql.join(columns.map((column) => sql.ref(column)))];
    // The condition stands there twice: PostgreSQL looks once more only at the outer one where a row has just changed.
    const some = sql`delete from ${table} where ${condition}
      and (${key}) in (select ${key} from ${table} where ${condition} limit ${batch})`;
    for (let taken = batch; taken === batch && !signal.aborted; ) {
      taken = Number((await storage.write((tx) => some.execute(tx))).numAffectedRows);
    }
  }
  await forgetActivity(storage, signal, time - config.activityKept, batch);
}

/** The oldest come first by their ids, so the oldest alone are looked at, and no index by time is kept for it. */
async function forgetActivity(
  storage: Storage,
  signal: AbortSignal,
  before: number,
  batch: number,
): Promise<void> {
  const some = sql`delete from activity where created_at < ${before}
    and id in (select id from activity order by id limit ${batch})`;
  for (let taken = batch; taken === batch && !signal.aborted; ) {
    taken = Number((await storage.write((tx) => some.execute(tx))).numAffectedRows);
  }
}
