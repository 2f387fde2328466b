import { HOUR } from "@tandem/contract/durations";
import { sql } from "kysely";
import { isPaused } from "../http/retry-after.ts";
import type { Db } from "../storage/storage.ts";

/** Milliseconds after which a host is free again whose process died: longer than any request takes. */
export const HOLD = 30_000;
/** No host is taken for longer, so a time beyond is from a clock that was set back. */
const LONGEST = HOUR + HOLD;

/** By the database's clock, which all processes share. */
export interface Turn {
  host: string;
  /** Null to release the host. */
  holder: string | null;
  /** Milliseconds for which nobody else may request it. */
  hold: number;
}

/**
 * Claims hosts that are free and want requests, and releases hosts that their holder has claimed. Returns the hosts for which it did.
 * Rows are locked by ascending host, to avoid deadlocks.
 */
export async function setTurns(tx: Db, self: string, turns: readonly Turn[], now: number): Promise<string[]> {
  const listed = tx.engine.jsonRows(JSON.stringify(turns), { host: "text", holder: "text", hold: "integer" });
  const { rows } = await sql<{ host: string }>`
    insert into hosts (host, holder, free_at)
    select listed.host, listed.holder, ${tx.engine.now} + listed.hold from (${listed}) as listed
    where listed.holder is null or not ${isPaused(sql.ref("listed.host"), now)}
    order by listed.host
    on conflict (host) do update set holder = excluded.holder, free_at = excluded.free_at
    where hosts.holder = ${self} or hosts.free_at <= ${tx.engine.now}
      or hosts.free_at > ${tx.engine.now} + ${sql.lit(LONGEST)}
    returning host`.execute(tx);
  return rows.map(({ host }) => host);
}

/** Milliseconds until the host is free, and whether a request to it is in progress, so that it may be free sooner. */
export async function standingOf(db: Db, host: string): Promise<{ wait: number; isHeld: boolean }> {
  const { rows } = await sql<{ wait: number; holder: string | null }>`
    select free_at - ${db.engine.now} as wait, holder from hosts where host = ${host}`.execute(db);
  const [row] = rows;
  return { wait: Math.max(0, Number(row?.wait ?? 0)), isHeld: row?.holder != null };
}
