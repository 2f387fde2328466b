import { randomBytes } from "node:crypto";
import { DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { Services } from "../../http/services.ts";
import type { Db } from "../../storage/storage.ts";

/** Rows read at a time. */
const BATCH = 100;

export function exportOf(db: Db, userId: number) {
  return db.selectFrom("exports").selectAll().where("user_id", "=", userId).executeTakeFirst();
}

/** Queues an export. An earlier one is left for {@link sweepExports}. */
export async function queueExport(tx: Db, userId: number, now: number): Promise<void> {
  await tx.updateTable("exports").set({ user_id: null }).where("user_id", "=", userId).execute();
  // Not a media name: it isn't served by its name, and the sweep of stray media leaves it alone.
  const file = `${randomBytes(24).toString("hex")}.export.zip`;
  await tx
    .insertInto("exports")
    .values({ user_id: userId, file, due_at: now, bytes: null, expires_at: now + limits.exportDays * DAY })
    .execute();
}

/**
 * Removes exports that have expired or whose account is gone: first the files, then the rows that name them. A file that
 * can't be removed is logged and retried by the next run.
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
      // A process that is still creating the file may yet store it.
      .where((eb) => eb.or([eb("holder", "is", null), eb("lease_ends_at", "<=", db.engine.now)]))
      .orderBy("id")
      .limit(BATCH)
      .execute()
  );
}
