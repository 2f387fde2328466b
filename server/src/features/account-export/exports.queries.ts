import { randomBytes, randomUUID } from "node:crypto";
import { limits } from "@tandem/contract/limits";
import type { Services } from "../../http/services.ts";
import type { Db } from "../../storage/storage.ts";

const DAY = 86_400_000;
/** Milliseconds after which whoever makes an export counts as dead; longer than the largest may take. */
export const EXPORT_LEASE = 30 * 60_000;
/** After so many failures it is given up. */
const ATTEMPTS = 3;
const RETRY = 60_000;
/** Files that are looked for at a time. */
const BATCH = 100;

export function exportOf(db: Db, userId: number) {
  return db.selectFrom("exports").selectAll().where("user_id", "=", userId).executeTakeFirst();
}

/** Has an export made; one that was made before is left to be removed. */
export async function queueExport(tx: Db, userId: number, now: number): Promise<void> {
  await tx.updateTable("exports").set({ user_id: null }).where("user_id", "=", userId).execute();
  // Unlike a medium's: what sweeps the store of strays leaves it alone, and nobody serves it by its name.
  const file = `${randomBytes(24).toString("hex")}.export.zip`;
  await tx
    .insertInto("exports")
    .values({ user_id: userId, file, due_at: now, bytes: null, expires_at: now + limits.exportDays * DAY })
    .execute();
}

/** An export that somebody has taken on. */
export interface Claimed {
  id: number;
  userId: number;
  file: string;
  holder: string;
  attempts: number;
}

function dueExport(db: Db, now: number) {
  return db
    .selectFrom("exports")
    .select(["id", "user_id", "file", "attempts"])
    .where("due_at", "<=", now)
    .where("user_id", "is not", null)
    .orderBy("due_at")
    .orderBy("id")
    .limit(1);
}

export async function claimExport({ storage }: Services, now: number): Promise<Claimed | null> {
  if (!(await dueExport(storage.read, now).executeTakeFirst())) return null;
  return storage.write(async (tx) => {
    const row = await dueExport(tx, now)
      .$if(tx.engine.rowLocks, (query) => query.forUpdate().skipLocked())
      .executeTakeFirst();
    if (!row || row.user_id === null) return null;
    const claimed = { holder: randomUUID(), attempts: row.attempts + 1 };
    await tx
      .updateTable("exports")
      .set({ ...claimed, due_at: now + EXPORT_LEASE })
      .where("id", "=", row.id)
      .execute();
    return { id: row.id, userId: row.user_id, file: row.file, ...claimed };
  });
}

/** It can be fetched now, and is kept for its days from now on. */
export async function settleExport(tx: Db, claimed: Claimed, bytes: number, now: number): Promise<void> {
  await held(tx, claimed)
    .set({ ready: 1, bytes, due_at: null, holder: null, expires_at: now + limits.exportDays * DAY })
    .execute();
}

export async function failExport(tx: Db, claimed: Claimed, now: number): Promise<void> {
  const due_at = claimed.attempts < ATTEMPTS ? now + RETRY : null;
  await held(tx, claimed).set({ due_at, holder: null }).execute();
}

function held(tx: Db, { id, holder }: Claimed) {
  return tx.updateTable("exports").where("id", "=", id).where("holder", "=", holder);
}

/**
 * Removes the files of exports that have ended, or whose account is gone: first the files, then the rows that name them.
 * One that can't be removed keeps no other waiting; it is told to the log, and tried again by the next run.
 */
export async function sweepExports({ storage, media, now, log }: Services): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await endedExports(storage.read, now(), after);
    for (const { id, file } of rows)
      try {
        await media.store.remove([file]);
        await storage.write((tx) => tx.deleteFrom("exports").where("id", "=", id).execute());
      } catch (err) {
        log.error({ err, export: id }, "an export could not be removed");
      }
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = last.id;
  }
}

function endedExports(db: Db, now: number, after: number) {
  return (
    db
      .selectFrom("exports")
      .select(["id", "file"])
      .where("id", ">", after)
      .where((eb) => eb.or([eb("expires_at", "<=", now), eb("user_id", "is", null)]))
      // Whoever still makes one may yet store it.
      .where((eb) => eb.or([eb("holder", "is", null), eb("due_at", "<=", now)]))
      .orderBy("id")
      .limit(BATCH)
      .execute()
  );
}
