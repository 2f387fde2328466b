import { DAY, HOUR, MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { sweepLives } from "./features/live/on-air.ts";
import { VIEWER_LIFE } from "./features/live/viewers.ts";
import { isUsedApp, keepUsedApps } from "./features/oauth/records.queries.ts";
import { TRENDING_TIME } from "./features/tags/count-tags.ts";
import { IDEMPOTENCY_LIFE } from "./http/idempotency.ts";
import type { Services } from "./http/services.ts";
import type { Job } from "./jobs/job.ts";
import type { Storage } from "./storage/storage.ts";

/** Milliseconds that a quota window is kept after its end, for the position of the caller's last write. */
const WINDOWS_KEPT = MINUTE;
/** Milliseconds that a used signature is kept after its end, because other processes' clocks may be behind. */
const SIGNATURES_KEPT = HOUR;
/** Milliseconds that webhook deliveries are kept. */
const DELIVERY_LIFE = limits.deliveryDays * DAY;
/** Milliseconds that a device or network is remembered after its last login. */
const PLACE_LIFE = limits.knownPlaceDays * DAY;
/** Milliseconds that an expired key is listed. */
const KEYS_KEPT = limits.expiredKeyDays * DAY;
/** Milliseconds that a grant waits for its app to get a token. */
const UNCLAIMED_KEPT = limits.appRequestMinutes * MINUTE;
/** Milliseconds that a sign-up waits for approval. */
const REQUESTS_KEPT = limits.signUpRequestDays * DAY;
/** Milliseconds that an agent's request is kept after its end. */
const AGENT_REQUESTS_KEPT = limits.agentKeyHours * HOUR;
/** Rows deleted per transaction: small, so that other writes don't wait long. */
const BATCH = 2000;

/** Deletes expired rows: sessions, quota windows, idempotency records, nonces and others. */
export const sweep: Job = {
  name: "sweep",
  every: 10 * MINUTE,
  run: (services, signal) => sweepOut(services, signal, BATCH),
};

/** Deletes expired rows in batches, until none is left or the signal aborts. */
export async function sweepOut(
  { storage, now, config }: Services,
  signal: AbortSignal,
  batch: number,
): Promise<void> {
  const time = now();
  const ended: [table: string, key: string[], condition: RawBuilder<unknown>][] = [
    ["sessions", ["id"], sql`expires_at <= ${time}`],
    ["quota_windows", ["holder", "quota"], sql`ends_at <= ${time - WINDOWS_KEPT}`],
    ["webhooks", ["id"], sql`key_id in (select id from keys where expires_at <= ${time})`],
    ["keys", ["id"], sql`expires_at <= ${time - KEYS_KEPT}`],
    ["oauth_records", ["hash"], sql`expires_at <= ${time} and not (${isUsedApp})`],
    // Grants of apps that never got a token.
    [
      "keys",
      ["id"],
      sql`client_id is not null and token_expires_at is null and created_at <= ${time - UNCLAIMED_KEPT}`,
    ],
    ["nonces", ["hash"], sql`expires_at <= ${time}`],
    ["used_signatures", ["hash"], sql`ends_at <= ${time - SIGNATURES_KEPT}`],
    ["tokens", ["hash"], sql`expires_at <= ${time}`],
    ["invitations", ["id"], sql`expires_at <= ${time}`],
    ["sign_up_requests", ["id"], sql`created_at <= ${time - REQUESTS_KEPT}`],
    // A used key needn't be fetched again. Others learn for a while that their request expired or was declined.
    [
      "agent_requests",
      ["id"],
      sql`(expires_at <= ${time} and (state = 'approved' or expires_at <= ${time - AGENT_REQUESTS_KEPT})
        or exists (select 1 from keys k where k.id = key_id and k.last_used_at is not null))`,
    ],
    ["known_places", ["user_id", "hash"], sql`last_used_at <= ${time - PLACE_LIFE}`],
    ["live_viewers", ["user_id", "process"], sql`counted_at <= ${time - VIEWER_LIFE}`],
    ["idempotency", ["holder", "key"], sql`created_at <= ${time - IDEMPOTENCY_LIFE}`],
    ["friend_declines", ["from_id", "to_id"], sql`ends_at <= ${time}`],
    ["pauses", ["receiver"], sql`ends_at <= ${time}`],
    ["hosts", ["host"], sql`free_at <= ${storage.read.engine.now}`],
    ["tag_uses", ["tag", "user_id", "post_id", "comment_id"], sql`used_at <= ${time - TRENDING_TIME}`],
    ["webhook_deliveries", ["id"], sql`created_at <= ${time - DELIVERY_LIFE}`],
  ];
  for (const [name, columns, condition] of ended) {
    const [table, key] = [sql.table(name), sql.join(columns.map((column) => sql.ref(column)))];
    // The condition appears twice because PostgreSQL re-checks only the outer one for a row that has just changed.
    const some = sql`delete from ${table} where ${condition}
      and (${key}) in (select ${key} from ${table} where ${condition} limit ${batch})`;
    for (let taken = batch; taken === batch && !signal.aborted; ) {
      taken = Number((await storage.write((tx) => some.execute(tx))).numAffectedRows);
    }
  }
  for (let taken = batch; taken === batch && !signal.aborted; )
    taken = await storage.write((tx) => sweepLives(tx, time, batch));
  await keepApps(storage, signal, time, batch);
  await forgetActivity(storage, signal, time - config.activityRetention, batch);
}

/** Apps that someone authorized are looked at again the next day. */
async function keepApps(storage: Storage, signal: AbortSignal, now: number, batch: number): Promise<void> {
  for (let kept = batch; kept === batch && !signal.aborted; )
    kept = await storage.write((tx) => keepUsedApps(tx, now, batch));
}

/** Ids grow with time, so scanning the lowest ids finds the oldest rows without an index on time. */
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
