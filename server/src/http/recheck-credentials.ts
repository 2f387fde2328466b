import type { Role } from "@tandem/contract/resources";
import { type RawBuilder, sql } from "kysely";
import { preparedRows } from "../storage/prepared-rows.ts";
import type { Db } from "../storage/storage.ts";
import type { Caller } from "./caller.ts";
import { type KeyProgress, progressColumns } from "./graduation.ts";

/** The current state of a credential that was authenticated earlier. */
export interface CredentialStatus {
  paused: boolean;
  suspendedUntil: number | null;
  role: Role;
  /** Whether publishing needs the key owner's approval. */
  approval: boolean;
  /** What the key's tier depends on; null for a session. */
  progress: KeyProgress | null;
}

/**
 * Re-checks callers' credentials inside the write transaction: a key may have been paused, or an account suspended, while
 * the write waited or its body arrived. Callers whose credential has ended are left out.
 */
export async function recheckCredentials(tx: Db, callers: Caller[]): Promise<Map<Caller, CredentialStatus>> {
  const keys = await among(
    tx,
    keysAmong,
    callers.map(({ key }) => key?.id),
  );
  const sessions = await among(
    tx,
    sessionsAmong,
    callers.map(({ sessionId }) => sessionId),
  );
  return new Map(
    callers.flatMap((caller) => {
      const { key, sessionId } = caller;
      const status = key ? keys.get(key.id) : sessions.get(sessionId ?? 0);
      return status ? [[caller, status] as const] : [];
    }),
  );
}

/** Whether the caller's key has reached its end. */
export function hasExpired({ key }: Caller, now: number): boolean {
  return key !== null && key.expiresAt !== null && key.expiresAt <= now;
}

/** The same for long-lived streams, whose session or key may also have expired. */
export async function stillValid(db: Db, callers: Caller[], now: number): Promise<Caller[]> {
  const statuses = await recheckCredentials(db, callers);
  const remaining = callers.filter((caller) => statuses.has(caller) && !hasExpired(caller, now));
  const sessions = await expiredAmong(
    remaining.map(({ sessionId }) => sessionId),
    (ids) => db.selectFrom("sessions").select("id").where(ids).where("expires_at", "<=", now).execute(),
    db,
  );
  // An app may have renewed its access token, or not.
  const grants = await expiredAmong(
    remaining.map(({ key }) => (key?.isGrant ? key.id : null)),
    (ids) => db.selectFrom("keys").select("id").where(ids).where("token_expires_at", "<=", now).execute(),
    db,
  );
  return remaining.filter(({ sessionId, key }) => !sessions.has(sessionId) && !grants.has(key?.id ?? null));
}

async function expiredAmong(
  ids: (number | null)[],
  find: (among: RawBuilder<boolean>) => Promise<{ id: number }[]>,
  db: Db,
): Promise<Set<number | null>> {
  const some = ids.filter((id) => id !== null);
  if (some.length === 0) return new Set();
  return new Set((await find(sql<boolean>`id in (${db.engine.oneOf(some)})`)).map(({ id }) => id));
}

async function among(
  tx: Db,
  query: typeof keysAmong,
  ids: (number | null | undefined)[],
): Promise<Map<number, CredentialStatus>> {
  const rows = ids.filter((id) => typeof id === "number").map((id) => ({ id }));
  const found = rows.length > 0 ? await query(tx, rows, {}) : [];
  return new Map(
    found.map(({ id, role, paused, suspended_until: suspendedUntil, approval, ...progress }) => [
      id,
      { role, suspendedUntil, paused: paused > 0, approval: approval === 1, progress: ofKey(progress) },
    ]),
  );
}

/** The progress of a key; null for a session, which has none. */
function ofKey(progress: KeyProgress | { tier: null }): KeyProgress | null {
  return progress.tier === null ? null : progress;
}

type StatusRow = StatusColumns & (KeyProgress | { tier: null });

interface StatusColumns {
  id: number;
  role: Role;
  paused: number;
  suspended_until: number | null;
  approval: number;
}

const existing = (
  table: "keys" | "sessions",
  own: { paused: RawBuilder<number>; approval: RawBuilder<number>; progress: RawBuilder<unknown> },
) =>
  preparedRows<{ id: number }, object, StatusRow>({ id: "integer" }, (db, ids) =>
    sql<StatusRow>`select k.id, u.role, ${own.paused} as paused, u.suspended_until, ${own.approval} as approval, ${own.progress}
      from ${sql.table(table)} k join users u on u.id = k.user_id
      where k.id in (${ids}) and u.removing_at is null`.compile(db),
  );

const keysAmong = existing("keys", {
  paused: sql`k.paused + u.paused`,
  approval: sql`k.approval`,
  progress: sql.join(progressColumns.map((column) => sql.ref(column))),
});
const sessionsAmong = existing("sessions", {
  paused: sql`u.paused`,
  approval: sql`0`,
  progress: sql`null as tier`,
});
